"""Which changed modules pytest loads before any test, and so could make tests say anything."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from evaluator.diff import Source
from evaluator.languages import is_test_file
from evaluator.languages.python.environment.project import read_project
from evaluator.languages.python.parsing import names_in, parsed_leniently
from evaluator.languages.python.safeguards.settings import FACTS
from evaluator.languages.python.sources.test_code import is_test_function
from evaluator.languages.safeguards import Concern
from evaluator.languages.sources import Changed

SETTINGS = ("pytest.ini", ".pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini")
"""Files with options of pytest."""
_TARGET = re.compile(r"=\s*([\w.]+)")
_OPTION = re.compile(r"(?<![\w-])-p[\s=]*([A-Za-z_][\w.]*)")


def loaded_first(
    changed: Changed,
    source: Source,
    conftests: Iterable[str],
    *,
    plugins: Iterable[str] = (),
    roots: Sequence[str] = ("",),
) -> tuple[Concern, ...]:
    """The changed modules that pytest loads as plug-ins, or that a conftest.py takes from tests.

    `plugins` are modules that the project registers, `conftests` the paths of all conftest.py.
    What a conftest.py imports of the package itself is what tests are for, and judged by what it
    does (see `reaching`). Tests in what it imports steer no others.
    """

    def read(path: str) -> bytes | None:
        return changed[path] if path in changed else source(path)

    loaded = _Loaded(read, roots)
    declared = {*plugins, *_of_settings(read)}
    for path in sorted({*conftests, *(p for p in changed if p.endswith("conftest.py"))}):
        declared |= loaded.follow(path)
    named = {path for name in declared for path in loaded.files(name, "")}
    support = loaded.support & changed.keys()
    steering = (path for path in support if _differs(path, source, read, loaded.named))
    said = dict.fromkeys(steering, "is imported by conftest.py")
    said |= dict.fromkeys(named & changed.keys(), "is loaded as a plug-in of pytest")
    return tuple(Concern(path, said[path]) for path in sorted(said))


def registered(tree: Path) -> Iterator[str]:
    """The modules that a project registers as plug-ins of pytest."""
    for line in read_project(tree).entry_points.get("pytest11", ()):
        yield from _TARGET.findall(line)


class _Loaded:
    """The modules among the tests that conftest.py files import, directly or through others.

    `named` is all that these files and modules name or import.
    """

    def __init__(self, read: Source, roots: Sequence[str]) -> None:
        self._read = read
        self._roots = [root.strip("./") for root in roots]
        self.support: set[str] = set()
        self.named: set[str] = set()

    def follow(self, path: str) -> set[str]:
        """Note what a module imports from among the tests; the plug-ins that they all declare."""
        tree = parsed_leniently(self._read(path) or b"")
        if tree is None:
            return set()
        declared = set(_declared(tree))
        imported = list(_imports(tree, path))
        self.named |= {*names_in(tree), *(name.rpartition(".")[2] for name in imported)}
        for name in imported:
            for file in self.files(name, str(PurePosixPath(path).parent)):
                if is_test_file(file) and file not in self.support:
                    self.support.add(file)
                    declared |= self.follow(file)
        return declared

    def files(self, name: str, folder: str) -> Iterator[str]:
        """The file that a module is in, if it is one of the repository's."""
        below = name.replace(".", "/")
        for root in dict.fromkeys(["", *self._roots, folder.strip(".")]):
            for file in (f"{below}.py", f"{below}/__init__.py"):
                path = f"{root}/{file}".lstrip("/")
                if self._read(path) is not None:
                    yield path


def _imports(tree: ast.AST, path: str) -> Iterator[str]:
    """Names of the modules that a module imports, and of what may be modules."""
    package = PurePosixPath(path).parent.parts
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=module, names=aliases, level=level):
                above = package[: len(package) - level + 1] if level else ()
                base = ".".join([*above, *([module] if module else [])])
                yield base
                yield from (f"{base}.{alias.name}" for alias in aliases)


def _declared(tree: ast.AST) -> Iterator[str]:
    """The plug-ins that a conftest.py names in `pytest_plugins`."""
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id="pytest_plugins")], value=value):
                texts = (part.value for part in ast.walk(value) if isinstance(part, ast.Constant))
                yield from (text for text in texts if isinstance(text, str))


def _of_settings(read: Source) -> Iterator[str]:
    """The plug-ins that options of pytest name: `-p NAME`.

    Other tools have an option of that name, too (`mypy -p PACKAGE` in a tox.ini).
    """
    for name in SETTINGS:
        yield from _OPTION.findall(" ".join(_words(FACTS[name](read(name) or b""))))


def _words(facts: object) -> Iterator[str]:
    match facts:
        case str():
            yield facts
        case bytes():
            yield facts.decode(errors="replace")
        case dict():
            yield from _words(list(facts.values()))
        case list():
            yield from (word for fact in facts for word in _words(fact))


def _differs(path: str, before: Source, after: Source, named: Collection[str]) -> bool:
    """Whether a module has another content apart from its tests, but for those that are named."""
    old, new = (parsed_leniently(read(path) or b"") for read in (before, after))
    if old is None or new is None:
        return before(path) != after(path)
    return [*_beside_tests(old.body, named)] != [*_beside_tests(new.body, named)]


def _beside_tests(body: Iterable[ast.AST], named: Collection[str]) -> Iterator[object]:
    """The statements of a module or class without tests, and without classes of nothing else."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if node.name in named or not is_test_function(node):
                    yield ast.dump(node)
            case ast.ClassDef(name=name):
                inside = [*_beside_tests(node.body, named)]
                if inside or name in named:
                    head = (*node.decorator_list, *node.bases, *node.keywords)
                    yield name, [*map(ast.dump, head)], inside
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                yield ast.dump(node)
