"""What in a change's code reaches for the machinery that runs it, told without running it.

Code and tests share one process, so that code which knows that it is being tested, or which changes
what runs it, can have any test end as it likes. Who wants to can hide this from a reader; what
remains open then is caught when tests are tried with other values (see `sensitivity`), or by the
people who review.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from evaluator.diff import Source, is_test_file
from evaluator.python_source import parsed

_COMPILED = frozenset({".pyc", ".pyo", ".so", ".pyd", ".dll", ".dylib"})
_MODULES = frozenset(
    {"unittest", "pytest", "_pytest", "pluggy", "nose", "gc", "ctypes", "linecache"}
    | {"runpy", "marshal", "codeop"}
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
_LOOKING = frozenset({"vars", "getattr", "setattr"})
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
    return parsed(content) or ast.Module(body=[], type_ignores=[])


def _reached(tree: ast.AST) -> Iterator[str]:
    documentation = {id(node) for node in _documentation(tree)}
    names = dict(_imported(tree))
    for node in ast.walk(tree):
        if id(node) not in documentation:
            yield from _told(node, names)


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names under which watched modules are imported, and what they are."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((n.asname or n.name, n.name) for n in node.names if n.name in _NAMES)


def _told(node: ast.AST, names: Mapping[str, str]) -> Iterator[str]:
    """What a node reaches for; `names` are those of watched modules."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from _told_by_import(node)
        case ast.Attribute(value=ast.Name(id=base), attr=attr) if attr in _watched(base, names):
            yield f"{names[base]}.{attr}"
        case ast.Attribute(attr=attr) if attr in _ATTRIBUTES:
            yield attr
        case ast.Call(func=ast.Name(id=name), args=arguments):
            yield from _told_by_call(name, arguments, names)
        case ast.Constant(value=str(text)):
            yield from (f"{part!r}" for part in _TEXTS if part in text.lower())


def _told_by_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (_top(module.name) for module in node.names if _top(module.name) in _MODULES)
    elif node.module and not node.level:
        if _top(node.module) in _MODULES:
            yield _top(node.module)
        wanted = _NAMES.get(node.module, frozenset())
        yield from (f"{node.module}.{part.name}" for part in node.names if part.name in wanted)


def _told_by_call(
    name: str, arguments: Sequence[ast.expr], names: Mapping[str, str]
) -> Iterator[str]:
    """Calls that run text, and those that look for a name that does not stand there."""
    if name in _CALLS:
        yield name
    match arguments:
        case [ast.Name(id=base), *rest] if name in _LOOKING and base in names:
            if not any(isinstance(part, ast.Constant) for part in rest[:1]):
                yield f"{name}({names[base]})"


def _watched(base: str, names: Mapping[str, str]) -> frozenset[str]:
    return _NAMES[names[base]] if base in names else frozenset()


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
