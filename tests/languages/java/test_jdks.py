"""Which JDKs are found, which one a project gets, and what it is told."""

from __future__ import annotations

import os
import struct
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InterpreterMissingError
from evaluator.languages.java.environment import jdk as jdks
from evaluator.languages.java.environment.class_versions import level_of_libraries
from evaluator.languages.java.environment.jdk import Jdk, find_jdk, installed, jdk_at, released
from evaluator.languages.java.environment.maven import Maven
from evaluator.languages.java.environment.opened import open_packages
from evaluator.languages.java.environment.surefire import machine_options
from evaluator.sandbox.process import ProcessSandbox

MANIFEST = "Manifest-Version: 1.0\nImplementation-Version: {0}_504\nSpecification-Version: {0}\n"


def lay_jdk(home: Path, release: str = "", manifest: str = "") -> Path:
    (home / "bin").mkdir(parents=True)
    for program in ("java", "javac"):
        (home / "bin" / program).touch()
    if release:
        (home / "release").write_text(f'IMPLEMENTOR="A"\nJAVA_VERSION="{release}"\n')
    if manifest:
        (home / "jre" / "lib").mkdir(parents=True)
        with ZipFile(home / "jre" / "lib" / "rt.jar", "w") as library:
            library.writestr("META-INF/MANIFEST.MF", MANIFEST.format(manifest))
    return home


@pytest.mark.parametrize(
    ("files", "version"),
    [
        ({"release": "17.0.9"}, 17),
        ({"release": "1.8.0_392"}, 8),
        # Debian's of version 8 has no other file that says it.
        ({"manifest": "1.8"}, 8),
        ({"release": "9", "manifest": "1.8"}, 9),
    ],
)
def test_a_jdk_is_known_by_its_files(
    tmp_path: Path, files: Mapping[str, str], version: int
) -> None:
    assert jdk_at(lay_jdk(tmp_path / "jdk", **files)).version == version


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "is no JDK: name the directory"),
        ({"release": "later"}, "is no JDK"),
        ({"release": "1.7.0_80"}, "is of Java 7: name a JDK from 8 on"),
        ({"manifest": "1.6"}, "is of Java 6"),
    ],
)
def test_what_is_none_or_too_old_is_refused(
    tmp_path: Path, files: Mapping[str, str], said: str
) -> None:
    with pytest.raises(InterpreterMissingError, match=said):
        jdk_at(lay_jdk(tmp_path / "jdk", **files))


def test_a_library_that_is_no_jar_is_none(tmp_path: Path) -> None:
    home = lay_jdk(tmp_path / "jdk", manifest="1.8")
    (home / "jre" / "lib" / "rt.jar").write_bytes(b"no jar")
    with pytest.raises(InterpreterMissingError, match="is no JDK"):
        jdk_at(home)


def test_jdks_are_found_by_variables_and_in_the_usual_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("JAVA_HOME_93_X64", str(lay_jdk(tmp_path / "runner", "93")))
    monkeypatch.setenv("JAVA_HOMES", str(lay_jdk(tmp_path / "other", "94")))
    lay_jdk(tmp_path / ".jdks" / "own", "91.0.1")
    lay_jdk(tmp_path / ".sdkman" / "candidates" / "java" / "own", "92")
    lay_jdk(tmp_path / ".jdks" / "old", "1.7.0")
    found = {jdk.version for jdk in installed.__wrapped__()}
    assert {91, 92, 93} <= found
    assert not found & {7, 94}


@pytest.mark.parametrize(
    ("wanted", "level", "libraries", "chosen"),
    [
        ((), 8, 0, 8),
        ((), 9, 0, 11),
        ((), 8, 11, 11),
        ((), 17, 8, 17),
        # None loads them: the newest one may do without.
        ((), 8, 99, 17),
        (("11",), 8, 17, 11),
        (("1.8",), 8, 0, 8),
    ],
)
def test_the_oldest_one_that_compiles_the_code_and_loads_its_libraries(
    monkeypatch: pytest.MonkeyPatch,
    wanted: tuple[str, ...],
    level: int,
    libraries: int,
    chosen: int,
) -> None:
    known = tuple(Jdk(Path(f"/jdks/{version}"), version) for version in (8, 11, 17))
    monkeypatch.setattr(jdks, "installed", lambda: known)
    assert find_jdk(wanted, level, libraries).version == chosen


def _class(level: int) -> bytes:
    return struct.pack(">IHH", 0xCAFEBABE, 0, level + 44)


@given(levels=st.lists(st.integers(1, 60), min_size=1, max_size=4))
def test_libraries_are_for_the_newest_java_that_any_of_them_is_for(
    tmp_path_factory: pytest.TempPathFactory, levels: list[int]
) -> None:
    place = tmp_path_factory.mktemp("jars")
    for number, level in enumerate(levels):
        with ZipFile(place / f"{number}.jar", "w") as jar:
            jar.writestr("META-INF/versions/61/a/A.class", _class(61))
            jar.writestr("module-info.class", _class(62))
            jar.writestr("a/A.class", _class(level))
    assert level_of_libraries(sorted(place.iterdir())) == max(levels)


@pytest.mark.parametrize("content", [b"", b"\xca\xfe", b"no class at all", _class(0)])
def test_what_is_no_library_says_nothing(tmp_path: Path, content: bytes) -> None:
    jars = [tmp_path / name for name in ("a.jar", "b.jar", "absent.jar", "classes")]
    jars[0].write_bytes(content)
    with ZipFile(jars[1], "w") as jar:
        jar.writestr("A.class", content)
    assert level_of_libraries(jars) == 0
    assert level_of_libraries([]) == 0


def test_options_came_with_modules() -> None:
    assert released(8, 8) == ["-source", "8", "-target", "8"]
    assert released(8, 17) == ["--release", "8"]
    assert open_packages(8, 8) == ()
    assert open_packages(8, 9)
    line = "<argLine>--add-opens java.base/java.util=ALL-UNNAMED -Xmx1g</argLine>"
    plugin = f"<plugin><artifactId>maven-surefire-plugin</artifactId><configuration>{line}"
    text = f"<build><plugins>{plugin}</configuration></plugin></plugins></build>"
    pom = ET.fromstring(f'<project xmlns="http://maven.apache.org/POM/4.0.0">{text}</project>')
    assert machine_options(pom, 8, 8, "/copy") == ["-Xmx1g"]


LOADING = """\
#!/bin/sh
[ "$JAVA_HOME" = "{newest}" ] && exec echo "built with $JAVA_HOME"
echo '[ERROR] Failed to execute goal a:maven-compiler-plugin:3.15.0:compile (default-compile) on \
project words: Compilation failure'
printf '[ERROR] \\tat java.base/java.lang.ClassLoader.defineClass1(Native Method)\\n'
exit 1
"""


@pytest.mark.skipif(
    len(installed()) < 2, reason="needs two JDKs: apt-get install openjdk-25-jdk-headless"
)
def test_maven_runs_on_a_later_jdk_where_its_compiler_cannot_load_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with JsonUnit's Error Prone: what the plug-in prints lacks the name of the error."""
    *_, before, newest = sorted(installed(), key=lambda jdk: jdk.version)
    program = tmp_path / "maven" / "bin" / "mvn"
    program.parent.mkdir(parents=True)
    program.write_text(LOADING.format(newest=newest.home))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    private = tmp_path / "private"
    (private / "tree").mkdir(parents=True)
    said = Maven(ProcessSandbox(), before).run(
        ["compile"], directory=private / "tree", private=private, repository=tmp_path / "jars"
    )
    assert said.strip() == f"built with {newest.home}"
