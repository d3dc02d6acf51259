"""Say in a few bounded fields why something failed."""

import os

LONGEST_MESSAGE = 4000
LONGEST_NAME = 4000
LONGEST_TRACE = 100000
TEST_DIRECTORIES = {"test", "tests", "testing"}
TEST_FILES = {"conftest.py", "test.py", "tests.py", "testing.py"}


def describe(exception, tree, test_files):
    """Type, message and deepest project frame of an exception as from `sys.exc_info()`."""
    kind, value, trace = exception
    return {
        "type": type_name(kind),
        "message": text_of(value),
        "frame": project_frame(trace, tree, set(test_files)),
    }


def plain(kind, message):
    """The same fields where there is no exception object."""
    return {"type": kind, "message": message[:LONGEST_MESSAGE], "frame": None}


def type_name(kind):
    module = getattr(kind, "__module__", None)
    name = getattr(kind, "__qualname__", None) or str(kind)
    whole = name if module in (None, "builtins") else "%s.%s" % (module, name)
    return whole[:LONGEST_NAME]


def text_of(value):
    """`str(value)`, cut; exceptions of the target may well fail at that."""
    try:
        text = str(value)
        return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "..."
    except Exception:
        return "<an exception that cannot be printed>"


def project_frame(trace, tree, test_files):
    """[path, line, function] of the deepest frame in the project, outside its tests if any is."""
    in_code = in_tests = None
    for _ in range(LONGEST_TRACE):
        if trace is None:
            break
        code = trace.tb_frame.f_code
        path = relative(code.co_filename, tree)
        if path:
            place = [path[:LONGEST_NAME], trace.tb_lineno or 0, code.co_name[:LONGEST_NAME]]
            if path in test_files or is_test(path):
                in_tests = place
            else:
                in_code = place
        trace = trace.tb_next
    return in_code or in_tests


def relative(path, tree):
    """A path relative to the tree with forward slashes; "" where it lies outside."""
    if path.startswith("<"):
        return ""
    whole = path if os.path.isabs(path) else os.path.join(tree, path)
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
