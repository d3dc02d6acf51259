"""The oldest pytest that fixgate's plug-in can watch, and what stands in place of older ones."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from packaging.requirements import Requirement
from packaging.specifiers import Specifier
from packaging.utils import canonicalize_name
from packaging.version import Version

from evaluator.languages.python.environment.project import requirement_name

OLDEST_DATE = datetime.date(2015, 12, 31)
"""The hooks of the plug-in came with pytest 2.8, in September 2015.

https://docs.pytest.org/en/stable/changelog.html
"""
_OLDEST = {"pytest": "2.8", "py": "1.4.29"}
_OVERRIDES = {"pytest": "pytest>=2.8,<2.9", "py": "py>=1.4.29"}
"""The nearest to what was asked for. This pytest needs that py."""
PACKAGES = tuple(_OLDEST)
_BOUNDING = ("==", "<", "<=", "~=")


def overrides(requirements: Iterable[str]) -> list[str]:
    """Requirements (PEP 508) that replace those which ask for an older release only.

    One with a marker may not hold here.
    """
    asked = (each for each in map(Requirement, requirements) if each.marker is None)
    return sorted({_OVERRIDES[name] for each in asked for name in _too_old(each)})


def without_overridden(constraints: Iterable[str], overridden: Iterable[str]) -> Iterator[str]:
    """The constraints but for those on packages that these requirements replace."""
    names = {*map(requirement_name, overridden)}
    return (line for line in constraints if requirement_name(line) not in names)


def _too_old(requirement: Requirement) -> Iterator[str]:
    name = canonicalize_name(requirement.name)
    if name in _OLDEST and any(_ends_before(each, _OLDEST[name]) for each in requirement.specifier):
        yield name


def _ends_before(bound: Specifier, version: str) -> bool:
    if bound.operator not in _BOUNDING or bound.contains(version):
        return False
    return Version(bound.version.removesuffix(".*")) <= Version(version)
