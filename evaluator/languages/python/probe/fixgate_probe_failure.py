"""Say in a few bounded fields why something failed."""

import os
import re

LONGEST_MESSAGE = 4000
LONGEST_NAME = 4000
LONGEST_TRACE = 100000
TEST_DIRECTORIES = {"test", "tests", "testing"}
TEST_FILES = {"conftest.py", "test.py", "tests.py", "testing.py"}
AS_TEXT = "testtools.testresult.real._StringException"
TRACEBACK = "Traceback (most recent call last):\n"
FRAME = re.compile(r'  File "([^"\n]+)", line (\d+), in (.+)')
LAST_LINES = re.compile(r"(?!\s)([\w.]+)(?:: (.*))?", re.DOTALL)


def describe(exception, tree, test_files):
    """Type, message and deepest project frame of an exception as from `sys.exc_info()`."""
    kind, value, trace = exception
    if type_name(kind) == AS_TEXT:
        told = from_text(whole_text(value), tree, set(test_files))
        if told is not None:
            return told
    return {
        "type": type_name(kind),
        "message": stopped_by(value) or text_of(value),
        "frame": project_frame(frames_of(trace), tree, set(test_files)),
    }


def stopped_by(value):
    """The code of a `sys.exit` and the exception that it was the answer to, "" without one."""
    answered = getattr(value, "__context__", None)
    if not isinstance(value, SystemExit) or answered is None:
        return ""
    told = "%s, because of %s: %s"
    return (told % (text_of(value), type_name(type(answered)), text_of(answered)))[:LONGEST_MESSAGE]


def from_text(text, tree, test_files):
    """The same of the last traceback in a text, None where there is none.

    testtools hands on nothing else of what was raised; its own exception would be the reason of each
    failure, be it an assertion or a name that is missing.
    """
    _, found, last = text.rpartition(TRACEBACK)
    frames = FRAME.findall(last)
    lines = last.splitlines()
    ends = [number for number, line in enumerate(lines) if line[:1].strip()]
    raised = LAST_LINES.match("\n".join(lines[ends[0] :])) if found and ends else None
    if raised is None:
        return None
    kind, message = raised.groups()
    triples = [(file, int(line), function) for file, line, function in frames]
    told = plain(kind[:LONGEST_NAME], (message or "").strip())
    return dict(told, frame=project_frame(triples, tree, test_files))


def plain(kind, message):
    """The same fields where there is no exception object."""
    return {"type": kind, "message": message[:LONGEST_MESSAGE], "frame": None}


def type_name(kind):
    module = getattr(kind, "__module__", None)
    name = getattr(kind, "__qualname__", None) or str(kind)
    whole = name if module in (None, "builtins") else "%s.%s" % (module, name)
    return whole[:LONGEST_NAME]


def text_of(value):
    """`str(value)`, cut."""
    text = whole_text(value)
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "..."


def whole_text(value):
    """`str(value)`; exceptions of the target may well fail at that."""
    try:
        return str(value)
    except Exception:
        return "<an exception that cannot be printed>"


def frames_of(trace):
    """(file, line, function) of each frame of a traceback, the outermost first."""
    for _ in range(LONGEST_TRACE):
        if trace is None:
            break
        code = trace.tb_frame.f_code
        yield code.co_filename, trace.tb_lineno or 0, code.co_name
        trace = trace.tb_next


def project_frame(frames, tree, test_files):
    """[path, line, function] of the deepest frame in the project, outside its tests if any is."""
    in_code = in_tests = None
    for file, line, function in frames:
        path = relative(file, tree)
        if path:
            place = [path[:LONGEST_NAME], line, function[:LONGEST_NAME]]
            if path in test_files or is_test(path):
                in_tests = place
            else:
                in_code = place
    return in_code or in_tests


def relative(path, tree):
    """A path relative to the tree with forward slashes; "" where it lies outside."""
    if path.startswith("<"):
        return ""
    whole = path if os.path.isabs(path) else os.path.join(tree, path)
    # Compiled packages have the names of their sources, as they were where those were compiled.
    if whole != path and not os.path.exists(whole):
        return ""
    for candidate in (os.path.normpath(whole), os.path.realpath(whole)):
        if candidate.startswith(tree + os.sep) and "site-packages" not in candidate:
            return candidate[len(tree) + 1 :].replace(os.sep, "/")
    return ""


def is_test(path):
    parts = path.split("/")
    name = parts[-1]
    return (
        name in TEST_FILES
        or name.startswith("test_")
        or name.endswith("_test.py")
        or not TEST_DIRECTORIES.isdisjoint(parts[:-1])
    )
