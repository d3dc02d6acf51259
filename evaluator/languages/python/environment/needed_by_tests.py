"""What the tests of a project need beside its own dependencies, from its files alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from evaluator.languages.python.environment.automation import Installed, installed_for_tests
from evaluator.languages.python.environment.project import Project

TEST_NAMES = ("test", "tests", "testing", "unittest", "unit-tests", "pytest", "unit")
_PERHAPS = frozenset({"pytest"})
"""Names of extras with what tests need, or with what a library gives to the tests of others."""
DEVELOPMENT_NAMES = ("dev", "develop", "development", "ci", "all")
BASE_NAMES = ("", "base", "main", "common", "default", "core", "install")
_TEST_TOOLS = ("pytest", "nose", "tox", "django-nose")


@dataclass(frozen=True)
class NeededByTests:
    """Extras and groups of the project, requirement files of the tree, and packages (PEP 508).

    Of the files, those that are `plain` may hold what the project itself needs.
    """

    extras: tuple[str, ...]
    files: tuple[str, ...]
    packages: tuple[str, ...]
    plain: tuple[str, ...] = ()


def needed_by_tests(tree: Path, project: Project) -> NeededByTests:
    """What is named after tests, together with what tox, nox or hatch install for them.

    What is named after development, which also brings linters and documentation tools, is taken
    where there is neither, or only an extra `pytest`. Of a project that does not declare its
    dependencies the plain requirement files are taken, and always those that name a tool for tests.
    """
    files = list(_requirement_files(tree))
    automatic = _present(tree, project, installed_for_tests(tree))
    declared = [name for name, wanted in project.extras.items() if wanted]
    extras, named = _chosen(declared, TEST_NAMES), _named(files, TEST_NAMES)
    if not (set(extras) - _PERHAPS or named or automatic):
        extras += _chosen(declared, DEVELOPMENT_NAMES[:3])
        named = _named(files, DEVELOPMENT_NAMES)
    base = _named(files, BASE_NAMES)
    if project.dependencies:
        base = [file for file in base if _names_a_test_tool(tree / file)]
    return NeededByTests(
        tuple(dict.fromkeys([*extras, *automatic.extras])),
        tuple(dict.fromkeys([*base, *named, *automatic.files])),
        automatic.packages,
        () if project.dependencies else tuple(base),
    )


def _present(tree: Path, project: Project, found: Installed) -> Installed:
    """Those extras and files that there are."""
    extras = tuple(name for name in found.extras if name in project.extras)
    files = tuple(name for name in found.files if (tree / name).is_file())
    return Installed(extras, files, found.packages)


def _chosen(extras: Iterable[str], names: tuple[str, ...]) -> list[str]:
    return [extra for extra in extras if canonicalize_name(extra) in names]


def _requirement_files(tree: Path) -> Iterator[str]:
    patterns = (
        "*requirements*.txt",
        "requirements/*.txt",
        "*requirements*.in",
        "requirements/*.in",
    )
    for pattern in patterns:
        for path in sorted(tree.glob(pattern)):
            compiled = path.suffix == ".in" and path.with_suffix(".txt").is_file()
            if path.is_file() and not compiled:
                yield str(path.relative_to(tree))


def _named(files: Iterable[str], names: tuple[str, ...]) -> list[str]:
    """Those files whose name, less the word `requirements`, is one of the names."""
    return [file for file in files if _purpose(file) in names]


def _purpose(file: str) -> str:
    return re.sub(r"[-_.]*(requirements|reqs|txt$|in$)[-_.]*", "", Path(file).name)


def _names_a_test_tool(file: Path) -> bool:
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    return any(_name(line).startswith(_TEST_TOOLS) for line in lines)


def _name(line: str) -> str:
    try:
        return canonicalize_name(Requirement(line.partition("#")[0].strip()).name)
    except InvalidRequirement:
        return ""
