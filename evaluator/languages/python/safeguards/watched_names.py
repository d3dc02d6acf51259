"""The names by which Python code gets at what runs it, also where they are put together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

_MODULES = frozenset(
    {"unittest", "pytest", "_pytest", "pluggy", "nose", "mock", "hypothesis", "coverage", "gc"}
    | {"ctypes", "cffi", "linecache", "runpy", "marshal", "codeop", "faulthandler", "bdb", "dill"}
    | {"cloudpickle", "imp", "sitecustomize", "usercustomize", "encodings"}
)
"""Modules that code under test has little use for, and code that wants to deceive has."""
_NAMES: Mapping[str, frozenset[str]] = {
    "sys": frozenset(
        {"modules", "_getframe", "_current_frames", "settrace", "setprofile", "meta_path"}
        | {"path_hooks", "path_importer_cache", "__dict__", "excepthook", "unraisablehook"}
        | {"addaudithook", "monitoring"}
    ),
    "inspect": frozenset(
        {"stack", "currentframe", "getouterframes", "getframeinfo", "trace", "getinnerframes"}
    ),
    "traceback": frozenset({"extract_stack", "walk_stack", "format_stack", "print_stack"}),
    "os": frozenset({"_exit", "abort", "kill", "killpg", "fork", "dup2", "__dict__"}),
    "atexit": frozenset({"register"}),
    "importlib": frozenset({"import_module", "reload", "machinery", "util"}),
    "builtins": frozenset({"__dict__", "exec", "eval", "compile", "__import__"}),
    "codecs": frozenset({"register", "register_error"}),
    "pickle": frozenset({"loads", "load", "Unpickler"}),
    "signal": frozenset({"signal", "alarm", "setitimer"}),
    "threading": frozenset({"settrace", "setprofile", "_shutdown"}),
    "types": frozenset({"CodeType", "FunctionType"}),
}
_ATTRIBUTES = frozenset(
    {"f_back", "f_locals", "f_globals", "f_code", "tb_frame", "gi_frame", "cr_frame"}
    | {"__subclasses__", "__builtins__", "__globals__", "_testMethodName", "findCaller"}
)
_STORED = frozenset({"__code__", "__globals__", "__closure__"})
_LOOKING = frozenset({"vars", "getattr", "setattr"})
_CALLS = frozenset({"exec", "eval", "compile", "__import__"})
TEXTS = (
    "testbed",
    "pytest",
    "unittest",
    "fixgate",
    "conftest",
    "sitecustomize",
    "/proc/",
    "github_actions",
)
_LONGEST_NAME = 3
"""Words of a text that can be a name, a path, or a command; longer ones are for people."""
_VARIABLES = frozenset(
    {
        "USER",
        "LOGNAME",
        "PYTHONHASHSEED",
        "PYTHONPATH",
        "CI",
        "TRAVIS",
        "TOX_ENV_NAME",
        "TOX_ENV_DIR",
    }
)
_TEST_PATH = re.compile(r"(?!.*(://|\s))(?:.*/)?(?:tests?/.*|test_\w+\.py|\w+_test\.py)")
_TEST_DIRECTORIES = frozenset({"test", "tests"})
_LISTING = frozenset({"listdir", "scandir", "iterdir", "glob", "rglob", "iglob", "walk"})
NATIVE_WORDS = (b"unittest", b"pytest", b"PyRun_", b"PyEval_Eval", b"PyFrame_", b"dlopen", b"_exit")
"""What C, Cython and Rust have no use for, either."""


def reaches(tree: ast.AST, imports: ast.AST) -> Iterator[str]:
    """What statements of a module reach for, given its imports; documentation is not read."""
    documentation = {id(node) for node in _documentation(tree)}
    names = dict(_imported(imports)) | dict(_imported(tree))
    for node in ast.walk(tree):
        if id(node) not in documentation:
            yield from _by_node(node, names)
    if _keeps_warnings(tree):
        yield "where a warning comes from"


def _documentation(tree: ast.AST) -> Iterator[ast.AST]:
    """Texts that stand as statements: nothing reads them."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as constant):
                yield constant


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names under which watched modules are imported, and what they are."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((n.asname or n.name, n.name) for n in node.names if n.name in _NAMES)


def _by_node(node: ast.AST, names: Mapping[str, str]) -> Iterator[str]:
    """What a node reaches for; `names` are those of watched modules."""
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from _by_import(node)
        case ast.Attribute():
            yield from _by_attribute(node, names)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            yield from _by_call(name, arguments, names)
        case ast.Constant(value=str(text)):
            yield from _by_text(text)
        case ast.Compare(left=left, comparators=others):
            yield from _by_comparison([left, *others])
        case ast.FunctionDef(name=name) if name.startswith("pytest_"):
            yield f"the hook {name}"
        case ast.Assign(targets=[ast.Name(id="pytest_plugins")]):
            yield "pytest_plugins"


def _keeps_warnings(tree: ast.AST) -> bool:
    """Whether code records warnings, and looks at the file that each is about: its caller's."""
    parts = list(ast.walk(tree))
    recorded = any(isinstance(part, ast.keyword) and part.arg == "record" for part in parts)
    return recorded and any(isinstance(p, ast.Attribute) and p.attr == "filename" for p in parts)


def _by_comparison(sides: Sequence[ast.expr]) -> Iterator[str]:
    """Names of files that are compared with that of a directory of tests."""
    named = [s.value for s in sides if isinstance(s, ast.Constant)]
    listed = any(
        isinstance(part, ast.Attribute) and part.attr in _LISTING | {"name"}
        for side in sides
        for part in ast.walk(side)
    )
    if listed:
        yield from (f"a directory {name!r}" for name in named if name in _TEST_DIRECTORIES)


def _by_text(text: str) -> Iterator[str]:
    if len(text.split()) <= _LONGEST_NAME:
        yield from (repr(part) for part in TEXTS if part in text.lower())
    if text in _VARIABLES or _TEST_PATH.fullmatch(text):
        yield repr(text)


def _by_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (_top(module.name) for module in node.names if _top(module.name) in _MODULES)
    elif node.module and not node.level:
        if _top(node.module) in _MODULES:
            yield _top(node.module)
        wanted = _NAMES.get(node.module, frozenset())
        yield from (f"{node.module}.{part.name}" for part in node.names if part.name in wanted)


def _by_attribute(node: ast.Attribute, names: Mapping[str, str]) -> Iterator[str]:
    module = _module(node.value, names)
    if node.attr in _NAMES.get(module, ()):
        yield f"{module}.{node.attr}"
    elif node.attr in _ATTRIBUTES:
        yield node.attr
    elif node.attr in _STORED and not isinstance(node.ctx, ast.Load):
        yield f"assigns {node.attr}"


def _module(node: ast.expr, names: Mapping[str, str]) -> str:
    """The watched module that an expression is: `sys`, but `os.sys`, too; "" for anything else."""
    match node:
        case ast.Name(id=name):
            return names.get(name, "")
        case ast.Attribute(attr=name) if name in _THROUGH_OTHERS:
            return name
    return ""


def _by_call(name: str, arguments: Sequence[ast.expr], names: Mapping[str, str]) -> Iterator[str]:
    """Calls that run text, and those that look for a name that does not stand there."""
    if name in _CALLS:
        yield name
    match arguments:
        case [base, *rest] if name in _LOOKING and (module := _module(base, names)) in _NAMES:
            if not any(isinstance(part, ast.Constant | ast.Name) for part in rest[:1]):
                yield f"{name}({module})"


def _top(module: str) -> str:
    return module.partition(".")[0]


_THROUGH_OTHERS = frozenset({"sys", "os", "builtins", "inspect", "importlib"})
"""Modules that others hold as attributes."""


_WORDS: tuple[str, ...] = (*TEXTS, "modules", "_getframe", "testcase", "assert", "_exit")
_WORDS += (
    "__dict__",
    "builtins",
    "__import__",
    "f_back",
    "f_globals",
    "settrace",
    "__class__",
    "__eq__",
    "testbed",
)
_LETTERS = range(32, 127)


def composed_texts(tree: ast.AST) -> Iterator[str]:
    """Watched names that stand in a module in pieces only, one after the other."""
    parts: set[int] = set()
    for node in ast.walk(tree):
        if id(node) in parts:
            continue
        parts |= {id(part) for part in _parts_of_sum(node)}
        text = _composed(node).lower()
        if text:
            pieces = [piece.lower() for piece in _pieces(node)]
            yield from (
                f"the hidden name {word!r}"
                for word in _WORDS
                if word in text and not any(word in piece for piece in pieces)
            )


def _parts_of_sum(node: ast.AST) -> Iterator[ast.BinOp]:
    """The sums that a sum is made of: each is read with the whole."""
    pending = [node]
    while pending:
        match pending.pop():
            case ast.BinOp(left=left, right=right):
                sums = [side for side in (left, right) if isinstance(side, ast.BinOp)]
                yield from sums
                pending += sums


def _composed(node: ast.AST) -> str:
    """The text that an expression in pieces comes to, "" for any other."""
    match node:
        case ast.BinOp(op=ast.Add()) | ast.JoinedStr() | ast.Subscript():
            return text_of(node)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="join")):
            return text_of(node)
        case ast.Tuple(elts=items) | ast.List(elts=items) if len(items) > 3:
            letters = [_letter(item) for item in items]
            return "".join(letters) if all(letters) else ""
    return ""


def _pieces(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        match inner:
            case ast.Constant(value=str(text)):
                yield text


def _letter(node: ast.AST) -> str:
    """The character that a number stands for, "" for what is none."""
    match node:
        case ast.Constant(value=int(code)) if code in _LETTERS:
            return chr(code)
    return ""


def text_of(node: ast.AST) -> str:
    """What an expression of texts comes to, "" for any other."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left) + text_of(right)
        case ast.JoinedStr(values=parts):
            return "".join(map(text_of, parts))
        case ast.FormattedValue(value=value):
            return text_of(value)
        case ast.Subscript(value=value, slice=ast.Slice(step=ast.UnaryOp(op=ast.USub()))):
            return text_of(value)[::-1]
        case ast.Call(func=function, args=[argument]):
            return _text_of_call(function, argument)
    return ""


def _text_of_call(function: ast.expr, argument: ast.expr) -> str:
    match function, argument:
        case ast.Name(id="chr"), code:
            return _letter(code)
        case ast.Name(id="bytes"), ast.List(elts=codes):
            return "".join(map(_letter, codes))
        case ast.Attribute(value=ast.Constant(value=str(mark))), _:
            return mark.join(map(text_of, _parts(argument)))
    return ""


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    return (part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr_context))
