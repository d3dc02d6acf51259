"""Projects without a pom: what Ant reports, and what a repository says of itself."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.environment.types import Environment
from evaluator.errors import EnvironmentBuildError, InputError
from evaluator.languages.java.environment.ant_log import Call, read_calls
from evaluator.languages.java.environment.jdk import find_jdk
from evaluator.languages.java.environment.maven import Maven
from evaluator.languages.java.environment.tools import Tools
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.model import Status
from evaluator.sandbox.process import ProcessSandbox
from tests.languages.java.building import Project, build, statuses
from tests.languages.java.repository import BROKEN, OLD_TESTS

CODE, TESTS = "src/words/Plural.java", "test/words/PluralTest.java"
READING = OLD_TESTS.replace(
    "public void cat",
    """public void names() throws Exception {
        assertEquals('w', Plural.class.getResourceAsStream("names.txt").read());
    }

    @Test
    public void cat""",
)
SETTINGS = """\
environment:
  build: javac
  sources: [src]
  tests: [test]
  dependencies: ["junit:junit:4.13.2", "lib/hamcrest-*.jar"]
"""
BUILD = """\
<project name="words" default="test">
  <property name="java.source" value="1.5"/>
  <path id="all">
    <pathelement location="build/classes"/>
    <fileset dir="lib" includes="*.jar"/>
  </path>
  <target name="compile">
    <mkdir dir="build/classes"/>
    <javac srcdir="src" destdir="build/classes" excludes="**/Broken*" source="${java.source}"
           includeantruntime="false"/>
    <echo file="build/classes/words/names.txt">words</echo>
  </target>
  <target name="compile-tests" depends="compile">
    <mkdir dir="build/tests"/>
    <javac srcdir="test" destdir="build/tests" classpathref="all" includeantruntime="false"/>
  </target>
  <target name="test" depends="compile-tests">
    <junit><classpath refid="all"/></junit>
  </target>
</project>
"""
TESTS_MADE = '    <mkdir dir="build/tests"/>\n'
MADE_JAR = f'{TESTS_MADE}    <jar destfile="lib/own.jar" basedir="build/classes"/>\n'
LOG = """\
    [javac] words/A.java added as words/A.class doesn't exist.
    [javac] Compilation arguments:
    [javac] '-d'
    [javac] '/copy/build/classes'
    [javac] '-classpath'
    [javac] '/copy/build/classes:/copy/lib/a b.jar'
    [javac] '-source'
    [javac] '1.8'
    [javac]\x20
    [javac] The ' characters around the executable and arguments are
    [javac] not part of the command.
    [javac] Files to be compiled:
    [javac]     /copy/src/words/A.java
    [javac]     /copy/src/words/B.java
    [javac] warning: [options] bootstrap class path not set
     [echo] done
    [javac] Compilation arguments:
    [javac] '-d'
    [javac] '/copy/build/tests'
    [javac] File to be compiled:
    [javac]     /copy/test/words/ATest.java
"""


def test_the_compiler_s_calls_are_read_from_the_log() -> None:
    first, second = read_calls(LOG)
    assert first.files == (Path("/copy/src/words/A.java"), Path("/copy/src/words/B.java"))
    assert first.paths("-classpath") == (Path("/copy/build/classes"), Path("/copy/lib/a b.jar"))
    assert first.options["-source"] == "1.8"
    assert second == Call({"-d": "/copy/build/tests"}, (Path("/copy/test/words/ATest.java"),))


def laid(tree: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    return tree


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("junit:4", "junit-4", "line 5, environment.dependencies.*is no dependency; write `group:"),
        ("lib/h", "../lib/h", "line 5, environment.dependencies.*`../lib/.*is no dependency"),
        ("build: javac", "build: make", "line 2, environment.build: `make` is not a known build"),
    ],
)
def test_a_wrong_setting_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    laid(tmp_path, {".github/fixgate.yml": SETTINGS.replace(old, new), CODE: BROKEN})
    with pytest.raises(InputError, match=said):
        discover_recipe(tmp_path)


MAVEN_1 = """\
<project>
  <dependencies>
    <dependency><id>junit</id><version>3.8.1</version></dependency>
    <dependency>
      <groupId>commons-lang</groupId><artifactId>commons-lang</artifactId><version>2.1</version>
    </dependency>
    <dependency><id>cobertura</id><version>1.1</version><type>plugin</type></dependency>
  </dependencies>
  <build>
    <sourceDirectory>src</sourceDirectory>
    <unitTestSourceDirectory>test</unitTestSourceDirectory>
    <unitTest>
      <resources><resource><directory>data</directory></resource></resources>
    </unitTest>
  </build>
</project>
"""


def test_maven_1_lists_everything(tmp_path: Path) -> None:
    laid(tmp_path, {"project.xml": MAVEN_1, "build.xml": BUILD, "data/a.txt": "", CODE: BROKEN})
    assert discover_recipe(tmp_path) == JavaRecipe(
        source="the repository",
        build="javac",
        arguments=("--release", "8"),
        sources=("src",),
        tests=("test", "data"),
        dependencies=("junit:junit:3.8.1", "commons-lang:commons-lang:2.1"),
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("3.8.1", "${junit}"),
        ("<dependencies>", "<extend>../project.xml</extend><dependencies>"),
        ("<sourceDirectory>src</sourceDirectory>", ""),
        ("</project>", "</projekt>"),
    ],
)
def test_what_maven_1_does_not_say_literally_is_left_to_ant(
    tmp_path: Path, old: str, new: str
) -> None:
    files = {"project.xml": MAVEN_1.replace(old, new), "build.xml": BUILD, CODE: BROKEN}
    laid(tmp_path, files)
    recipe = discover_recipe(tmp_path)
    assert isinstance(recipe, JavaRecipe)
    assert (recipe.build, recipe.sources) == ("ant", ())


Test = Callable[..., None]


def needing(test: Test) -> Test:
    """Marks a test that builds and runs a project."""
    marks = (pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap)
    for mark in (*marks, pytest.mark.timeout(900)):
        test = mark(test)
    return test


def outcomes(tree: Path, environment: Environment, tests: str = TESTS) -> dict[str, Status]:
    return statuses(Project(tree, environment).run(tests))


class Kept:
    """A project with its jars in the tree, as people had it before Maven."""

    def __init__(self, place: Path, cache: Path) -> None:
        self.place, self.cache = place, cache
        tools = Tools(cache, ProcessSandbox(), Maven(ProcessSandbox(), find_jdk((), 8)))
        self.jars = tools.jars([("junit", "junit", "4.13.2")])

    def tree(self, files: Mapping[str, str]) -> Path:
        """A tree with these files beside code and a test."""
        tree = laid(self.place, {CODE: BROKEN, TESTS: READING, **files})
        (tree / "lib").mkdir()
        for jar in self.jars:
            shutil.copy(jar, tree / "lib")
        return tree

    def build(self, files: Mapping[str, str]) -> Environment:
        """The environment of a tree with these files."""
        return build(self.tree(files), self.cache)


@pytest.fixture
def kept(tmp_path: Path, java_cache: Path) -> Kept:
    return Kept(tmp_path / "words", java_cache)


PASSING = {"cat": "passed", "names": "passed"}

GRADLE = {
    "settings.gradle.kts": 'include(\n    "core"\n)\nproject(":core").projectDir = file("lib")\n',
    "gradle/libs.versions.toml": """\
[libraries]
bom = "org.junit:junit-bom:5.10.0"
vintage = { module = "org.junit.vintage:junit-vintage-engine" }
""",
    "lib/build.gradle.kts": """\
dependencies {
    testImplementation(platform(libs.bom))
    testImplementation(libs.vintage)
}
""",
    f"lib/src/main/java/{CODE.removeprefix('src/')}": BROKEN,
    "lib/src/test/data/names.txt": "words",
}


@needing
def test_tests_of_a_gradle_project_run_in_its_directory(tmp_path: Path, java_cache: Path) -> None:
    path = f"lib/src/test/java/{TESTS.removeprefix('test/')}"
    reading = READING.replace(
        'Plural.class.getResourceAsStream("names.txt")',
        'java.nio.file.Files.newInputStream(java.nio.file.Paths.get("src/test/data/names.txt"))',
    )
    tree = laid(tmp_path / "words", {**GRADLE, "build.gradle.kts": "", path: reading})
    assert outcomes(tree, build(tree, java_cache), path) == PASSING


@needing
def test_directories_and_jars_that_are_stated_are_compiled(kept: Kept) -> None:
    names = {"src/words/names.txt": "words"}
    environment = kept.build({".github/fixgate.yml": SETTINGS, **names})
    assert "junit-4.13.2" in environment.packages
    assert outcomes(kept.place, environment) == PASSING


@needing
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lib/", "jars/", r"there is no `jars/hamcrest-\*\.jar` in the repository"),
        ("[test]", "[tests]", "`environment.tests`: `tests` is no directory"),
        ("  tests: [test]\n", "", "`environment.tests`: there are none; write in"),
        ("junit:4.13.2", "junit:4.13.99", r"junit:junit:jar:4\.13\.99"),
    ],
)
def test_what_is_stated_and_not_there_is_named(kept: Kept, old: str, new: str, said: str) -> None:
    with pytest.raises(EnvironmentBuildError, match=said):
        kept.build({".github/fixgate.yml": SETTINGS.replace(old, new)})


@needing
def test_ant_compiles_once_and_reports_how(kept: Kept) -> None:
    environment = kept.build({"build.xml": BUILD, "src/words/Broken.java": "class"})
    assert "junit-4.13.2" in environment.packages
    (overlay,) = environment.overlays
    made = [path.relative_to(overlay) for path in overlay.rglob("*") if path.is_file()]
    assert made == [Path("build/classes/words/names.txt")]
    shutil.copytree(overlay, kept.place, dirs_exist_ok=True)
    assert outcomes(kept.place, environment) == PASSING
    (kept.place / CODE).write_text(BROKEN.replace('"s"', '"z"'))
    assert outcomes(kept.place, environment) == PASSING | {"cat": "failed"}


@needing
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</project>", "</projekt>", r"`build\.xml` cannot be read: mismatched tag: line"),
        ("junit>", "echo>", r"no target of `build\.xml` compiles tests"),
        ('srcdir="test"', 'srcdir="tset"', r"Ant cannot build it: .*tset"),
        (TESTS_MADE, MADE_JAR, r"`lib/own\.jar`.*of sources that may change"),
    ],
)
def test_what_ant_cannot_do_is_named_with_what_to_write(
    kept: Kept, old: str, new: str, said: str
) -> None:
    text = BUILD.replace(old, new).replace('<classpath refid="all"/></echo>', "</echo>")
    with pytest.raises(EnvironmentBuildError, match=said) as error:
        kept.build({"build.xml": text})
    assert "fixgate.yml" in str(error.value)


@needing
def test_without_a_build_file_it_says_what_to_write(kept: Kept) -> None:
    with pytest.raises(EnvironmentBuildError, match=r"(?s)neither .*fixgate\.yml.*build: javac"):
        kept.build({})
