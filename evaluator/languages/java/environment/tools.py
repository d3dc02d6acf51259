"""Our own part of every run: the probe, compiled once, and the JUnit Platform."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import BUILD_LIMITS, ToolError, at_own_path, run_command
from evaluator.languages.java.environment.maven import Maven, asking
from evaluator.languages.java.runner import PROBE
from evaluator.sandbox.protocol import Command, Sandbox
from evaluator.storage.keys import digest_of, short_key
from evaluator.storage.once import make_once

Artifact = tuple[str, str, str]
"""Group, name and version, "" where a platform says it."""
ASM = "9.9"
JUPITER = "5.14.1"
TESTNG = "6.14.3"
ARCHIVE = "classes.jsa"
_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>fixgate</groupId>
  <artifactId>tools</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencyManagement><dependencies>
{platforms}
  </dependencies></dependencyManagement>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY = "<dependency><groupId>{0}</groupId><artifactId>{1}</artifactId>{2}</dependency>"
_OF_JUNIT_4 = re.compile(r"\A5\.0\.")
"""The engine of JUnit 4 has that one's version beside Jupiter's first."""
_IMPORTED = "<type>pom</type><scope>import</scope>"
_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Tools:
    """Jars of ours under `cache`.

    `repository` holds what Maven needed for them, to begin others with.
    """

    cache: Path
    sandbox: Sandbox
    maven: Maven

    def launcher(self, jupiter: str) -> tuple[Path, ...]:
        """The JUnit Platform with the engines of JUnit 3 to 6, as of a version of Jupiter.

        Raises ToolError.
        """
        platform = jupiter if not jupiter.startswith("5.") else f"1.{jupiter[2:]}"
        vintage = _OF_JUNIT_4.sub("4.12.", jupiter)
        return self.jars(
            [
                ("org.junit.platform", "junit-platform-launcher", platform),
                ("org.junit.jupiter", "junit-jupiter-engine", jupiter),
                ("org.junit.vintage", "junit-vintage-engine", vintage),
            ]
        )

    @property
    def frameworks(self) -> tuple[Path, ...]:
        """What our own sources are compiled with. Raises ToolError."""
        return *self.launcher(JUPITER), *self.jars([("org.testng", "testng", TESTNG)])

    @property
    def repository(self) -> Path:
        """What Maven downloaded for us."""
        return self._own_pom([("org.ow2.asm", "asm-commons", ASM)]) / "repository"

    def probe(self) -> Path:
        """The jar that is compiled from the sources beside `run.py`. Raises ToolError."""
        asm = self.jars([("org.ow2.asm", "asm-commons", ASM)])
        seen = (*asm, *self.frameworks)
        key = short_key(digest_of(sorted(PROBE.rglob("*.java"))), [str(jar) for jar in seen])

        def make(place: Path) -> None:
            self._compile(place, asm)

        return make_once(self.cache / "java" / "probes", key, make) / "probe.jar"

    def _compile(self, place: Path, asm: Sequence[Path]) -> None:
        place.mkdir()
        classes, manifest = place / "classes", place / "manifest"
        manifest.write_text("Premain-Class: fixgate.count.Agent\n", encoding="utf-8")
        (core,) = (jar for jar in asm if jar.name.startswith("asm-9"))
        relocation = place / "relocation"
        self.compile([PROBE / "Relocate.java"], relocation, ("-nowarn",), asm)
        seen = os.pathsep.join(map(str, (relocation, *asm)))
        self.run("java", "-cp", seen, "Relocate", str(core), str(classes), at=place)
        # Not `--release 8`, which hides the compiler's own trees (`com.sun.source`).
        quiet = ("-source", "8", "-target", "8", "-Xlint:none", "-encoding", "UTF-8")
        sources = sorted((PROBE / "src").rglob("*.java"))
        library = self.maven.jdk.compiler_library
        self.compile(sources, classes, quiet, (classes, *self.frameworks, *library))
        self.run(
            "jar", "cfm", str(place / "probe.jar"), str(manifest), "-C", str(classes), ".", at=place
        )

    def compile(
        self,
        sources: Sequence[Path],
        directory: Path,
        options: Sequence[str],
        class_path: Sequence[Path],
        visible: Sequence[Path] = (),
    ) -> None:
        """Compile our own sources into a directory. Raises ToolError.

        What is around the directory may be written to.
        """
        directory.mkdir(exist_ok=True)  # Up to version 8 the compiler makes none.
        seen = os.pathsep.join(map(str, class_path))
        arguments = (*options, "-d", str(directory), "-cp", seen, *map(str, sources))
        self.run("javac", *arguments, at=directory.parent, visible=visible)

    def archive(self, key: str, make: Callable[[Path], None]) -> tuple[Path, ...]:
        """The archive of classes that is made once as `ARCHIVE` in a directory, for a key.

        Nothing where that fails, as it does where a JDK came without its own archive, or where its
        own is of no use with that much memory: all that is lost is time.
        """

        def made(place: Path) -> None:
            place.mkdir()
            try:
                make(place)
            except ToolError as error:
                (place / ARCHIVE).unlink(missing_ok=True)
                _logger.warning("Java starts without an archive of classes: %s", error)

        archive = make_once(self.cache / "java" / "archives", key, made) / ARCHIVE
        return (archive,) if archive.is_file() else ()

    def run(self, program: str, *arguments: str, at: Path, visible: Sequence[Path] = ()) -> None:
        """Run a program of the JDK in a directory that it may write to. Raises ToolError."""
        shown = [*self.maven.jdk.visible, PROBE, self.cache / "java" / "tools", *visible]
        mounts = (*map(at_own_path, shown), at_own_path(at, writable=True))
        argv = (str(self.maven.jdk.home / "bin" / program), *arguments)
        run_command(
            self.sandbox,
            Command(argv=argv, directory=str(at), mounts=mounts, limits=BUILD_LIMITS),
        )

    def jars(
        self, wanted: Sequence[Artifact], platforms: Sequence[Artifact] = ()
    ) -> tuple[Path, ...]:
        """The jars of some artifacts and of what these need. Raises ToolError.

        Platforms (BOMs) say the versions of others; the first that knows one has the word.
        """
        text = (self._own_pom(wanted, platforms) / "classpath.txt").read_text(encoding="utf-8")
        # That of JDK 8 itself is named by a path that goes up (`jre/../lib/tools.jar`).
        return tuple(Path(os.path.normpath(jar)) for jar in text.strip().split(os.pathsep))

    def _own_pom(self, wanted: Sequence[Artifact], platforms: Sequence[Artifact] = ()) -> Path:
        def make(place: Path) -> None:
            place.mkdir()
            (place / "pom.xml").write_text(_pom(wanted, platforms), encoding="utf-8")
            goals = asking(place / "effective.xml", place / "classpath.txt")
            self.maven.run(goals, directory=place, private=place, repository=place / "repository")

        # What is kept names its files whole: a cache that was moved is no longer what it says.
        key = short_key(str(self.cache), list(wanted), *filter(None, [list(platforms)]))
        return make_once(self.cache / "java" / "tools", key, make)


def _pom(wanted: Sequence[Artifact], platforms: Sequence[Artifact]) -> str:
    imported = (_dependency(each, _IMPORTED) for each in platforms)
    return _POM.format(
        platforms="\n".join(imported), dependencies="\n".join(map(_dependency, wanted))
    )


def _dependency(artifact: Artifact, more: str = "") -> str:
    group, name, version = artifact
    stated = f"<version>{version}</version>" if version else ""
    return _DEPENDENCY.format(group, name, f"{stated}{more}")
