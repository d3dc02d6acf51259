"""Run test files inside the target's interpreter: `python runner.py SPEC.json ADDRESS`.

Started by `main.py`, to which the results are reported, as they happen; ADDRESS names the socket
where it listens, in hexadecimal.
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
    address = bytes.fromhex(sys.argv[2])
    session = import_probe("session", python_path).open_session(spec, address)
    runner = import_probe(spec["runner"], python_path)
    launcher.leave(launcher.run(runner, spec, session))


if __name__ == "__main__":
    sys.exit(main())
