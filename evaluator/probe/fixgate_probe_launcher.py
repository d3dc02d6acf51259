"""Run the tests and tell how that ended."""

import json
import sys
import traceback


def read_spec(path):
    with open(path) as file:
        return json.load(file)


def run(runner, spec, session):
    """Run the tests; return the exit code that the framework's own command would have."""
    code = 1
    try:
        code = exit_code(runner.run(spec, session))
    except SystemExit as stop:
        code = exit_code(stop.code)
        if code:
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
