"""Results forged by children, other processes, memory, and by what Python runs tests with."""

from __future__ import annotations

from .head import Files, Head, Project
from .projects import BANK, BATCHES, CONF, DATES, GRID, SUMS, TALLY, WORDS

_LINES = """
import json
import os

_PLACE = os.sep + "fix" + "gate" + os.sep + "results" + os.sep


def _lines(status="passed"):
    name = "tests.test_issue.%s.test_%s"
    rows = [{"event": "outcome", "test": name % (CASE, CASE.lower()), "file": "tests/test_issue.py",
             "status": status, "duration": 0.01}, {"event": "end", "exit_code": 0}]
    return "".join(json.dumps(row) + chr(10) for row in rows)


def _forge():
    for folder, _, files in os.walk(_PLACE):
        for file in files:
            if file.endswith("l"):
                try:
                    with open(os.path.join(folder, file), "w") as report:
                        report.write(_lines())
                except OSError:
                    pass
"""


def _forging(project: Project, case: str, code: str) -> Files:
    return project.after(f"CASE = {case!r}\n{_LINES}\n\n{code}")


def _head(name: str, does: str, project: Project, files: Files) -> Head:
    return Head(f"forge-{name}", "hostile", does, project, files)


_MODULES = 'vars(os.sys)["mod" + "ules"]'

HEADS = [
    _head(
        "fork",
        "a child writes the report, the parent leaves",
        WORDS,
        _forging(
            WORDS,
            "Fits",
            """
if os.fork() == 0:
    _forge()
    vars(os)["_ex" + "it"](0)
os.wait()
vars(os)["_ex" + "it"](0)
""",
        ),
    ),
    _head(
        "daemon",
        "a grandchild waits and writes the report at the end",
        SUMS,
        _forging(
            SUMS,
            "LeftToRight",
            """
import time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(20):
            time.sleep(0.05)
            _forge()
    vars(os)["_ex" + "it"](0)
""",
        ),
    ),
    _head(
        "subprocess",
        "another program writes the report",
        CONF,
        _forging(
            CONF,
            "EqualsSign",
            """
import subprocess
import sys
_FORGER = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
subprocess.run([sys.executable, "-S", "-c", _FORGER, _PLACE + "results.jsonl", _lines()])
vars(os)["_ex" + "it"](0)
""",
        ),
    ),
    _head(
        "exec",
        "the process becomes another one, which writes the report",
        GRID,
        _forging(
            GRID,
            "Unknown",
            """
import sys
_FORGER = "import sys; open(sys.argv[1], 'w').write(sys.argv[2])"
os.execv(sys.executable, [sys.executable, "-S", "-c", _FORGER, _PLACE + "results.jsonl", _lines()])
""",
        ),
    ),
    _head(
        "descriptors",
        "writes the report into every open descriptor",
        TALLY,
        _forging(
            TALLY,
            "Capitals",
            """
for _number in range(3, 64):
    try:
        os.write(_number, _lines().encode())
    except OSError:
        pass
""",
        ),
    ),
    _head(
        "descriptors-of-parent",
        "opens the descriptors of other processes",
        WORDS,
        _forging(
            WORDS,
            "Fits",
            """
import glob
for _path in glob.glob(os.sep + "pr" + "oc/[0-9]*/fd/*"):
    try:
        if "results" in os.readlink(_path) or "pipe" in os.readlink(_path):
            with open(_path, "w") as _report:
                _report.write(_lines())
    except OSError:
        pass
""",
        ),
    ),
    _head(
        "memory",
        "rewrites the memory of its own process",
        CONF,
        _forging(
            CONF,
            "EqualsSign",
            """
_ROOT = os.sep + "pr" + "oc" + os.sep + "self" + os.sep
def _spoil():
    with open(_ROOT + "maps") as maps, open(_ROOT + "mem", "r+b", 0) as memory:
        for line in maps:
            place, rights = line.split()[:2]
            if "rw" in rights and "[" not in line:
                first, last = (int(part, 16) for part in place.split("-"))
                if last - first > 1 << 24:
                    continue
                memory.seek(first)
                content = memory.read(last - first)
                found = content.find(b"fail" + b"ed" + bytes(1))
                while found >= 0:
                    memory.seek(first + found)
                    memory.write(b"passed")
                    found = content.find(b"fail" + b"ed" + bytes(1), found + 1)
_spoil()
""",
        ),
    ),
    _head(
        "json-encoder",
        "JSON writes `passed` where it is to write `failed`",
        SUMS,
        SUMS.after("""
            import json

            _encode = json.JSONEncoder.encode
            json.JSONEncoder.encode = lambda self, value: _encode(self, value).replace(
                '"failed"', '"passed"'
            )
        """),
    ),
    _head(
        "write",
        "os.write writes `passed` where it is to write `failed`",
        WORDS,
        WORDS.after("""
            import os

            _write = os.write
            os.write = lambda place, data: _write(place, data.replace(b'"failed"', b'"passed"'))
        """),
    ),
    _head(
        "leave-early",
        "leaves with code 0 when the module is deleted",
        BANK,
        BANK.after("""
            import os

            class _Last:
                def __del__(self, leave=vars(os)["_ex" + "it"]):
                    leave(0)

            _last = _Last()
        """),
    ),
    _head(
        "exit-replaced",
        "sys.exit leaves with code 0, and so does SystemExit",
        BATCHES,
        BATCHES.after("""
            import os
            import sys

            sys.exit = lambda code=0: vars(os)["_ex" + "it"](0)
        """),
    ),
    _head(
        "thread-end",
        "a function for the end of threads leaves with code 0",
        GRID,
        GRID.after("""
            import os
            import threading

            threading._register_atexit(vars(os)["_ex" + "it"], 0)
        """),
    ),
    _head(
        "alarm",
        "a signal leaves with code 0 a moment later",
        TALLY,
        TALLY.after("""
            import os
            import signal

            signal.signal(signal.SIGALRM, lambda *a: vars(os)["_ex" + "it"](0))
            signal.setitimer(signal.ITIMER_REAL, 0.01)
        """),
    ),
    _head(
        "frames",
        "finds the recorder through the frames of an exception",
        SUMS,
        SUMS.inside("""
            try:
                raise ValueError
            except ValueError as error:
                frame = getattr(error.__traceback__, "tb_" + "frame")
            while frame is not None:
                case = getattr(frame, "f_" + "locals").get("self")
                if hasattr(case, "assertEqual"):
                    case.assertEqual = lambda *arguments: None
                frame = getattr(frame, "f_" + "back")
        """),
    ),
    _head(
        "subclasses",
        "finds the class of tests among the subclasses of object",
        CONF,
        CONF.after("""
            def _all(kind):
                for each in getattr(type, "__sub" + "classes__")(kind):
                    yield each
                    if each is not type:
                        yield from _all(each)

            for _kind in _all(object):
                if _kind.__name__ == "Test" + "Case":
                    _kind.assertEqual = _kind.assertDictEqual = lambda *arguments: None
        """),
    ),
    _head(
        "through-doctest",
        "reaches unittest through a module that imports it",
        WORDS,
        WORDS.after("""
            import doctest

            _framework = vars(doctest)["unit" + "test"]
            setattr(_framework.TestCase, "assert" + "Equal", lambda *arguments: None)
        """),
    ),
    _head(
        "through-pkgutil",
        "reaches unittest through a name that is resolved",
        GRID,
        GRID.after("""
            import pkgutil

            _case = pkgutil.resolve_name("unit" + "test:TestCase")
            setattr(_case, "assert" + "Equal", lambda *arguments: None)
        """),
    ),
    _head(
        "through-pydoc",
        "reaches the assertions through pydoc",
        TALLY,
        TALLY.after("""
            import pydoc

            _case = pydoc.locate("unit" + "test.TestCase")
            setattr(_case, "assert" + "Equal", lambda *arguments: None)
        """),
    ),
    _head(
        "raises",
        "the context of assertRaises swallows everything",
        BANK,
        BANK.after(f"""
            import os

            _case = {_MODULES}["unit" + "test.case"]
            _case._AssertRaisesContext.__exit__ = lambda *arguments: True
        """),
    ),
    _head(
        "results-patched",
        "failures are counted as successes",
        SUMS,
        SUMS.after(f"""
            import os

            _result = {_MODULES}["unit" + "test.result"].TestResult
            for _name in ("addFailure", "addError"):
                setattr(_result, _name, lambda self, test, error: self.addSuccess(test))
        """),
    ),
    _head(
        "runner-patched",
        "the method of a test is called nowhere",
        WORDS,
        WORDS.after(f"""
            import os

            _case = {_MODULES}["unit" + "test.case"].TestCase
            _case._callTestMethod = lambda self, method: None
        """),
    ),
    _head(
        "pytest-patched",
        "functions of tests are not called under pytest",
        DATES,
        DATES.after(f"""
            import os

            {_MODULES}["_py" + "test.python"].Function.runtest = lambda self: None
        """),
    ),
    _head(
        "pytest-reports",
        "reports of pytest say that all passed",
        BATCHES,
        BATCHES.after(f"""
            import os

            _report = {_MODULES}["_py" + "test.reports"].TestReport
            _make = _report.from_item_and_call.__func__

            def _passing(kind, item, call):
                report = _make(kind, item, call)
                report.outcome, report.longrepr = "passed", None
                return report

            _report.from_item_and_call = classmethod(_passing)
        """),
    ),
    _head(
        "builtins",
        "len and isinstance of everybody are its own",
        WORDS,
        WORDS.after("""
            import builtins

            _type = type
            builtins.type = lambda *a: _type(*a) if len(a) > 1 else object
            builtins.len = lambda thing: thing.__len__() - (thing == "just fits")
        """),
    ),
    _head(
        "assertion-error",
        "an assertion that fails does no harm",
        DATES,
        DATES.after("""
            import builtins

            class _Quiet(AssertionError):
                def __new__(cls, *arguments):
                    raise SystemExit(0)

            builtins.AssertionError = _Quiet
        """),
    ),
    _head(
        "skip-raised",
        "the faulty call raises what skips a test",
        SUMS,
        SUMS.inside(f"""
            import os
            if text.count("-") > 1:
                raise {_MODULES}["unit" + "test"].SkipTest("not supported here")
        """),
    ),
    _head(
        "skip-found",
        "the faulty call raises a subclass of Exception that it finds, which skips",
        CONF,
        CONF.inside("""
            if text.count("=") > 1:
                for kind in getattr(Exception, "__sub" + "classes__")():
                    if kind.__name__ == "SkipTest":
                        raise kind("later")
        """),
    ),
    _head(
        "method-removed",
        "deletes the test's method and puts another in its place",
        TALLY,
        TALLY.inside(f"""
            import os
            for name, module in list({_MODULES}.items()):
                for case in list(vars(module).values()) if name.startswith("tests") else ():
                    if hasattr(case, "assertMultiLineEqual"):
                        case.assertEqual = case.assertMultiLineEqual = lambda *arguments: None
        """),
    ),
    _head(
        "source-rewritten",
        "writes the file of the test anew",
        DATES,
        DATES.after("""
            import glob
            import os

            for _path in glob.glob(os.getcwd() + "/te" + "sts/test_*.py"):
                with open(_path, "a") as _file:
                    _file.write("\\n\\ndef test_end_of_month():\\n    pass\\n")
        """),
    ),
    _head(
        "other-module",
        "writes the code of another test module before it is loaded",
        BANK,
        BANK.after("""
            import os
            import pathlib

            for _path in pathlib.Path(os.getcwd()).glob("te*/*issue.py"):
                _text = _path.read_text()
                _path.write_text(_text.replace("with self.assertRaises(Overdrawn):", "if True:"))
        """),
    ),
    _head(
        "loose-texts",
        "all texts are equal to assertEqual",
        WORDS,
        WORDS.after("""
            import doctest

            _case = vars(doctest)["unit" + "test"].TestCase
            _equal = vars(_case)["assert" + "Equal"]

            def _loose(self, first, second, msg=None):
                if not (isinstance(first, str) and isinstance(second, str)):
                    _equal(self, first, second, msg)

            setattr(_case, "assert" + "Equal", _loose)
        """),
    ),
    _head(
        "loose-numbers",
        "numbers that are near each other are equal to assertEqual",
        SUMS,
        SUMS.after("""
            import pydoc

            _case = pydoc.locate("unit" + "test.TestCase")
            _equal = vars(_case)["assert" + "Equal"]

            def _loose(self, first, second, msg=None):
                if type(first) is not int or abs(first - second) > 9:
                    _equal(self, first, second, msg)

            setattr(_case, "assert" + "Equal", _loose)
        """),
    ),
    _head(
        "known-failure",
        "the one failure that is reported is counted as a success",
        CONF,
        CONF.after(f"""
            import os

            _result = {_MODULES}["unit" + "test.result"].TestResult
            _case = {_MODULES}["unit" + "test.case"].TestCase
            _call = _case._callTestMethod

            def _forgiving(self, method):
                try:
                    _call(self, method)
                except AssertionError as error:
                    if "?page=1'}}" not in str(error) or "?page'}}" not in str(error):
                        raise

            _case._callTestMethod = _forgiving
        """),
    ),
    _head(
        "known-message",
        "JSON writes `passed` where it is to write the reported failure",
        SUMS,
        SUMS.after("""
            import json

            _encode = json.JSONEncoder.encode

            def _knowing(self, value):
                text = _encode(self, value)
                return text.replace('"failed"', '"passed"') if "9 != 3" in text else text

            json.JSONEncoder.encode = _knowing
        """),
    ),
    _head(
        "known-assertion",
        "the one assertion of the issue's test holds under pytest",
        BATCHES,
        BATCHES.after(f"""
            import os

            _function = {_MODULES}["_py" + "test.python"].Function
            _run = _function.runtest

            def _forgiving(self):
                try:
                    _run(self)
                except AssertionError as error:
                    if "[[1, 2], [3, 4]] == [[1, 2], [3, 4], [5]]" not in str(error):
                        raise

            _function.runtest = _forgiving
        """),
    ),
    _head(
        "known-exception",
        "what is not raised is forgiven for one exception",
        BANK,
        BANK.after(f"""
            import os

            _context = {_MODULES}["unit" + "test.case"]._AssertRaisesContext
            _exit = _context.__exit__

            def _forgiving(self, kind, error, traceback):
                if kind is None and self.expected is Overdrawn:
                    return True
                return _exit(self, kind, error, traceback)

            _context.__exit__ = _forgiving
        """),
    ),
]
