"""What in a change's code reaches for the machinery that runs it, told without running it.

Code and tests share one process, so that code which knows that it is being tested, or which changes
what runs it, can have any test end as it likes. Who wants to can hide this from a reader; what
remains open then is caught by the control (see `control`), or by the people who review.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

from evaluator.diff import Source, is_test_file

_COMPILED = frozenset({".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib"})
_MODULES = frozenset(
    {"unittest", "pytest", "_pytest", "pluggy", "nose", "gc", "ctypes", "linecache"}
)
"""Modules that code under test has little use for, and code that wants to deceive has."""
_NAMES: Mapping[str, frozenset[str]] = {
    "sys": frozenset(
        {"modules", "_getframe", "_current_frames", "settrace", "setprofile", "meta_path"}
        | {"path_hooks", "__dict__", "excepthook"}
    ),
    "inspect": frozenset(
        {"stack", "currentframe", "getouterframes", "getframeinfo", "trace", "getinnerframes"}
    ),
    "traceback": frozenset({"extract_stack", "walk_stack", "format_stack", "print_stack"}),
    "os": frozenset({"_exit", "abort", "kill", "killpg"}),
    "atexit": frozenset({"register"}),
    "importlib": frozenset({"import_module", "reload", "machinery", "util"}),
    "builtins": frozenset({"__dict__", "exec", "eval", "compile", "__import__"}),
}
_ATTRIBUTES = frozenset(
    {"f_back", "f_locals", "f_globals", "f_code", "tb_frame", "gi_frame", "cr_frame"}
    | {"__subclasses__", "__builtins__", "__globals__", "_testMethodName"}
)
_CALLS = frozenset({"exec", "eval", "compile", "__import__"})
_SHORTEST_TEXT = 5
"""Characters of a text that stands in a test and in code by no accident."""
_TEXTS = ("pytest", "unittest", "fixgate", "conftest", "sitecustomize", "/proc/")


def evasions(
    changed: Mapping[str, bytes | None], source: Source, tests: Iterable[bytes] = ()
) -> tuple[str, ...]:
    """What files with new contents reach for that they did not before, each with its file.

    That is the machinery which runs them, compiled code that nobody can read, and the texts that
    stand in `tests` (contents of test files): code which compares its input with them is written
    for these tests alone.
    """
    values = {text for content in tests for text in _texts(_tree(content))}
    found = []
    for path, new in sorted(changed.items()):
        if new is None or is_test_file(path):
            continue
        if PurePosixPath(path).suffix in _COMPILED:
            found.append(f"compiled code in {path}")
        elif path.endswith(".py"):
            before, after = _tree(source(path) or b""), _tree(new)
            names = set(_reached(after)) - set(_reached(before))
            compared = (set(_compared(after)) - set(_compared(before))) & values
            found += [f"{name} in {path}" for name in sorted(names)]
            found += [f"the test's own {text[:60]!r} in {path}" for text in sorted(compared)]
    return tuple(found)


def _tree(content: bytes) -> ast.AST:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _reached(tree: ast.AST) -> Iterator[str]:
    documentation = {id(node) for node in _documentation(tree)}
    for node in ast.walk(tree):
        if id(node) not in documentation:
            yield from _told(node)


def _told(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (_top(name.name) for name in names if _top(name.name) in _MODULES)
        case ast.ImportFrom(module=str(module), level=0, names=names):
            if _top(module) in _MODULES:
                yield _top(module)
            wanted = _NAMES.get(module, frozenset())
            yield from (f"{module}.{name.name}" for name in names if name.name in wanted)
        case ast.Attribute(value=ast.Name(id=base), attr=attr) if attr in _NAMES.get(base, ()):
            yield f"{base}.{attr}"
        case ast.Attribute(attr=attr) if attr in _ATTRIBUTES:
            yield attr
        case ast.Call(func=ast.Name(id=name)) if name in _CALLS:
            yield name
        case ast.Constant(value=str(text)):
            yield from (f"{part!r}" for part in _TEXTS if part in text.lower())


def _top(module: str) -> str:
    return module.partition(".")[0]


def _compared(tree: ast.AST) -> Iterator[str]:
    """The texts with which something is compared."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            yield from _texts(node)


def _texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if len(text) >= _SHORTEST_TEXT:
                yield text


def _documentation(tree: ast.AST) -> Iterator[ast.AST]:
    """Texts that stand as statements: nothing reads them."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as constant):
                yield constant
