"""Tests that fail without a change only because something that it adds does not exist yet.

Such a test shows that the thing is there now, not that it does right: a name, a parameter, a file,
a version, a text of the sources. What the project's own code misses is a fault of that code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.python.parsing import parsed
from evaluator.languages.python.sources.additions import Additions, additions
from evaluator.languages.python.sources.context import assertion_context, whole_context
from evaluator.languages.python.sources.reached import reached
from evaluator.languages.python.sources.test_code import functions, literal_texts
from evaluator.languages.sources import MissingIn
from evaluator.model import Failure, Transition
from evaluator.test_names import function_of

_ATTRIBUTE = re.compile(r"attribute '(\w+)'")
_KEYWORD = re.compile(r"unexpected keyword argument '(\w+)'")
_COUNT = re.compile(r"(\w+)\(\) (?:takes|missing|got multiple values|got some positional)")
_IMPORTED = re.compile(r"cannot import name '(\w+)'|No module named '(?:[\w.]*\.)?(\w+)'")
_SOURCES = frozenset(
    {"getsource", "getsourcelines", "getsourcefile", "findsource", "getcomments", "__code__"}
    | {"dis", "Bytecode", "get_instructions", "disassemble"}
    | {"__annotations__", "__defaults__", "__kwdefaults__"}
)
_LOOKING = frozenset(
    {"hasattr", "getattr", "getattr_static", "dir", "vars", "signature", "getfullargspec"}
    | {"getmembers", "__all__", "__dict__", "__members__", "__slots__", "find_spec"}
    | {"import_module", "__import__"}
)
_LISTING = frozenset({"dir", "vars", "getmembers"})
_CAUGHT = re.compile(
    r"\b(ImportError|ModuleNotFoundError|NameError|AttributeError|TypeError|Exception)\b"
)
_READING = frozenset(
    {"open", "read_text", "read_bytes", "exists", "is_file", "isfile", "is_dir", "isdir", "stat"}
    | {"listdir", "glob", "rglob", "iterdir", "getsize", "walk", "getlines", "read"}
)
_DOCUMENTATION = frozenset({"__doc__", "getdoc"})
_VERSIONS = frozenset({"__version__", "version", "metadata", "distribution", "get_distribution"})
_OF_ITS_OWN = re.compile(r"te?mp|isolated|testdir|pytester|project|workdir|sandbox", re.IGNORECASE)
"""What a test writes itself lies under such names."""


def absences(changed: Mapping[str, bytes | None], source: Source) -> MissingIn:
    """Finds what tests lack without a change; `source` reads the base."""
    added = additions(changed, source)
    return lambda transition, tests: missing(transition, tests, source, added)


def missing(transition: Transition, source: Source, base: Source, added: Additions) -> str:
    """What a failing test lacks without the change, in words; "" where it fails by behaviour.

    `source` reads the test's file, `base` the code without the change.
    """
    failure = transition.before.failure
    if failure is None:
        return ""
    name = _missing_name(failure, added)
    said = f"{'a parameter of' if _is_of_a_call(failure) else 'the name'} {name!r}" if name else ""
    frame = failure.frame
    if frame is not None and not is_test_file(frame.path):
        asked = re.search(rf"\b{name}\b".encode(), base(frame.path) or b"") if name else None
        return said if asked is None else ""
    if said:
        return said
    return _missing_file(failure, added) or _looked_for(transition, failure, source, added)


def _missing_name(failure: Failure, added: Additions) -> str:
    """The name that an exception is about, if the change adds it."""
    match failure.exception_type.rpartition(".")[2]:
        case "AttributeError":
            pattern, known = _ATTRIBUTE, added.names
        case "ImportError" | "ModuleNotFoundError":
            pattern, known = _IMPORTED, added.names
        case "TypeError" if _is_of_a_call(failure):
            pattern, known = _COUNT, added.signatures
        case "TypeError":
            pattern, known = _KEYWORD, added.names
        case _:
            return ""
    found = pattern.search(failure.message)
    name = next(filter(None, found.groups()), "") if found else ""
    return name if name in known else ""


def _is_of_a_call(failure: Failure) -> bool:
    """Whether an exception is about how many parameters a function has."""
    of_type = failure.exception_type.rpartition(".")[2] == TypeError.__name__
    return of_type and not _KEYWORD.search(failure.message)


def _missing_file(failure: Failure, added: Additions) -> str:
    names = {PurePosixPath(path).name for path in added.files}
    mentioned = re.findall(r"[^\s/'\"\\]+", failure.message)
    found = sorted(names.intersection(mentioned)) if "NotFound" in failure.exception_type else []
    return f"the file {found[0]}" if found else ""


def _looked_for(transition: Transition, failure: Failure, source: Source, added: Additions) -> str:
    """What a test looks for that is no behaviour, by the assertion that failed.

    That may be anywhere in a test that ended without one: in a run that was cut.
    """
    frame, function = failure.frame, function_of(transition.test)
    files = [frame.path] if frame else [*reached([transition.file], source)]
    trees = [tree for path in files if (tree := parsed(source(path) or b"")) is not None]
    if not trees:
        return ""
    if frame is None:
        nodes = whole = whole_context(trees, function)
    else:
        nodes = assertion_context(trees[0], function, frame.line)
        whole = tuple(node for node in functions(trees[0]) if node.name == function)
    if name := _asked_for(trees[0], whole, nodes, added):
        return name
    words, found = set(_words(nodes)), set(literal_texts(nodes))
    if words & _SOURCES or (words & _READING and _reads_project(nodes, found, added)):
        return "a text of the sources"
    if added.versions & found or (added.versions and words & _VERSIONS):
        return "a version"
    if words & _DOCUMENTATION and any(t in new for t in found for new in added.documentation):
        return "documentation"
    return ""


def _asked_for(
    tree: ast.Module, whole: Sequence[ast.AST], nodes: Sequence[ast.AST], added: Additions
) -> str:
    """The name that a test asks for, or that it tries and catches the error of."""
    guards = [node for node in tree.body if isinstance(node, ast.Try)]
    names = set(_tried([*whole, *guards]))
    around = [*whole, *nodes]
    if _LOOKING.intersection(_words(around)):
        names.update(literal_texts(around))
    if found := sorted(names & added.names):
        return f"the name {found[0]!r}"
    imported = set(_imported(tree))
    return "a name" if added.names and any(_lists(n, imported) for n in nodes) else ""


def _tried(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """The names, attributes and keywords whose absence is caught."""
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, ast.Try) and any(map(_catches, part.handlers)):
            yield from _words(part.body)


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or bool(_CAUGHT.search(ast.unparse(handler.type)))


def _lists(node: ast.AST, imported: set[str]) -> bool:
    """Whether code lists the names of something that is imported."""
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(
        not imported.isdisjoint(_words(call.args))
        for call in calls
        if _LISTING.intersection(_words([call.func]))
    )


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((name.asname or name.name).partition(".")[0] for name in node.names)


def _reads_project(nodes: Sequence[ast.AST], words: set[str], added: Additions) -> bool:
    """Whether code reads the project's own files: by a module's path, or by a changed file's."""
    parts = [part for node in nodes for part in ast.walk(node)]
    if any(isinstance(part, ast.Attribute) and part.attr == "__file__" for part in parts):
        return True
    if any(_OF_ITS_OWN.search(word) for word in _words(nodes)):
        return False
    paths = [text for text in words if len(text) > 3 and "." in text]
    return any(_names(text, path) for text in paths for path in added.edited)


def _names(text: str, path: str) -> bool:
    """Whether a text names a file, or a group of files that it belongs to."""
    if text.startswith("*"):
        return fnmatch(PurePosixPath(path).name, text)
    return path == text or path.endswith(f"/{text}") or text.endswith(f"/{path}")


def _words(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            match part:
                case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word):
                    yield word
                case ast.keyword(arg=str(word)):
                    yield word
                case ast.alias(name=name):
                    yield from name.split(".")
