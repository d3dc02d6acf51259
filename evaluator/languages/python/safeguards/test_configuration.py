"""Which changed files decide how tests are run, and so could make them say anything."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from evaluator.diff import Source
from evaluator.environment.types import Environment
from evaluator.languages import is_test_file
from evaluator.languages.python.environment.types import python_environment
from evaluator.languages.python.frameworks import is_test
from evaluator.languages.python.parsing import Function, names_in, parsed_leniently
from evaluator.languages.python.safeguards.assertions.inserted import FOR_TESTS
from evaluator.languages.python.safeguards.assertions.negating import ASSERTIONS
from evaluator.languages.python.safeguards.loaded_first import SETTINGS, loaded_first, registered
from evaluator.languages.python.safeguards.settings import AT_THE_ROOT, FACTS
from evaluator.languages.python.sources.imports import import_roots
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed

_READ_BY_PYTEST = frozenset({*SETTINGS, "pytest.toml", ".pytest.toml"})
_START_UP = frozenset({"sitecustomize", "usercustomize"})
_METADATA = (".egg-info", ".dist-info")
_TOOLS = frozenset({"pytest", "_pytest", "pluggy", "unittest", "coverage", "nose", "hypothesis"})
_TEST_COMMAND = ("management", "commands", "test.py")
_MODULES = frozenset({".py", ".so", ".pyc", ".pyd"})


def changed_configuration(changed: Changed, base: BaseTree) -> tuple[Concern, ...]:
    """The changed files that decide how tests run, and modules that pytest loads before any."""
    roots, source = import_roots(base.environment), base.source
    conftests = [path.relative_to(base.tree).as_posix() for path in base.tree.rglob("conftest.py")]
    plugins = registered(base.tree)
    steering = {path: new for path, new in changed.items() if not _is_data(path, base)}
    return (
        *deciding(steering, source, taken=taken_names(base.environment), roots=roots),
        *loaded_first(changed, source, conftests, plugins=plugins, roots=roots),
    )


def _is_data(path: str, base: BaseTree) -> bool:
    """Whether settings lie among what tests read: pytest takes none from below what it runs."""
    folder = PurePosixPath(path).parent
    if PurePosixPath(path).name not in _READ_BY_PYTEST or not is_test_file(path):
        return False
    there = (each for each in (base.tree / folder).rglob("*.py") if each.is_file())
    brought = (test for test in base.judged if PurePosixPath(test[0]).is_relative_to(folder))
    contents = itertools.chain(((each.name, each.read_bytes()) for each in there), brought)
    return not any(is_test(name, content or b"") for name, content in contents)


def deciding(
    changed: Changed,
    source: Source,
    *,
    taken: Collection[str] = (),
    roots: Sequence[str] = ("",),
) -> tuple[Concern, ...]:
    """Those of the files with new contents that decide how tests run.

    `taken` are names of modules that other code has: a new file at one of the import `roots`
    would be imported in the place of such a module.
    """
    return tuple(
        Concern(path, what)
        for path, new in sorted(changed.items())
        if (
            what := _decides(path, source, new)
            or _shadows(path, source, new, taken, roots)
            or _replaces(path, source, changed)
            or _asserts(path, source, new)
        )
    )


def taken_names(environment: Environment) -> frozenset[str]:
    """The modules of the standard library, of the tools for tests, and of what is installed."""
    root = python_environment(environment).python.parent.parent
    packages = root.glob("lib/python*/site-packages/*")
    installed = {path.name.partition(".")[0] for path in packages}
    return frozenset({*sys.stdlib_module_names, *_TOOLS, *installed})


def _decides(path: str, source: Source, new: bytes | None) -> str:
    """How a file bears on how tests run; "" where it does not, or as it did before."""
    place = PurePosixPath(path)
    if place.suffix == ".pth":
        return "runs when Python starts"
    if not _START_UP.isdisjoint({*place.parts, place.name.partition(".")[0]}):
        return "runs when Python starts"
    if _is_metadata(place):
        return "metadata of an installed package, which can register plug-ins"
    if place.parts[-3:] == _TEST_COMMAND:
        return "is run in the place of Django's own command"
    facts = FACTS.get(place.name) or AT_THE_ROOT.get(path)
    if facts is None or facts(source(path) or b"") == facts(new or b""):
        return ""
    return "steers how tests are run or the package is built"


def _is_metadata(place: PurePosixPath) -> bool:
    """Whether importlib.metadata would find a file; deep below tests lies data that they read."""
    if is_test_file(str(place)) and len(place.parts) > 3:
        return False
    return place.name == "PKG-INFO" or any(part.endswith(_METADATA) for part in place.parts)


def _shadows(
    path: str,
    source: Source,
    new: bytes | None,
    taken: Collection[str],
    roots: Sequence[str],
) -> str:
    """Whose place a file takes that was not there; "" for nobody's."""
    if new is None or is_test_file(path) or source(path) is not None:
        return ""
    if PurePosixPath(path).suffix not in _MODULES:
        return ""
    names = (name for root in roots for name in _new_names(path, root, source))
    return next((f"is imported in the place of {name}" for name in names if name in taken), "")


def _replaces(path: str, source: Source, changed: Mapping[str, bytes | None]) -> str:
    """Of which module a new package takes the place, though the module is still there."""
    place = PurePosixPath(path)
    module = f"{place.parent}.py"
    if place.name != "__init__.py" or changed[path] is None or source(path) is not None:
        return ""
    stays = changed.get(module, source(module)) is not None
    return f"is imported in the place of {module}" if stays else ""


def _asserts(path: str, source: Source, new: bytes | None) -> str:
    """What a file changes of the assertions that a package ships for tests; "" for nothing."""
    parts = PurePosixPath(path).with_suffix("").parts
    if is_test_file(path) or not any(re.fullmatch(FOR_TESTS, part) for part in parts):
        return ""
    before, after = (_assertions(content or b"") for content in (source(path), new))
    names = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    return f"changes what tests assert with ({', '.join(names)})" if names else ""


def _assertions(content: bytes) -> Mapping[str, str]:
    """The functions of a module that assert something, and those that they name, by name."""
    nodes = ast.walk(parsed_leniently(content) or ast.Module([], []))
    functions = [node for node in nodes if isinstance(node, Function)]
    found: dict[str, str] = {}
    wanted = {node.name for node in functions if ASSERTIONS.fullmatch(node.name)}
    while new := [node for node in functions if node.name in wanted - found.keys()]:
        found |= {node.name: ast.dump(node) for node in new}
        wanted |= {name for node in new for name in names_in(node)}
    return found


def _new_names(path: str, root: str, source: Source) -> Iterator[str]:
    """The name of the module or package that a file makes at an import root, if it was free."""
    below = path.removeprefix(f"{root.strip('/')}/") if root.strip("./") else path
    name = below.partition("/")[0].partition(".")[0]
    prefix = path.removesuffix(below)
    if all(source(each) is None for each in (f"{prefix}{name}.py", f"{prefix}{name}/__init__.py")):
        yield name
