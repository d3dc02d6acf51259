"""Run Django's own test suite: `tests/runtests.py` in this process, with its results recorded."""

import os
import runpy
import sys

import fixgate_probe_unittest as recorder


def run(spec, session):
    script = os.path.join(spec["tree"], "tests", "runtests.py")
    sys.argv[:] = [script] + spec["arguments"]
    sys.path.insert(0, os.path.dirname(script))
    recording = recorder.Recording(session, spec["labels"], spec["seed"])
    return recorder.run_script(recording, lambda: runpy.run_path(script, run_name="__main__"))
