"""Runs Maven in the sandbox, with a local repository of its own."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.environment.tools import (
    BUILD_LIMITS,
    ToolError,
    at_own_path,
    regular_files,
    run_command,
)
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.class_versions import LEVEL_0
from evaluator.languages.java.environment.jdk import Jdk, installed, linked_outside
from evaluator.languages.java.environment.opened import FIRST_WITH_MODULES, open_packages
from evaluator.languages.java.environment.settings import write_settings
from evaluator.sandbox.protocol import Command, Mount, Sandbox

DEPENDENCY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
HELP = "org.apache.maven.plugins:maven-help-plugin:3.5.1"
VIRTUAL_MACHINE = "-Xmx1g -XX:+UseSerialGC -XX:TieredStopAtLevel=1"
_OLD_LEVEL = 8
"""Of the code of plug-ins: old ones look into the JDK as old tests do."""
_CONFIGURATION = Path("/etc/maven")
_ERROR = re.compile(
    r"^(?:\[(?:ERROR|FATAL)\] )++(?!Some problems were encountered|COMPILATION ERROR)(\S.*)$",
    re.MULTILINE,
)
_MACHINE_OPTIONS = ".mvn/jvm.config"
_EXTENSIONS = ".mvn/extensions.xml"
_OPTIONS = ".mvn/maven.config"
_OF_ANOTHER_MAVEN = re.compile(
    r'^Exception in thread "main" [\w.]+(?:(?:NoSuchMethod|NoSuchField|NoClassDefFound'
    r"|AbstractMethod|IncompatibleClassChange)Error)\b",
    re.MULTILINE,
)
_UNKNOWN_OPTION = re.compile(r"^Unrecognized (?:option: |VM option ')([^\s']+)", re.MULTILINE)
_INTERRUPTED = re.compile(
    r"^\[(?:ERROR|FATAL)\] .*?(?:transfer[^\n]*?"
    r"(Connection (?:reset|refused|timed out|closed)|(?i:(?:connect|read) timed out)"
    r"|Temporary failure in name resolution|Network is unreachable|No route to host"
    r"|Remote host (?:terminated|closed)|Premature end of|Unexpected end of file from server"
    r"|[Ss]tatus(?: code)?:? (?:5\d\d|408|429)\b|Return code is: (?:5\d\d|408|429)\b)"
    r"|(?:transfer failed for \S+|GET request of: \S+ from \S+ failed)"
    r"(?=$| -> \[Help))",
    re.MULTILINE,
)
"""What Maven says of a download that may come the next time; not of an artifact that is nowhere.

Debian 13's Maven gives no reason where others name the error of the network: it may come, too.
"""
_NO_HOST = re.compile(
    r"from/to ((?!central)[\w.-]+) \(\w+://([\w.-]+)[^\n]{0,1000}?"
    r"(?:Unknown host|Name or service not known)"
)
"""The id of a repository and its host, such as the old OSSRH's, which many poms have."""
_MOST_GONE = 8
_MOST_VERSIONS = 8
_NO_VERSION = re.compile(r"must be a valid version but is '\$\{([\w.-]+)\}'")
_SOME_VERSION = "0-SNAPSHOT"
"""Of what the project itself builds: no repository is asked for it."""
_CONTINUED = re.compile(r":?\n\[ERROR\] \t+")
_TOO_NEW = re.compile(
    r"(?:invalid (?:source|target) release: |release version )(?:1\.)?(\d+)|invalid flag: --release"
)
"""A compiler's words for levels later than its own. Without a number: it is older than the flag."""
_CLASS_VERSION = re.compile(r"UnsupportedClassVersionError.+?class file version (\d+)")
_LOADS_CLASSES_OF_A_LATER = re.compile(
    r"Compilation failure: at java\.base/java\.lang\.ClassLoader\.defineClass1\b"
)
"""A compiler that fails to load a check: Maven's plug-in shows where it did, and not why."""
_LINK = re.compile(r"\n\[ERROR\] (?=-> \[Help)")


class DownloadInterruptedError(Exception):
    """A network or a server failed, which says nothing about what was asked for."""


@dataclass(frozen=True)
class Maven:
    """Maven with the settings of this installation; `offline` forbids it the network.

    In the place of repositories that are `gone`, named by id and host, Maven Central is asked.
    `versions` are properties with versions that the poms leave to something else.
    """

    sandbox: Sandbox
    jdk: Jdk
    offline: bool = False
    gone: tuple[tuple[str, str], ...] = ()
    versions: tuple[str, ...] = ()

    def run(
        self, arguments: Sequence[str], *, directory: Path, private: Path, repository: Path
    ) -> str:
        """Run goals in a directory below `private`, where all of it may be written; its output.

        Downloads go to `repository`. Where a plug-in is compiled for a later Java, it runs on a JDK
        of that, if there is one; where a repository's host does not exist, without it; where a
        version is left to the command line or to an extension (JLine's to one that asks git), with
        some version. Raises ToolError, whose log has each of Maven's errors in one line, and
        EnvironmentBuildError where there is no Maven.
        """
        try:
            return self._run(arguments, directory, private, repository)
        except ToolError as error:
            again = self._mended(error.log)
            if again == self:
                raise
        return again.run(arguments, directory=directory, private=private, repository=repository)

    def _mended(self, log: str) -> Maven:
        """The same on a JDK that can do what this one could not, and without what is gone."""
        level = _needed_level(log)
        if _LOADS_CLASSES_OF_A_LATER.search(log):
            level = max(level, self.jdk.version + 1)
        later = [jdk for jdk in installed() if jdk.version >= level > self.jdk.version]
        gone = tuple(dict.fromkeys((*self.gone, *_NO_HOST.findall(log))))[:_MOST_GONE]
        unknown = dict.fromkeys((*self.versions, *_NO_VERSION.findall(log)))
        versions = tuple(unknown)[:_MOST_VERSIONS]
        jdk = next(iter(later), self.jdk)
        return dataclasses.replace(self, jdk=jdk, gone=gone, versions=versions)

    def _run(
        self, arguments: Sequence[str], directory: Path, private: Path, repository: Path
    ) -> str:
        private.mkdir(parents=True, exist_ok=True)
        repository.mkdir(parents=True, exist_ok=True)
        settings = private / "settings.xml"
        write_settings(settings, gone=self.gone)
        command = Command(
            argv=(_program(), *self._options(settings, repository), *arguments),
            directory=str(directory),
            mounts=self._mounts(private, repository),
            environment={
                "HOME": str(private),
                "JAVA_HOME": str(self.jdk.home),
                "MAVEN_OPTS": " ".join(self._machine(private)),
                "MAVEN_SKIP_RC": "true",
                "PATH": f"{self.jdk.home}/bin:/usr/local/bin:/usr/bin:/bin",
            },
            limits=BUILD_LIMITS,
            network=not self.offline,
            purpose="running Maven",
        )
        try:
            return run_command(self.sandbox, command)
        except ToolError as error:
            raise ToolError(in_one_line_each(error.log)) from error

    def _machine(self, private: Path) -> tuple[str, ...]:
        """Options of the virtual machine."""
        opened = open_packages(_OLD_LEVEL, self.jdk.version)
        return (VIRTUAL_MACHINE, f"-Duser.home={private}", *opened)

    def _options(self, settings: Path, repository: Path) -> list[str]:
        options = ["-B", "-ntp", "-s", str(settings), "-gs", str(settings)]
        options += [f"-Dmaven.repo.local={repository}", "-Dstyle.color=never"]
        options += [f"-D{name}={_SOME_VERSION}" for name in self.versions]
        return [*options, "-o"] if self.offline else options

    def _mounts(self, private: Path, repository: Path) -> tuple[Mount, ...]:
        home = Path(_program()).resolve().parent.parent
        # Debian's takes its jars from /usr/share/java, which docker's image does not have.
        linked = {path.parent for path in linked_outside(home) if path.is_file()}
        places = {home, *linked, *self.jdk.visible}
        if _CONFIGURATION.is_dir():
            places.add(_CONFIGURATION)
        writable = [at_own_path(place, writable=True) for place in (private, repository)]
        return (*map(at_own_path, sorted(places)), *writable)


def asking(effective: Path, class_path: Path | str) -> list[str]:
    """Goals that write the effective pom to a file, and the class path to one of each module."""
    return [
        *(f"{HELP}:effective-pom", f"-Doutput={effective}"),
        *(f"{DEPENDENCY}:build-classpath", f"-Dmdep.outputFile={class_path}"),
    ]


def _program() -> str:
    found = shutil.which("mvn")
    if found is None:
        raise EnvironmentBuildError(
            "Maven is not installed (mvn not found); install the package `maven`"
        )
    return str(Path(found).resolve())


def _needed_level(log: str) -> int:
    """That of the JDK that Maven's plug-ins say they need, 0 where they say nothing of it."""
    loaded = [int(version) - LEVEL_0 for version in _CLASS_VERSION.findall(log)]
    compiled = [int(level or FIRST_WITH_MODULES) for level in _TOO_NEW.findall(log)]
    return max((*loaded, *compiled), default=0)


def in_one_line_each(log: str) -> str:
    """A log with what Maven 3.9 writes below an error behind it, as earlier versions have it."""
    return _LINK.sub(" ", _CONTINUED.sub(": ", log))


def cause(error: ToolError) -> str:
    """What Maven itself says first, in one line."""
    first = _ERROR.search(error.log)
    return first.group(1) if first else str(error)


def names_unknown_option(log: str) -> bool:
    """Whether the virtual machine refused to start for an option."""
    return _UNKNOWN_OPTION.search(log) is not None


def drop_comments(tree: Path) -> None:
    """Take comments out of a tree's `.mvn/maven.config`, which are options to Maven before 3.9.

    https://maven.apache.org/docs/3.9.0/release-notes.html
    """
    if _OPTIONS in regular_files(tree):
        file = tree / _OPTIONS
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
        file.write_text("".join(line for line in lines if not line.startswith("#")), "utf-8")


def drop_unknown_option(tree: Path, log: str) -> bool:
    """Take an option that this JDK does not know out of a tree's `.mvn/jvm.config`; whether it did.

    https://maven.apache.org/configure.html#mvn-jvm-config-file
    """
    found = _UNKNOWN_OPTION.search(log)
    if found is None or _MACHINE_OPTIONS not in regular_files(tree):
        return False
    file = tree / _MACHINE_OPTIONS
    words = file.read_text(encoding="utf-8", errors="replace").split()
    known = [word for word in words if found.group(1) not in word]
    file.write_text(" ".join(known), encoding="utf-8")
    return known != words


def drop_extensions(tree: Path, log: str) -> bool:
    """Take a tree's extensions out of it where they are for another Maven; whether there were any.

    https://maven.apache.org/guides/mini/guide-using-extensions.html
    """
    if not _OF_ANOTHER_MAVEN.search(log) or _EXTENSIONS not in regular_files(tree):
        return False
    (tree / _EXTENSIONS).unlink()
    return True


def interruption(error: ToolError) -> str:
    """What Maven says first of a download that a network or a server cut short, "" if none was."""
    first = _INTERRUPTED.search(error.log)
    return first.group().partition("] ")[2] if first else ""
