"""Finds the JDKs of this machine."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import InterpreterMissingError

PLACES = (
    "/usr/lib/jvm/*",
    "/opt/java/*",
    "/opt/jdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)
_RELEASE = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)', re.MULTILINE)


@dataclass(frozen=True)
class Jdk:
    """One installed JDK: its directory, and the version of Java that it is for."""

    home: Path
    version: int

    @property
    def java(self) -> Path:
        """The program that starts the virtual machine."""
        return self.home / "bin" / "java"

    @property
    def visible(self) -> tuple[Path, ...]:
        """What a sandbox must show: the JDK, and the settings that it links to from outside."""
        # Every sandbox shows /usr.
        outside = (path for path in linked_outside(self.home) if not path.is_relative_to("/usr"))
        return self.home, *outside


def find_jdk(wanted: Sequence[str], level: int) -> Jdk:
    """The JDK of the first version in `wanted` that is installed.

    Without any wanted, the oldest one that compiles the level. Raises InterpreterMissingError.
    """
    known = installed()
    for version in wanted:
        for jdk in known:
            if str(jdk.version) == version.removeprefix("1."):
                return jdk
    fitting = [jdk for jdk in known if jdk.version >= level]
    if wanted or not fitting:
        versions = " or ".join(wanted) or f"{level} or newer"
        raise InterpreterMissingError(
            f"no JDK {versions} is installed (found: {_named(known)}); install one, for example "
            f"the package openjdk-{wanted[0] if wanted else level}-jdk-headless, "
            "or name its directory in JAVA_HOME"
        )
    return fitting[0]


def jdk_at(home: Path) -> Jdk:
    """The JDK in a directory. Raises InterpreterMissingError where there is none."""
    found = _version(home)
    if found is None or not (home / "bin" / "java").is_file():
        raise InterpreterMissingError(
            f"{home} is no JDK: name the directory that holds `release` and `bin/java`"
        )
    return Jdk(home.resolve(), found)


def _named(known: Sequence[Jdk]) -> str:
    return ", ".join(str(jdk.version) for jdk in known) or "none"


@functools.cache
def installed() -> tuple[Jdk, ...]:
    """All JDKs with a compiler, oldest first, each version once."""
    found: dict[int, Jdk] = {}
    for home in _homes():
        version = _version(home)
        if version is not None and (home / "bin" / "javac").is_file():
            found.setdefault(version, Jdk(home, version))
    return tuple(found[version] for version in sorted(found))


def _homes() -> Iterator[Path]:
    if os.environ.get("JAVA_HOME"):
        yield Path(os.environ["JAVA_HOME"]).resolve()
    if compiler := shutil.which("javac"):
        yield Path(compiler).resolve().parent.parent
    sdkman = Path.home() / ".sdkman" / "candidates" / "java"
    for pattern in (*PLACES, f"{sdkman}/*"):
        root, _, name = pattern.partition("*")
        directory, prefix = os.path.split(root)
        yield from (path.resolve() for path in sorted(Path(directory).glob(f"{prefix}*{name}")))


def _version(home: Path) -> int | None:
    """From the file that every JDK since 1.7 has; None for what is none."""
    try:
        match = _RELEASE.search((home / "release").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    return int(match.group(1)) if match else None


@functools.cache
def linked_outside(home: Path) -> tuple[Path, ...]:
    """What the links of an installation lead to outside of it."""
    found = set()
    for directory, directories, names in os.walk(home):
        for name in (*directories, *names):
            path = Path(directory, name)
            if path.is_symlink() and path.exists() and not path.resolve().is_relative_to(home):
                found.add(path.resolve())
    return tuple(sorted(found))
