"""Tests that fail without a change only because something that it adds does not exist yet.

Such a test shows that the thing is there now, not that it does right: a type, a member, a file, an
annotation, a version, a text of the sources. That it does not compile without the change is seen by
the phase in which it fails; what is found here are tests that look for names while they run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.java.sources.declarations import declarations, fields_named, methods_named
from evaluator.languages.java.sources.imports import named_files
from evaluator.languages.java.sources.test_code import texts_in
from evaluator.languages.java.syntax import field, found, parsed, text
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
_OF_ANNOTATIONS = frozenset(
    {"isAnnotationPresent", "getAnnotation", "getAnnotations", "getAnnotationsByType"}
    | {"getDeclaredAnnotation", "getDeclaredAnnotations", "getDeclaredAnnotationsByType"}
)
_VERSION = re.compile(r"(?:\w+_)?VERSION|version")
_LISTING = frozenset(name for name in _LOOKING if name.endswith("s"))
_READING = frozenset(
    {"readAllBytes", "readString", "readAllLines", "lines", "FileReader", "FileInputStream"}
    | {"newBufferedReader", "exists", "Scanner"}
)
_MOST_FILES = 40
_SOURCES = re.compile(r"src/main/|\.java$")


@dataclass(frozen=True)
class _Added:
    """What a change has in its code that the files did not have before.

    `names` are those that it declares, `annotations` the names of those that it puts somewhere,
    `versions` the texts that versions are set to.
    """

    names: frozenset[str]
    annotations: frozenset[str]
    versions: frozenset[str]


def absences(changed: Changed, source: Source) -> MissingIn:
    """Finds what tests lack without a change; `source` reads the base."""
    added = _added(changed, source)
    files = {PurePosixPath(p).name for p, new in changed.items() if new and source(p) is None}
    return lambda transition, tests: _missing(transition, tests, added, files)


def _added(changed: Changed, source: Source) -> _Added:
    code = {path: new for path, new in changed.items() if not is_test_file(path)}
    before = [parsed(source(path) or b"") for path in code]
    after = [parsed(new or b"") for new in code.values()]
    more = [
        Counter(_each(reader, after)) - Counter(_each(reader, before))
        for reader in (_annotations, _versions)
    ]
    names = frozenset(_each(_declared, after)) - frozenset(_each(_declared, before))
    return _Added(names, *map(frozenset, more))


def _each(reader: Callable[[Node], Iterator[str]], roots: Iterable[Node | None]) -> Iterator[str]:
    return (what for root in roots if root is not None for what in reader(root))


def _declared(root: Node) -> Iterator[str]:
    for each in declarations(root):
        yield from {each.name} - {""}
        if "field" in each.node.type or "constant" in each.node.type:
            yield from (name for name, _ in fields_named(each.node))


def _annotations(root: Node) -> Iterator[str]:
    nodes = found(root, "marker_annotation", "annotation")
    return (text(field(node, "name")).rpartition(".")[2] for node in nodes)


def _versions(root: Node) -> Iterator[str]:
    for declaration in found(root, "field_declaration"):
        for name, declarator in fields_named(declaration):
            if _VERSION.fullmatch(name):
                yield from texts_in(declarator)


def _missing(transition: Transition, source: Source, added: _Added, files: set[str]) -> str:
    failure = transition.before.failure
    if failure is None:
        return ""
    words = set(re.findall(r"\w+", failure.message))
    if _MISSING.search(failure.exception_type) and (named := sorted(added.names & words)):
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


def _looked_for(test: Node, added: _Added) -> str:
    """What a test looks for that is no behaviour: a name, a version, a text of the sources."""
    called = {text(name) for name in found(test, "identifier", "type_identifier")}
    said = list(texts_in(test))
    if called & _LOOKING:
        words = {word for each in said for word in re.findall(r"\w+", each)}
        if named := sorted(added.names & words):
            return f"the name {named[0]!r}"
    if added.names and called & _LISTING:
        return "a name"
    if called & _OF_ANNOTATIONS and (put := sorted(added.annotations & called)):
        return f"the annotation {put[0]!r}"
    if added.versions.intersection(said):
        return "a version"
    if called & _READING and any(_SOURCES.search(each) for each in said):
        return "a text of the sources"
    return ""
