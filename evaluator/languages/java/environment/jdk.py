"""Finds the JDKs of this machine."""

from __future__ import annotations

import functools
import os
import re
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import InterpreterMissingError

OLDEST_LEVEL = 8
"""What our own jar is compiled for, and with it the oldest JDK."""
_FIRST_WITH_RELEASE = 9
PLACES = (
    "/usr/lib/jvm/*",
    "/opt/java/*",
    "/opt/jdk*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
)
_HOMES = re.compile(r"JAVA_HOME(?:_\w+)?")
"""Variables that name a JDK: GitHub's runners have one for each, such as JAVA_HOME_17_X64."""
_PLACES_AT_HOME = (".sdkman/candidates/java/*", ".jdks/*")
"""Where SDKMAN and IntelliJ install."""
_RELEASE = re.compile(r'^(?:JAVA_VERSION="|Specification-Version: )(?:1\.)?(\d+)', re.MULTILINE)
_MANIFEST = "META-INF/MANIFEST.MF"


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
    def compiler_library(self) -> tuple[Path, ...]:
        """The jar of the compiler's classes, which later versions have among all others."""
        jar = self.home / "lib" / "tools.jar"
        return (jar,) if jar.is_file() else ()

    @property
    def visible(self) -> tuple[Path, ...]:
        """What a sandbox must show: the JDK, and the settings that it links to from outside."""
        # Every sandbox shows /usr.
        outside = (path for path in linked_outside(self.home) if not path.is_relative_to("/usr"))
        return self.home, *outside


def find_jdk(wanted: Sequence[str], level: int, libraries: int = 0) -> Jdk:
    """The JDK of the first version in `wanted` that is installed.

    Without any wanted, the oldest one that compiles the level, of those that load classes of the
    level of `libraries` if there are any. Raises InterpreterMissingError.
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
    return next((jdk for jdk in fitting if jdk.version >= libraries), fitting[-1])


def jdk_at(home: Path) -> Jdk:
    """The JDK in a directory. Raises InterpreterMissingError where there is none."""
    found = _version(home)
    if not found or not (home / "bin" / "java").is_file():
        raise InterpreterMissingError(
            f"{home} is no JDK: name the directory that holds `bin/java` and `release`, or "
            "`jre/lib/rt.jar` up to version 8"
        )
    if found < OLDEST_LEVEL:
        raise InterpreterMissingError(
            f"{home} is of Java {found}: name a JDK from {OLDEST_LEVEL} on"
        )
    return Jdk(home.resolve(), found)


def released(level: int, newest: int) -> list[str]:
    """Options of the compiler of JDK `newest` for Java as it was at a level.

    Before `--release` (https://openjdk.org/jeps/247) there was no later library to hide.
    """
    if newest < _FIRST_WITH_RELEASE:
        return ["-source", str(level), "-target", str(level)]
    return ["--release", str(level)]


def _named(known: Sequence[Jdk]) -> str:
    return ", ".join(str(jdk.version) for jdk in known) or "none"


@functools.cache
def installed() -> tuple[Jdk, ...]:
    """All JDKs with a compiler, oldest first, each version once."""
    found: dict[int, Jdk] = {}
    for home in _homes():
        version = _version(home)
        if version >= OLDEST_LEVEL and (home / "bin" / "javac").is_file():
            found.setdefault(version, Jdk(home, version))
    return tuple(found[version] for version in sorted(found))


def _homes() -> Iterator[Path]:
    # The one without more to its name comes first.
    for name in sorted(filter(_HOMES.fullmatch, os.environ)):
        if os.environ[name]:
            yield Path(os.environ[name]).resolve()
    if compiler := shutil.which("javac"):
        yield Path(compiler).resolve().parent.parent
    for pattern in (*PLACES, *(f"{Path.home()}/{place}" for place in _PLACES_AT_HOME)):
        root, _, name = pattern.partition("*")
        directory, prefix = os.path.split(root)
        yield from (path.resolve() for path in sorted(Path(directory).glob(f"{prefix}*{name}")))


def _version(home: Path) -> int:
    """The version of a JDK, 0 for what is none.

    From the file that those since 1.7 have, but for Debian's of version 8: then from its library.
    """
    try:
        match = _RELEASE.search(_description(home))
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile, KeyError):
        return 0
    return int(match.group(1)) if match else 0


def _description(home: Path) -> str:
    if (home / "release").is_file():
        return (home / "release").read_text(encoding="utf-8")
    with zipfile.ZipFile(home / "jre" / "lib" / "rt.jar") as library:
        return library.read(_MANIFEST).decode("utf-8")


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
