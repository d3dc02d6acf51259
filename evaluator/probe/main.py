"""Run test files inside the target's interpreter: `python main.py SPEC.json`.

SPEC.json is written by `evaluator.run`. Results are appended to the file that it names, one JSON
object a line, as they happen, so that a run that is killed leaves all that it had.
"""

import os
import sys

PROBE = os.path.dirname(os.path.abspath(__file__))


def import_probe(name, python_path):
    """Import a module of the probe, keeping files of the target from shadowing the standard library."""
    saved = list(sys.path)
    sys.path[:] = [PROBE] + [entry for entry in saved if entry not in python_path]
    try:
        return __import__("fixgate_probe_" + name)
    finally:
        sys.path[:] = saved


def main():
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != PROBE]
    python_path = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    launcher = import_probe("launcher", python_path)
    spec = launcher.read_spec(sys.argv[1])
    if spec["services"] and "--served" not in sys.argv:
        return import_probe("services", python_path).run_beside(spec, sys.argv[1])
    session = import_probe("session", python_path).open_session(spec)
    runner = import_probe(spec["runner"], python_path)
    launcher.leave(launcher.run(runner, spec, session))


if __name__ == "__main__":
    sys.exit(main())
