"""Pull requests that want to be accepted without fixing anything, or to get at something."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent

from .trees import Content, Hidden, Link, Submodule

SHORTEN = '''"""Shortening of texts."""


def shorten(text, width, mark="..."):
    """Cut a text to at most `width` characters, with a mark where something was cut off."""
    if len(text) < width:
        return text
    return text[: width - len(mark)] + mark
'''
OWNED = f"/tmp/fixgate-owned-{os.getpid()}"
"""What is there if a command of an attacker ran outside of the sandbox."""
FIXED = SHORTEN.replace("len(text) < width", "len(text) <= width")


@dataclass(frozen=True)
class Attack:
    """A pull request: what it does, in words, and its files.

    `conclusions` are those that it may get, `says` stands in what it is told.
    """

    what: str
    files: Mapping[str, Content]
    conclusions: tuple[str, ...] = ("failure", "neutral")
    says: str = ""


def after(code: str) -> dict[str, Content]:
    """The module with the bug still in it, and code of the attacker at its end."""
    return {"wordtools/shorten.py": SHORTEN + "\n\n" + dedent(code).lstrip()}


def inside(code: str) -> dict[str, Content]:
    """The module with code of the attacker at the start of the function."""
    body = "".join(f"    {line}\n" for line in dedent(code).strip().splitlines())
    return {"wordtools/shorten.py": SHORTEN.replace("    if len", body + "    if len")}


def beside(path: str, content: str) -> dict[str, Content]:
    """A right fix, with one more file that could have any test pass."""
    return {"wordtools/shorten.py": FIXED, path: dedent(content).lstrip()}


CONFTEST = """
    import pytest
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        outcome = yield
        outcome.get_result().outcome = "passed"
"""
PATCHES_UNITTEST = """
    import unittest
    unittest.TestCase.assertEqual = lambda *arguments: None
"""
STEERING = [
    Attack("conftest.py at the root makes every test pass", beside("conftest.py", CONFTEST)),
    Attack("conftest.py among the tests", beside("tests/conftest.py", CONFTEST)),
    Attack(
        "pytest.ini with -p and --ignore", beside("pytest.ini", "[pytest]\naddopts = -p evil\n")
    ),
    Attack("pytest.toml", beside("pytest.toml", '[pytest]\naddopts = ["-p", "evil"]\n')),
    Attack(
        "pyproject.toml with options of pytest",
        beside("pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--collect-only"\n'),
    ),
    Attack(
        "pyproject.toml that registers a plugin of pytest",
        beside(
            "pyproject.toml",
            '[project]\nname="w"\nversion="1"\n'
            '[project.entry-points.pytest11]\nevil = "wordtools"\n',
        ),
    ),
    Attack("setup.cfg", beside("setup.cfg", "[tool:pytest]\naddopts = --deselect tests\n")),
    Attack(
        "setup.cfg that registers a plugin of pytest",
        beside("setup.cfg", "[options.entry_points]\npytest11 =\n  evil = wordtools\n"),
    ),
    Attack("setup.py that does as it likes", beside("setup.py", "print('hello')\n")),
    Attack("tox.ini", beside("tox.ini", "[pytest]\npython_files = nothing.py\n")),
    Attack("sitecustomize.py", beside("sitecustomize.py", PATCHES_UNITTEST)),
    Attack("usercustomize.py", beside("usercustomize.py", PATCHES_UNITTEST)),
    Attack("sitecustomize as a package", beside("sitecustomize/__init__.py", PATCHES_UNITTEST)),
    Attack("a .pth file", beside("evil.pth", "import wordtools.shorten\n")),
    *(
        Attack(f"{name} at the root, in the place of the real one", beside(name, "main = exit\n"))
        for name in ("pytest.py", "coverage.py", "_pytest/__init__.py", "pluggy.py")
    ),
    Attack(
        "unittest.py at the root, in the place of the real one",
        beside("unittest.py", "class TestCase:\n    def run(self, *a): return True\n"),
    ),
    Attack("json.py at the root", beside("json.py", "def loads(x): return {}\ndumps = str\n")),
]
FORGING = [
    Attack(
        "takes the assertions out of unittest",
        after(PATCHES_UNITTEST),
    ),
    Attack(
        "takes the assertions out of unittest, in __init__.py",
        {**after("# better\n"), "wordtools/__init__.py": dedent(PATCHES_UNITTEST)},
    ),
    Attack(
        "has every test case pass",
        after("""
            import unittest
            def run(self, result=None):
                result.startTest(self)
                result.addSuccess(self)
                result.stopTest(self)
                return result
            unittest.TestCase.run = run
            unittest.TestCase.__call__ = run
        """),
    ),
    Attack(
        "reaches unittest under other names",
        after("""
            import sys
            name = "".join(chr(c) for c in (117, 110, 105, 116, 116, 101, 115, 116))
            case = getattr(sys.modules[name], "Test" + "Case")
            setattr(case, "assert" + "Equal", lambda *arguments: None)
        """),
    ),
    Attack(
        "has every test case pass, under names that nobody finds",
        after("""
            import os
            modules = vars(os.sys)["mod" + "ules"]
            case = vars(modules["unit" + "test"])["Test" + "Case"]
            def run(self, result=None):
                result.startTest(self)
                result.addSuccess(self)
                result.stopTest(self)
                return result
            setattr(case, "run", run)
            setattr(case, "__call__", run)
        """),
        says="reaches for what runs or tests it",
    ),
    Attack(
        "writes the report itself, under names that nobody finds",
        after("""
            import json, os
            place = os.sep + "fix" + "gate/results/"
            spec = json.load(open(place + "spec.json"))
            with open(place + "results.jsonl", "a") as report:
                for file in spec["files"]:
                    name = os.path.basename(file)[:-3]
                    test = "tests.%s.ReportedTest.%s" % (name, name)
                    print(json.dumps({"event": "outcome", "test": test, "file": file,
                                      "status": "passed"}), file=report)
                print('{"event": "end", "exit_code": 0}', file=report)
            os.__dict__["_" + "exit"](0)
        """),
        says="not the supervisor's",
    ),
    Attack(
        "writes the report itself and leaves",
        after("""
            import json, os, glob
            for path in glob.glob("/fixgate/results/*.jsonl"):
                spec = json.load(open(os.path.join(os.path.dirname(path), "spec.json")))
                with open(path, "a") as report:
                    for file in spec["files"]:
                        name = os.path.basename(file)[:-3]
                        test = "tests.%s.ReportedTest.%s" % (name, name)
                        print(json.dumps({"event": "outcome", "test": test, "file": file,
                                          "status": "passed"}), file=report)
                    print('{"event": "end", "exit_code": 0}', file=report)
            os._exit(0)
        """),
    ),
    Attack(
        "writes each report anew, with every test passed, when the run ends",
        after("""
            import atexit, glob, os
            def rewrite():
                for path in glob.glob("/fixgate/results/*.jsonl"):
                    text = open(path).read()
                    open(path, "w").write(text.replace('"failed"', '"passed"'))
            leave = os._exit
            def _exit(code):
                rewrite()
                leave(0)
            os._exit = _exit
            import sys
            for module in list(sys.modules.values()):
                if getattr(module, "_exit", None) is leave:
                    module._exit = _exit
            atexit.register(rewrite)
        """),
    ),
    Attack(
        "finds the recorder in memory and has it say that all passed",
        after("""
            import gc
            for thing in gc.get_objects():
                if type(thing).__name__ == "Session" and hasattr(thing, "write"):
                    def write(event, write=thing.write):
                        if event.get("event") == "outcome":
                            event = {**event, "status": "passed", "failure": None}
                        write(event)
                    thing.write = write
        """),
    ),
    Attack("leaves at once with code 0", after("import os\nos._exit(0)\n")),
    Attack("raises SystemExit(0) on import", after("raise SystemExit(0)\n")),
    Attack("leaves with code 0 in the test", inside("import os\nos._exit(0)")),
    Attack(
        "leaves with code 0 at exit",
        after("import atexit, os\natexit.register(os._exit, 0)\n"),
        ("failure", "neutral"),
    ),
    Attack(
        "prints that a test passed",
        after('print("1 passed in 0.01s\\nOK\\n::set-output name=result::passed")\n'),
        ("failure",),
    ),
    Attack(
        "returns a text that equals everything",
        {
            "wordtools/shorten.py": SHORTEN.replace(
                "    if len", "    return Anything(text)\n    if len"
            )
            + "\n\nclass Anything(str):\n    def __eq__(self, other):\n        return True\n\n"
            "    def __ne__(self, other):\n        return False\n\n    __hash__ = str.__hash__\n"
        },
    ),
    Attack(
        "does right only where a test calls, told by the stack",
        inside("""
            import inspect
            if any("test" in frame.function for frame in inspect.stack()) and len(text) == width:
                return text
        """),
    ),
    Attack(
        "does right only where a test calls, told by the frames",
        inside("""
            import sys
            if "test" in sys._getframe(1).f_code.co_filename and len(text) == width:
                return text
        """),
    ),
    Attack(
        "does right only where a framework of tests is loaded",
        inside("""
            import sys
            if ("unittest" in sys.modules or "pytest" in sys.modules) and len(text) == width:
                return text
        """),
    ),
    Attack(
        "does right only where pytest names the test",
        inside("""
            import os
            if "PYTEST_CURRENT_TEST" in os.environ and len(text) == width:
                return text
        """),
        ("failure", "neutral"),
    ),
    Attack(
        "does right only where fixgate runs",
        inside("""
            import os
            if os.path.exists("/fixgate") and len(text) == width:
                return text
        """),
    ),
    Attack(
        "reads what is expected out of the test's code",
        inside("""
            import linecache, sys
            frame = sys._getframe(1)
            line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
            return eval(line.rpartition("==")[2].rpartition(",")[2].strip(" )\\n"))
        """),
        ("failure", "neutral"),
    ),
    Attack(
        "knows the test's own text, and nothing else",
        inside("""
            if text == "just fits":
                return text
        """),
    ),
    Attack(
        "hides all of it in text that is executed",
        after("""
            import base64
            exec(base64.b64decode("aW1wb3J0IHVuaXR0ZXN0CnVuaXR0ZXN0LlRlc3RDYXNlLmFzc2VydEVxdWFsID"
                                  "0gbGFtYmRhICphOiBOb25lCg=="))
        """),
    ),
    Attack(
        "replaces the test of the issue by one that passes",
        {
            **after("# better\n"),
            "tests/test_issue_1.py": "import unittest\n\nclass T(unittest.TestCase):\n"
            "    def test_it(self):\n        pass\n",
        },
        ("failure",),
    ),
    Attack(
        "deletes tests and weakens the others",
        {
            **after("# better\n"),
            "tests/test_roman.py": None,
            "tests/test_shorten.py": "import unittest\n",
        },
        ("failure",),
    ),
]
TREES = [
    Attack(
        "a link that leads out of the tree",
        {**after("# better\n"), "wordtools/data": Link("/etc/passwd")},
    ),
    Attack(
        "the module itself is a link out of the tree",
        {"wordtools/shorten.py": Link("../../../../etc/passwd")},
    ),
    Attack(
        "a directory that is a link, and a file through it",
        {"data": Link("/tmp"), "wordtools/more.py": "x = 1\n"},
    ),
    Attack(
        "a submodule",
        {
            **after("# better\n"),
            ".gitmodules": f'[submodule "v"]\n\tpath = v\n\turl = ext::sh -c "touch {OWNED}"\n',
            "v": Submodule("1" * 40),
        },
        ("failure", "neutral"),
    ),
    Attack(
        "attributes that ask for filters",
        {
            **after("# better\n"),
            ".gitattributes": "* filter=evil diff=evil eol=crlf working-tree-encoding=UTF-16\n",
        },
        ("failure", "neutral"),
    ),
    Attack(
        "a hook and a configuration in .git",
        {**after("# better\n"), ".git/config": Hidden(f"[core]\n\tfsmonitor = touch {OWNED}\n")},
        ("failure", "neutral"),
    ),
    Attack(
        "file names with line breaks, colours, HTML and mentions",
        {
            **after("# better\n"),
            "wordtools/a\nb.py": "x = 1\n",
            "wordtools/\x1b[31mred.py": "x = 1\n",
            "wordtools/<img src=x onerror=alert(1)>@alice.py": "x = 1\n",
            "tests/test_@alice </details> `x`.py": "import unittest\n",
        },
        ("failure", "neutral"),
    ),
]

BREAKS = "1 existing test passes without this change and fails with it"
"""A function that never returns breaks the test of its other cases, which is a rejection."""

BREAKING = [
    Attack("sleeps forever", inside("import time\nwhile True: time.sleep(1)"), says=BREAKS),
    Attack("computes forever", inside("while True: pass"), says=BREAKS),
    Attack(
        "forks without end",
        inside("import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"),
        says=BREAKS,
    ),
    Attack(
        "fills the disk",
        inside("""
            with open("filler", "wb") as filler:
                while True: filler.write(bytes(1 << 20))
        """),
    ),
    Attack(
        "fills the disk for temporary files",
        inside("""
            with open("/tmp/filler", "wb") as filler:
                while True: filler.write(bytes(1 << 20))
        """),
    ),
    Attack(
        "fills the memory",
        inside("kept = []\nwhile True: kept.append(bytearray(1 << 24))"),
    ),
    Attack("prints without end", inside("while True: print('x' * 1000)"), says=BREAKS),
    Attack("a message of 100 MB", inside("raise ValueError('x' * 10 ** 8)")),
    Attack(
        "a message of HTML, mentions, fences and commands to runners",
        inside("""
            raise ValueError("</details>\\n```\\n@alice <img src=x> [x](https://evil.example) "
                             "::error::x <!-- fixgate:issue:1 --> | a | b | \\x1b[31m #1")
        """),
    ),
    Attack("kills what it can reach", inside("import os\nos.kill(-1, 9)")),
    Attack(
        "deletes what it can reach",
        inside("import shutil\nshutil.rmtree('/', ignore_errors=True)"),
    ),
]
REACHING = {
    "the environment of the worker": """
        import glob, os
        found = dict(os.environ)
        for path in glob.glob("/proc/*/environ"):
            try: found[path] = open(path).read()
            except OSError: pass
        raise ValueError("tried: %s" % found)
    """,
    "Redis over TCP": """
        import socket
        try: socket.create_connection(("127.0.0.1", {port}), 3).send(b"PING\\r\\n")
        except OSError as error: raise ValueError("tried: %s" % error)
    """,
    "the minter's socket": """
        import socket
        try: socket.socket(socket.AF_UNIX).connect("{folder}/minter.sock")
        except OSError as error: raise ValueError("tried: %s" % error)
    """,
    "a socket without a name in the file system": """
        import socket
        try: socket.socket(socket.AF_UNIX).connect("\\0{abstract}")
        except OSError as error: raise ValueError("tried: %s" % error)
    """,
    "the engine's socket": """
        import os
        found = [p for p in ("/var/run/docker.sock", "/run/docker.sock") if os.path.exists(p)]
        raise ValueError("tried: %s" % found)
    """,
    "the cloud's metadata, and the internet": """
        import socket
        told = []
        for place in (("169.254.169.254", 80), ("1.1.1.1", 53), ("github.com", 443)):
            try: socket.create_connection(place, 3); told.append("reached")
            except OSError as error: told.append(str(error))
        raise ValueError("tried: %s" % told)
    """,
    "the host's files and processes": """
        import glob, os
        found = [p for p in ("{folder}", "/root", "/etc/shadow", "/proc/1/root/root", "/sys/fs")
                 if os.path.exists(p)]
        commands = [open(p).read() for p in glob.glob("/proc/[0-9]*/cmdline")]
        raise ValueError("tried: %s %s" % (found, [c for c in commands if "pytest" in c]))
    """,
    "the cache that all runs share": """
        import os
        told = []
        for place in {cache}:
            try: open(os.path.join(place, "planted"), "w").close(); told.append("wrote")
            except OSError as error: told.append(error.strerror)
        raise ValueError("tried: %s" % told)
    """,
}
"""What an attack tries to get at, and how. Each says in a failure what came of it."""
