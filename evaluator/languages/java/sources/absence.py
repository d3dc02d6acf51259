"""Tests that fail without a change only because something that it adds does not exist yet.

Such a test shows that the thing is there now, not that it does right: a type, a member, a file, a
text of the sources. That it does not compile without the change is seen by the phase in which it
fails; what is found here are tests that look for names while they run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.java.sources.declarations import declarations, fields_named, methods_named
from evaluator.languages.java.sources.imports import named_files
from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import found, parsed, text
from evaluator.languages.sources import Changed, MissingIn
from evaluator.model import Transition
from evaluator.test_names import function_of

_MISSING = re.compile(r"NoSuch(?:Method|Field)|NoClassDefFound|ClassNotFound|AbstractMethod")
_LOOKING = frozenset(
    {"getMethod", "getDeclaredMethod", "getField", "getDeclaredField", "forName", "loadClass"}
    | {"getMethods", "getDeclaredMethods", "getFields", "getDeclaredFields", "getConstructor"}
    | {"getDeclaredConstructor", "getDeclaredConstructors", "isAnnotationPresent", "getAnnotation"}
    | {"findVirtual", "findStatic", "getRecordComponents", "getEnumConstants", "getInterfaces"}
)
_LISTING = frozenset(name for name in _LOOKING if name.endswith("s"))
_READING = frozenset(
    {"readAllBytes", "readString", "readAllLines", "lines", "FileReader", "FileInputStream"}
    | {"newBufferedReader", "exists", "Scanner"}
)
_MOST_FILES = 40
_SOURCES = re.compile(r"src/main/|\.java$")


def absences(changed: Changed, source: Source) -> MissingIn:
    """Finds what tests lack without a change; `source` reads the base."""
    added = _added(changed, source)
    files = {PurePosixPath(p).name for p, new in changed.items() if new and source(p) is None}
    return lambda transition, tests: _missing(transition, tests, added, files)


def _added(changed: Changed, source: Source) -> frozenset[str]:
    """The names that a change declares in its code, and that the files did not before."""
    code = {path: new for path, new in changed.items() if not is_test_file(path)}
    before = {name for path in code for name in _declared(source(path))}
    return frozenset(name for new in code.values() for name in _declared(new)) - before


def _declared(content: bytes | None) -> Iterator[str]:
    root = parsed(content or b"")
    for each in declarations(root) if root is not None else ():
        yield from {each.name} - {""}
        if "field" in each.node.type or "constant" in each.node.type:
            yield from (name for name, _ in fields_named(each.node))


def _missing(transition: Transition, source: Source, added: frozenset[str], files: set[str]) -> str:
    failure = transition.before.failure
    if failure is None:
        return ""
    words = set(re.findall(r"\w+", failure.message))
    if _MISSING.search(failure.exception_type) and (named := sorted(added & words)):
        return f"the name {named[0]!r}"
    mentioned = files.intersection(re.findall(r"[^\s/'\"\\]+", failure.message))
    if "NotFound" in failure.exception_type or "NoSuchFile" in failure.exception_type:
        return f"the file {min(mentioned)}" if mentioned else ""
    nodes = _test(transition, source) if failure.frame else _reached(transition.file, source)
    return next(filter(None, (_looked_for(node, added) for node in nodes)), "")


def _test(transition: Transition, source: Source) -> list[Node]:
    root = parsed(source(transition.file) or b"")
    tests = methods_named(root, function_of(transition.test)) if root is not None else []
    return [test.node for test in tests]


def _reached(file: str, source: Source) -> Iterator[Node]:
    """A test file, and those of tests whose types are named there and so on.

    A run that was cut leaves no frame, so that what the test looked for may stand in any of them.
    """
    pending, seen, left = [file], {file}, _MOST_FILES
    while pending and left:
        path = pending.pop(0)
        content = source(path)
        root = None if content is None else parsed(content)
        if content is None or root is None:
            continue
        left -= 1
        yield root
        more = {place for place in named_files(path, content) if is_test_file(place)} - seen
        seen |= more
        pending += sorted(more)


def _looked_for(test: Node, added: frozenset[str]) -> str:
    """What a test looks for that is no behaviour: a name, or a text of the sources."""
    called = {text(name) for name in found(test, "identifier", "type_identifier")}
    said = list(texts_in(test))
    if called & _LOOKING:
        words = {word for each in said for word in re.findall(r"\w+", each)}
        if named := sorted(added & words):
            return f"the name {named[0]!r}"
    if added and called & _LISTING:
        return "a name"
    if called & _READING and any(_SOURCES.search(each) for each in said):
        return "a text of the sources"
    return ""
