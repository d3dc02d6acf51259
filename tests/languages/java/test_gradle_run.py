"""Projects of which only running Gradle says what they consist of."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.environment.types import Environment, SharedDownloads
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.gradle.described import read_projects
from evaluator.languages.java.environment.gradle.installed import distributions
from evaluator.languages.java.environment.gradle.units import GradleBuild
from evaluator.languages.java.environment.jdk import find_jdk, installed
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.model import Status
from tests.languages.java.building import Project, build, statuses
from tests.languages.java.repository import lay

PLURAL = """\
package words;

public class Plural {
    public static String of(String word) {
        return word + Ending.VALUE;
    }
}
"""
PLURAL_TEST = """\
package words;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PluralTest {
    @Test
    public void cat() {
        assertEquals("cats", Plural.of("cat"));
    }

    @Test
    public void settings() throws Exception {
        assertEquals("yes", System.getenv("WORDS"));
        assertEquals(System.getProperty("user.dir") + "/data", System.getProperty("words.home"));
        assertEquals('f', Plural.class.getResourceAsStream("names.txt").read());
    }
}
"""
GREETING = """\
package app;

public class Greeting {
    public static String to(String whom) {
        return "hello " + words.Plural.of(whom);
    }
}
"""
GREETING_TEST = """\
package app;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class GreetingTest {
    @Test
    public void cats() {
        assertEquals("hello cats", Greeting.to("cat"));
    }
}
"""
GENERATING = """\
def generated = file("$buildDir/generated")
task ending {
    outputs.dir generated
    doLast {
        new File(generated, 'words').mkdirs()
        new File(generated, 'words/Ending.java').text =
            'package words; interface Ending { String VALUE = "s"; }'
    }
}
sourceSets.main.java.srcDir generated
compileJava.dependsOn ending
processResources { filter { it.replace('@first@', 'filled') } }
test {
    systemProperty 'words.home', "$projectDir/data"
    environment 'WORDS', 'yes'
}
"""
CORE, CORE_TEST = "core/src/main/java/words/Plural.java", "core/src/test/java/words/PluralTest.java"
APP_TEST = "app/src/test/java/app/GreetingTest.java"
FILES = {
    "settings.gradle": "['core', 'app'].each { include it }\n",
    "build.gradle": """\
subprojects {
    apply plugin: 'java'
    sourceCompatibility = 8
    repositories { jcenter() }
    dependencies { testCompile "junit:junit:${junitVersion()}" }
}
String junitVersion() { "4." + (10 + 3) }
""",
    "core/build.gradle": GENERATING,
    "core/src/main/resources/words/names.txt": "@first@\n",
    "core/src/main/resources/words/plain.txt": "as it is\n",
    CORE: PLURAL,
    CORE_TEST: PLURAL_TEST,
    "app/build.gradle": "dependencies { compile project(':core') }\n",
    "app/src/main/java/app/Greeting.java": GREETING,
    APP_TEST: GREETING_TEST,
}
# Stands for the wrapper of a Gradle that runs on the JDK at hand, of which there is none to be had.
WRAPPER = """\
package org.gradle.wrapper;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class GradleWrapperMain {
    public static void main(String[] arguments) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList("gradle"));
        command.addAll(Arrays.asList(arguments));
        System.exit(new ProcessBuilder(command).inheritIO().start().waitFor());
    }
}
"""
WRAPPED = "distributionUrl=https\\://services.gradle.org/distributions/gradle-{version}-bin.zip\n"
SETTINGS = "gradle/wrapper/gradle-wrapper.properties"
JAR = "gradle/wrapper/gradle-wrapper.jar"


def running(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test that runs Gradle."""
    marks = (pytest.mark.java, pytest.mark.gradle, pytest.mark.maven_central)
    for mark in (*marks, pytest.mark.bubblewrap, pytest.mark.timeout(900)):
        test = mark(test)
    return test


def laid(tree: Path, files: Mapping[str, str] = FILES) -> Path:
    lay(tree, files)
    return tree


def built(tree: Path, cache: Path) -> Environment:
    return build(tree, cache, downloads=SharedDownloads("example/words", trusted=True))


def outcomes(tree: Path, environment: Environment, *files: str) -> dict[str, Status]:
    return statuses(Project(tree, environment).run(*files))


@pytest.fixture
def no_gradle(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """All programs of this machine are found, but for Gradle."""
    others = tmp_path_factory.mktemp("programs")
    for place in filter(Path.is_dir, map(Path, os.get_exec_path())):
        for program in place.iterdir():
            if program.name != "gradle" and not (others / program.name).is_symlink():
                (others / program.name).symlink_to(program)
    monkeypatch.setenv("PATH", str(others))


def below(overlays: tuple[Path, ...]) -> list[str]:
    return sorted(
        path.relative_to(overlay).as_posix()
        for overlay in overlays
        for path in overlay.rglob("*")
        if path.is_file()
    )


@running
def test_gradle_says_what_computed_scripts_come_to(tmp_path: Path, java_cache: Path) -> None:
    """Class paths, what is generated and filled in, and what tests are given."""
    tree = laid(tmp_path / "words")
    environment = built(tree, java_cache)
    assert "junit-4.13" in environment.packages
    assert below(environment.overlays) == [
        "core/build/generated/words/Ending.java",
        "core/build/resources/main/words/names.txt",
    ]
    shutil.copytree(environment.overlays[0], tree, dirs_exist_ok=True)
    passing = {"cat": "passed", "settings": "passed", "cats": "passed"}
    assert outcomes(tree, environment, CORE_TEST, APP_TEST) == passing
    (tree / CORE).write_text(PLURAL.replace("Ending.VALUE", '"z"'))
    broken = passing | {"cat": "failed", "cats": "failed"}
    assert outcomes(tree, environment, CORE_TEST, APP_TEST) == broken


@running
def test_what_cannot_be_generated_is_told_where_it_is_missed(
    tmp_path: Path, java_cache: Path
) -> None:
    failing = GENERATING.replace("doLast {", "doLast {\n        throw new Exception('no network')")
    tree = laid(tmp_path / "words", FILES | {"core/build.gradle": failing})
    with pytest.raises(EnvironmentBuildError) as error:
        built(tree, java_cache)
    assert "Gradle does not generate everything: Execution failed for task ':core:ending'" in str(
        error.value
    )
    assert "no network" in str(error.value)
    lay(tree, {CORE: PLURAL.replace("Ending.VALUE", '"s"')})
    tree = tree.rename(tmp_path / "again")
    assert outcomes(tree, built(tree, java_cache), APP_TEST) == {"cats": "passed"}


@running
def test_a_project_without_its_libraries_is_left_out_alone(
    tmp_path: Path, java_cache: Path
) -> None:
    lacking = "dependencies { compile 'example:nowhere:1' }\n"
    tree = laid(tmp_path / "words", FILES | {"app/build.gradle": lacking})
    environment = built(tree, java_cache)
    assert any("Could not find example:nowhere:1" in e.reason for e in environment.uncompiled)
    shutil.copytree(environment.overlays[0], tree, dirs_exist_ok=True)
    assert outcomes(tree, environment, CORE_TEST)["cat"] == "passed"


@running
def test_classes_of_other_languages_are_compiled_by_gradle(
    tmp_path: Path, java_cache: Path
) -> None:
    groovy = "package words\n\nclass Ending {\n    public static final String VALUE = 's'\n}\n"
    script = "apply plugin: 'groovy'\ndependencies { compile localGroovy() }\n"
    settings = GENERATING[GENERATING.index("processResources") :]
    files = FILES | {
        "core/build.gradle": f"{settings}\nproject(':app') {{\n{script}}}\n",
        CORE: PLURAL.replace("Ending.VALUE", '"s"'),
        "app/src/main/groovy/words/Ending.groovy": groovy,
        APP_TEST: GREETING_TEST.replace('"hello cats"', '"hello cat" + words.Ending.VALUE'),
    }
    tree = laid(tmp_path / "words", files)
    environment = built(tree, java_cache)
    assert "app/build/classes/groovy/main/words/Ending.class" in below(environment.overlays)
    shutil.copytree(environment.overlays[0], tree, dirs_exist_ok=True)
    assert outcomes(tree, environment, APP_TEST) == {"cats": "passed"}


@running
@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"build.gradle": "subprojects {"},
            "Gradle cannot say what it consists of: the installed one: Could not com",
        ),
        ({"build.gradle": "throw new Exception('by hand')"}, "A problem .* > by hand"),
        (
            {"build.gradle": "", "app/build.gradle": ""},
            "Gradle cannot say .* one: Task 'fixgateLayout' not found",
        ),
        ({APP_TEST: "", CORE_TEST: ""}, "Gradle has no task that runs tests written in Java"),
    ],
)
def test_what_gradle_cannot_do_is_named_with_what_to_write(
    tmp_path: Path, java_cache: Path, files: Mapping[str, str], said: str
) -> None:
    tree = laid(tmp_path / "words", {**FILES, "core/build.gradle": "", **files})
    for path in (path for path, text in files.items() if not text and path.endswith(".java")):
        (tree / path).unlink()
    with pytest.raises(EnvironmentBuildError, match=said) as error:
        built(tree, java_cache)
    assert "fixgate.yml" in str(error.value)


@running
@pytest.mark.usefixtures("no_gradle")
def test_a_wrapper_is_run_before_the_gradle_of_this_machine(
    tmp_path: Path, java_cache: Path
) -> None:
    tree = laid(tmp_path / "words", FILES | {SETTINGS: WRAPPED.format(version="8.5")})
    source = tmp_path / "org/gradle/wrapper/GradleWrapperMain.java"
    lay(tmp_path, {str(source.relative_to(tmp_path)): WRAPPER})
    tools = find_jdk((), 8).home / "bin"
    subprocess.run([tools / "javac", source], check=True)
    subprocess.run([tools / "jar", "cf", tree / JAR, "-C", tmp_path, "org"], check=True)
    assert "junit-4.13" in built(tree, java_cache).packages


@running
def test_why_the_wrapper_could_not_be_had_is_told_beside(tmp_path: Path, java_cache: Path) -> None:
    files = {**FILES, "build.gradle": "throw new Exception('by hand')", JAR: ""}
    tree = laid(tmp_path / "words", {**files, SETTINGS: WRAPPED.format(version="8.5")})
    said = "its wrapper: .*GradleWrapperMain; the installed one: A problem .* > by hand"
    with pytest.raises(EnvironmentBuildError, match=f"(?s){said}"):
        built(tree, java_cache)


@pytest.mark.java
@pytest.mark.usefixtures("no_gradle")
@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, r"Gradle is not installed .*commit its wrapper.*fixgate\.yml"),
        ({SETTINGS: WRAPPED.format(version="4.4"), JAR: ""}, r"4\.4 runs on .*: install JDK 9 or"),
    ],
)
def test_without_any_gradle_that_can_run_it_says_what_to_install(
    tmp_path: Path,
    java_cache: Path,
    files: Mapping[str, str],
    said: str,
) -> None:
    if installed()[0].version < 10:
        pytest.skip("a JDK is installed that runs the old Gradle")
    with pytest.raises(EnvironmentBuildError, match=f"(?s){said}"):
        built(laid(tmp_path / "words", {**FILES, **files}), java_cache)


@pytest.mark.java
@pytest.mark.parametrize(("version", "runs"), [("999.1", True), ("1.12", False), ("x", False)])
def test_a_wrapper_counts_where_its_gradle_runs_on_a_jdk_at_hand(
    tmp_path: Path, version: str, runs: bool
) -> None:
    tree = laid(tmp_path, {SETTINGS: WRAPPED.format(version=version), JAR: ""})
    names = {
        offline: [each.name for each in distributions(tree, offline=offline)]
        for offline in (False, True)
    }
    assert ("its wrapper" in names[False]) is runs
    assert "its wrapper" not in names[True]


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"build.gradle": "throw new Exception()"}, "gradle"),
        ({"settings.gradle.kts": ""}, "gradle"),
        ({"build.gradle.kts": "", "build.xml": ""}, "ant"),
        ({"build.gradle": "", "pom.xml": ""}, "maven"),
        ({"build.gradle": "", "core/pom.xml": ""}, "maven"),
        ({"build.gradle": "", "examples/pom.xml": "", "src/main/java/A.java": ""}, "gradle"),
        ({"README": ""}, ""),
    ],
)
def test_gradle_is_for_what_nothing_else_builds(
    tmp_path: Path, files: Mapping[str, str], expected: str
) -> None:
    recipe = discover_recipe(laid(tmp_path, {**files, "src/A.java": ""}))
    assert isinstance(recipe, JavaRecipe)
    assert recipe.build == expected


@pytest.mark.parametrize("text", ["", "[]", '{"directory": 1}', '{"directory": "/", "x": 1}'])
def test_what_code_of_the_tree_wrote_in_gradle_s_name_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "0.json").write_text(text)
    with pytest.raises(EnvironmentBuildError, match="what Gradle wrote of a project is broken"):
        read_projects(tmp_path)


def described(copy: Path, name: str, *class_path: str, **more: object) -> dict[str, object]:
    """What Gradle could say of a source set with one class."""
    return {
        "name": name,
        "roots": [f"{copy}/{name}"],
        "sources": [f"{copy}/{name}/A.java"],
        "resources": [],
        "classes": [f"{copy}/build/{name}"],
        "compiled": [],
        "made": [],
        "class_path": [f"{copy}/{each}" for each in class_path],
        "error": "",
        "level": "17",
        "encoding": "",
        "options": [],
        "processors": [],
        **more,
    }


def gradle_build(tmp_path: Path, *sets: Mapping[str, object], archive: str = "") -> GradleBuild:
    """A build of one project, whose tests are those of the set `test`."""
    copy, written = tmp_path / "tree", tmp_path / "written"
    project = {
        "directory": str(copy),
        "sets": sets,
        "tests": [
            {
                "classes": [f"{copy}/build/test"],
                "directory": str(copy),
                "machine": ["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-javaagent:x.jar"],
                "variables": {"IN": f"{copy}/data", "AWAY": f"{tmp_path}/home"},
            }
        ],
        "archives": [{"name": archive, "path": f"{copy}/build/{archive}.jar"}] if archive else [],
    }
    lay(written, {"0.json": json.dumps(project)})
    files = [f"{each['name']}/A.java" for each in sets]
    place = tmp_path / "place"
    return GradleBuild(copy, tmp_path / "home", place, read_projects(written), files)


@pytest.mark.parametrize(
    ("archive", "packed"),
    [("jar", "main"), ("shadowJar", "main"), ("testJar", "test"), ("fixturesJar", "fixtures")],
)
def test_a_jar_of_the_project_stands_for_the_classes_in_it(
    tmp_path: Path, archive: str, packed: str
) -> None:
    copy = tmp_path / "tree"
    sets = [described(copy, name) for name in ("main", "fixtures")]
    seen = described(copy, "test", f"build/{archive}.jar", "build/other", "lib/absent.jar")
    *_, unit = gradle_build(tmp_path, *sets, seen, archive=archive).layout().units
    assert list(unit.classpath) == ([] if packed == "test" else [f"unit:gradle-0-{packed}"])


def test_what_tests_are_given_is_theirs_wherever_the_tree_lies(tmp_path: Path) -> None:
    unit = gradle_build(tmp_path, described(tmp_path / "tree", "test")).layout().units[0]
    assert list(unit.machine) == ["--add-opens=java.base/java.lang=ALL-UNNAMED"]
    assert unit.variables == {"IN": "{tree}/data"}
    assert (unit.test, unit.level, list(unit.options)) == (True, 17, ["-proc:none"])


def test_sets_that_need_each_other_are_refused(tmp_path: Path) -> None:
    copy = tmp_path / "tree"
    sets = [described(copy, "main", "build/test"), described(copy, "test", "build/main")]
    with pytest.raises(EnvironmentBuildError, match="need each other: gradle-0"):
        gradle_build(tmp_path, *sets).layout()


def test_no_path_leads_out_of_the_tree_or_to_files_of_the_host(tmp_path: Path) -> None:
    """Code of the tree runs while Gradle does, and may write what it likes."""
    copy, secret = tmp_path / "tree", tmp_path / "secret.jar"
    secret.touch()
    outside = f"{copy}/../secret"
    odd = {"roots": [outside, f"{copy}/test"], "resources": [outside], "made": [outside]}
    build = gradle_build(tmp_path, described(copy, "test", "../secret.jar", **odd))
    unit = build.layout().units[0]
    assert (list(unit.roots), list(unit.resources), list(unit.classpath)) == (["test"], [], [])
    assert list(build.directories) == ["test"]
