"""What a change does beside its results, which tests of these do not show."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Set

from evaluator.languages.python.parsing import (
    Function,
    last_name,
    named_functions,
    parsed_leniently,
)

_WRITING = frozenset(
    {"add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem"}
    | {"remove", "reverse", "setdefault", "sort", "update"}
)
"""Methods by which containers are changed."""
_CONTAINERS = frozenset(
    {"Counter", "OrderedDict", "WeakKeyDictionary", "WeakSet", "WeakValueDictionary"}
    | {"defaultdict", "deque", "dict", "list", "set"}
)
_ALL_ERRORS = frozenset({"Exception", "BaseException"})
_TELLING = frozenset({"exc_info", "exception", "format_exc", "print_exc"})
_OWN = frozenset({"self", "cls"})


def unseen_effects(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """What functions of a file do with its new content alone, and no result shows.

    They keep values for all later calls, change what callers hand in, or catch every error.
    """
    if not path.endswith(".py"):
        return
    before, after = parsed_leniently(old), parsed_leniently(new)
    if before is None or after is None:
        return
    kept, formerly_kept = _kept(after), _kept(before)
    if len(kept) > len(formerly_kept):
        yield from (f"{name} keeps values for later calls" for name in sorted(kept - formerly_kept))
    functions, former = dict(named_functions(after)), dict(named_functions(before))
    yield from _catching(functions, former)
    for name in sorted(functions.keys() & former.keys()):
        for each in sorted(_changed_arguments(functions[name]) - _changed_arguments(former[name])):
            yield f"{name} changes its argument {each}"


def _catching(functions: Mapping[str, Function], former: Mapping[str, Function]) -> Iterator[str]:
    """The functions that catch every error more often, where the file as a whole does so."""
    times = Counter({name: _catches(node) for name, node in functions.items()})
    formerly = Counter({name: _catches(node) for name, node in former.items()})
    if times.total() > formerly.total():
        yield from (f"{name} catches every error" for name in sorted(+(times - formerly)))


def _catches(function: Function) -> int:
    handlers = [node for node in ast.walk(function) if isinstance(node, ast.ExceptHandler)]
    return sum(_is_of_all(handler) and not _tells(handler) for handler in handlers)


def _is_of_all(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or last_name(kind) in _ALL_ERRORS for kind in kinds)


def _tells(handler: ast.ExceptHandler) -> bool:
    """Whether a handler raises the error again, uses it, or logs it with its traceback."""
    return any(
        (isinstance(node, ast.Raise) and node.exc is None)
        or (isinstance(node, ast.Name) and node.id == handler.name)
        or (isinstance(node, ast.Attribute) and node.attr in _TELLING)
        for node in ast.walk(handler)
    )


def _kept(tree: ast.Module) -> Set[str]:
    """What functions change that outlives their calls: containers of a module or class, globals.

    A decorator that caches is no such thing: it knows all arguments, and can be emptied.
    """
    bodies = [tree.body, *(n.body for n in ast.walk(tree) if isinstance(n, ast.ClassDef))]
    shared = {name for body in bodies for each in body for name in _new_containers(each)}
    functions = dict(named_functions(tree))
    written = {name for node in functions.values() for name in _written(node)}
    return (shared & written) | {name for node in functions.values() for name in _globals(node)}


def _new_containers(node: ast.stmt) -> Iterator[str]:
    """The names that a statement sets to an empty container."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    if isinstance(node, ast.Assign | ast.AnnAssign) and _is_empty_container(node.value):
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_empty_container(value: ast.expr | None) -> bool:
    match value:
        case ast.Dict(keys=inside) | ast.List(elts=inside) | ast.Set(elts=inside):
            return not inside
        case ast.Call(func=function):
            return last_name(function) in _CONTAINERS
    return False


def _written(function: Function) -> Iterator[str]:
    """The names of what is changed in place in a function, be they attributes or not."""
    for node in ast.walk(function):
        match node:
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                yield last_name(value)
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in _WRITING:
                yield last_name(value)


def _globals(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Global):
            yield from node.names


def _changed_arguments(function: Function) -> Set[str]:
    """The parameters whose values are changed in place, and that never stand for another one."""
    arguments = function.args
    named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    changed = {name for node in ast.walk(function) for name in _changed(node)}
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store | ast.Del)}
    return ({each.arg for each in named} - _OWN) & changed - bound


def _changed(node: ast.AST) -> Iterator[str]:
    match node:
        case (
            ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del())
        ):
            yield _root(node)
        case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in _WRITING:
            yield _root(value)


def _root(node: ast.expr) -> str:
    """The name at the start of attributes and subscripts; "" for anything else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
