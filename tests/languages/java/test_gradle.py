"""What is literal in a Gradle script is read; a script that says anything else is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java.environment.gradle import FILES, read_script
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.languages.registry import language

SCRIPT = """\
buildscript {
    dependencies { classpath 'com.example:a-plugin:1.0' }
}
apply plugin: 'java'
apply from: 'gradle/versions.gradle'
// compile "left:out:1"
sourceCompatibility = 1.7
def hamcrest = '1.3'
configurations { provided }
sourceSets {
    main { java.srcDir 'src' }
    test { java { srcDirs = ['test', 'nowhere'] } }
}
dependencies {
    provided "junit:junit:4.12"
    compile 'a.b:c:1.0', "org.hamcrest:hamcrest-core:$hamcrest"
    compile group: 'x', name: 'y', version: '2'
    testCompile(libraries.assertj) {
        exclude group: 'z'
    }
    testCompile fileTree('lib/test') { exclude '*.txt' }
    testRuntime configurations.provided
    notes "org.example:notes:${project.version}"
}
"""
VERSIONS = """\
ext { versions = [:]; libraries = [:] }
versions.assertj = '3.0.0'
libraries.assertj = "org.assertj:assertj-core:${versions.assertj}"
"""
DEPENDENCIES = (
    *("junit:junit:4.12", "a.b:c:1.0", "org.hamcrest:hamcrest-core:1.3", "x:y:2"),
    *("org.assertj:assertj-core:3.0.0", "lib/test/**/*.jar"),
)


def tree_of(place: Path, script: str, name: str = "build.gradle") -> Path:
    for directory in ("src", "test", "gradle"):
        (place / directory).mkdir()
    (place / "src" / "A.java").write_text("class A {}")
    (place / name).write_text(script)
    (place / "gradle" / "versions.gradle").write_text(VERSIONS)
    return place


def test_literal_notations_are_read(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, SCRIPT)
    assert language("java").environments.discover(tree) == JavaRecipe(
        source="found in the repository",
        build="javac",
        arguments=("--release", "7"),
        sources=("src",),
        tests=("test",),
        dependencies=DEPENDENCIES,
    )


def test_scripts_in_kotlin_are_read(tmp_path: Path) -> None:
    script = """\
    sourceSets { main { java.srcDir("src") }; test { java.srcDir("test") } }
    dependencies {
        implementation("a:b:1.0")
        testImplementation(files("lib/a.jar", "lib/b.jar"))
    }
    """.replace("; test", "\ntest")
    found = read_script(tree_of(tmp_path, script, "build.gradle.kts"))
    assert found["dependencies"] == ("a:b:1.0", "lib/a.jar", "lib/b.jar")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'a.b:c:1.0'", "'a.b:c:1.+'"),
        ("'a.b:c:1.0'", "'a.b:c'"),
        ("'a.b:c:1.0'", "project(':core')"),
        ("'a.b:c:1.0'", "unknown.library"),
        ("def hamcrest = '1.3'", "def hamcrest = version()"),
        ("def hamcrest = '1.3'", "def hamcrest = '1.3'\nhamcrest = '1.4'"),
        ("java.srcDir 'src'", "java.srcDir 'elsewhere'"),
        ("srcDirs = ['test', 'nowhere']", "srcDirs = tests()"),
        ("apply from", "// apply from"),
    ],
)
def test_a_script_that_says_anything_else_is_not_read(tmp_path: Path, old: str, new: str) -> None:
    assert read_script(tree_of(tmp_path, SCRIPT.replace(old, new))) == {}


@given(st.text("dependencies {}()'\":.,$\n\\/*abc=", max_size=200))
def test_any_text_is_a_script(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    place = tmp_path_factory.mktemp("script")
    (place / FILES[0]).write_text(text)
    assert isinstance(read_script(place), dict)
