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


def extend_namespaces(python_path):
    """Have namespaces that start-up files (`*-nspkg.pth`) made hold the tree's part of them, too.

    Installing the project would write such a file for it. A package of its own has a file.
    """
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__path__", None)
        if not hasattr(place, "append") or getattr(module, "__file__", None):
            continue
        for entry in python_path:
            part = os.path.join(os.path.abspath(entry), *name.split("."))
            if os.path.isdir(part) and part not in place:
                place.append(part)


def main():
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != PROBE]
    python_path = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    extend_namespaces(python_path)
    launcher = import_probe("launcher", python_path)
    spec = launcher.read_spec(sys.argv[1])
    address = bytes.fromhex(sys.argv[2])
    session = import_probe("session", python_path).open_session(spec, address)
    runner = import_probe(spec["runner"], python_path)
    launcher.leave(launcher.run(runner, spec, session))


if __name__ == "__main__":
    sys.exit(main())
