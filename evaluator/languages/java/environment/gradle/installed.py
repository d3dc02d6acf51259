"""Finds a Gradle to run: that of a tree's own wrapper, and one of this machine.

A wrapper downloads the distribution that it names:
https://docs.gradle.org/current/userguide/gradle_wrapper.html.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import regular_files
from evaluator.languages.java.environment.jdk import Jdk, installed, linked_outside

_WRAPPER = "gradle/wrapper/gradle-wrapper.jar"
_SETTINGS = "gradle/wrapper/gradle-wrapper.properties"
_NAMED = re.compile(r"^distributionUrl\s*=.*?gradle-(\d+(?:\.\d+)*)[^/]*\.zip\s*$", re.MULTILINE)
_CORE = re.compile(r"gradle-core-(\d+(?:\.\d+)*).*\.jar")
_FIRST_ON: tuple[tuple[tuple[int, ...], int], ...] = (
    *(((2,), 8), ((4, 3), 9), ((4, 7), 10), ((5,), 11), ((5, 4), 12), ((6,), 13), ((6, 3), 14)),
    *(((6, 7), 15), ((7,), 16), ((7, 3), 17), ((7, 5), 18), ((7, 6), 19), ((8, 3), 20)),
    *(((8, 5), 21), ((8, 8), 22), ((8, 10), 23), ((8, 14), 24), ((9, 1), 25)),
)
"""The first Gradle that runs on a version of Java, from
https://docs.gradle.org/current/userguide/compatibility.html."""


@dataclass(frozen=True)
class GradleDistribution:
    """A Gradle: how it is started, what a sandbox must show for it, and on which JDK it runs."""

    name: str
    command: tuple[str, ...]
    visible: tuple[Path, ...]
    jdk: Jdk


def distributions(copy: Path, *, offline: bool) -> Sequence[GradleDistribution]:
    """The Gradle that a copy of a tree has a wrapper for, and that of this machine, if any.

    A wrapper counts where a JDK is installed that its Gradle runs on, and not `offline`.
    """
    return [*([] if offline else _wrapped(copy)), *_of_this_machine()]


def why_none(copy: Path, *, offline: bool) -> str:
    """Why there is no Gradle for a copy of a tree, and what to do."""
    version = _version_of_wrapper(copy)
    if version and not offline:
        known = ", ".join(str(jdk.version) for jdk in installed()) or "none"
        said = f"no JDK is installed that its Gradle {version} runs on (found: {known})"
        return f"{said}: install JDK {_newest(_numbers(version))} or older"
    return "Gradle is not installed (gradle not found): install it, or commit its wrapper"


def _version_of_wrapper(copy: Path) -> str:
    """That of the Gradle which a wrapper in the tree downloads, "" where there is none."""
    if not {_WRAPPER, _SETTINGS}.issubset(regular_files(copy)):
        return ""
    named = _NAMED.search((copy / _SETTINGS).read_text(encoding="utf-8", errors="replace"))
    return named[1] if named else ""


def _wrapped(copy: Path) -> Iterator[GradleDistribution]:
    version = _version_of_wrapper(copy)
    jdks = _fitting(_numbers(version)) if version else ()
    if jdks:
        command = ("-cp", str(copy / _WRAPPER), "org.gradle.wrapper.GradleWrapperMain")
        yield GradleDistribution("its wrapper", (str(jdks[-1].java), *command), (), jdks[-1])


def _of_this_machine() -> Iterator[GradleDistribution]:
    """On the newest JDK that is known to fit, or else on the oldest: Debian's fits later ones."""
    found = shutil.which("gradle")
    if found is None or not installed():
        return
    program = Path(found).resolve()
    home = program.parent.parent
    names = (_CORE.fullmatch(path.name) for path in (home / "lib").glob("gradle-core-*.jar"))
    versions = [_numbers(name[1]) for name in names if name]
    fitting = _fitting(versions[0]) if versions else ()
    linked = {path.parent for path in linked_outside(home) if path.is_file()}
    jdk = fitting[-1] if fitting else installed()[0]
    yield GradleDistribution("the installed one", (str(program),), (home, *sorted(linked)), jdk)


def _fitting(version: tuple[int, ...]) -> Sequence[Jdk]:
    return [jdk for jdk in installed() if jdk.version <= _newest(version)]


def _newest(version: tuple[int, ...]) -> int:
    """The newest version of Java that a Gradle runs on."""
    return max((java for first, java in _FIRST_ON if first <= version), default=0)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
