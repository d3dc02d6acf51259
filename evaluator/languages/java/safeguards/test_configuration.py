"""Which changed files decide how tests are run, and so could make them say anything."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from evaluator.diff import Source
from evaluator.languages.java.safeguards.settings import facts_of
from evaluator.languages.java.sources.imports import package_of
from evaluator.languages.safeguards import BaseTree, Concern
from evaluator.languages.sources import Changed

_SERVICE = re.compile(r"(?:.*/)?META-INF/services/([\w.$]+)")
_TOOLS = re.compile(
    r"(?:org\.(?:junit|testng|hamcrest|opentest4j|assertj|mockito|apiguardian|jacoco)"
    r"|junit|com\.google\.common\.truth|net\.bytebuddy|org\.apache\.maven\.surefire"
    r"|java|javax|jdk|sun|com\.sun)(?:\..*)?"
)
"""Packages of the JDK, and of what tests are run and written with."""
_DATA_OF_TESTS = re.compile(
    r"(?:.*/)?src/(?:test|it)/(?:resources|projects)?.*/(?:pom\.xml|[^/]*\.gradle)"
)


def changed_configuration(changed: Changed, base: BaseTree) -> tuple[Concern, ...]:
    """The changed files that decide how tests run, or take the place of what runs them."""
    return tuple(
        Concern(path, what)
        for path, new in sorted(changed.items())
        if (what := _decides(path, base.source, new) or _shadows(path, base, new))
    )


def _decides(path: str, source: Source, new: bytes | None) -> str:
    """How a file bears on how tests run; "" where it does not, or as it did before."""
    service = _SERVICE.fullmatch(path)
    if service is not None and _TOOLS.fullmatch(service[1]) and source(path) != new:
        return f"registers what is loaded as {service[1]}"
    facts = facts_of(path)
    if facts is None or _DATA_OF_TESTS.fullmatch(path):
        return ""
    same = facts(source(path) or b"") == facts(new or b"")
    return "" if same else "steers how tests are run or the project is built"


def _shadows(path: str, base: BaseTree, new: bytes | None) -> str:
    """The package of others that a new file puts a class into; "" where it is the project's own."""
    if not path.endswith(".java") or new is None or base.source(path) is not None:
        return ""
    package = package_of(new)
    if not _TOOLS.fullmatch(package) or _has_sources(base.tree / PurePosixPath(path).parent):
        return ""
    return f"is loaded in the place of what {package} has"


def _has_sources(directory: Path) -> bool:
    return directory.is_dir() and any(directory.glob("*.java"))
