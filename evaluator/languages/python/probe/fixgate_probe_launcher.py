"""Run the tests and tell how that ended."""

import json
import os
import sys
import traceback

import fixgate_probe_hypothesis as hypothesis

_exit = os._exit


def read_spec(path):
    with open(path) as file:
        return json.load(file)


def run(runner, spec, session):
    """Run the tests; return the exit code that the framework's own command would have."""
    code = 1
    hypothesis.watch(spec["tree"])
    try:
        code = exit_code(runner.run(spec, session))
    except SystemExit as stop:
        code = exit_code(stop.code)
        session.abort(sys.exc_info())
    except BaseException:
        session.abort(sys.exc_info())
        traceback.print_exc()
    finally:
        session.end(code)
    return code


def exit_code(value):
    """The exit code for what `sys.exit` may be given."""
    if value is None:
        return 0
    try:
        return int(value)
    except (TypeError, ValueError):
        sys.stderr.write("%s\n" % (value,))
        return 1


def leave(code):
    """End now: threads that tests left behind cannot hold the run up, nor change how it ended."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    _exit(code & 0xFF)
