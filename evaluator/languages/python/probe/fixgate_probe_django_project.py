"""Run the tests of a project that uses Django by `manage.py test`, with its results recorded."""

import os
import runpy
import sys

import fixgate_probe_unittest as recorder


def run(spec, session):
    """Run `manage.py test`, or Django's own `test` where the project has no such script."""
    script = os.path.join(spec["tree"], "manage.py")
    sys.path.insert(0, spec["tree"])
    sys.argv[:] = [script, "test"] + spec["arguments"]
    recording = recorder.Recording(session, spec["labels"], spec["seed"])
    return recorder.run_script(recording, lambda: test(script))


def test(script):
    if os.path.isfile(script):
        runpy.run_path(script, run_name="__main__")
    else:
        from django.core.management import execute_from_command_line

        execute_from_command_line(list(sys.argv))
