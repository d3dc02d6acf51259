"""What is literal in a Gradle script is read; a script that says anything else is left alone."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java.environment.gradle.names import filled
from evaluator.languages.java.environment.gradle.projects import project_directories
from evaluator.languages.java.environment.gradle.reading import read_script
from evaluator.languages.java.environment.gradle.scripts import FILES
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.languages.registry import language

SCRIPT = """\
buildscript {
    dependencies { classpath 'com.example:a-plugin:1.0' }
}
apply plugin: 'java'
apply from: 'gradle/versions.gradle'
// compile "left:out:1"
/* compile 'left:out:2' */
test { include '**/*Test.class' }
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
        source="the repository",
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
        testRuntimeOnly("org.junit.platform:junit-platform-launcher")
        testImplementation(files("lib/a.jar", "lib/b.jar"))
    }
    """.replace("; test", "\ntest")
    found = read_script(tree_of(tmp_path, script, "build.gradle.kts"))
    assert found["dependencies"] == ("a:b:1.0", "lib/a.jar", "lib/b.jar")


def test_sources_that_are_left_out(tmp_path: Path) -> None:
    script = SCRIPT.replace(
        "main { java.srcDir 'src' }",
        """main {
            java { srcDir 'src'
                exclude 'a/super/**', "b/*.java"
            }
            resources { exclude 'c/**' }
        }
        gwt { java { exclude 'd/**' } }""",
    )
    tree = tree_of(tmp_path, script)
    found = language("java").environments.discover(tree)
    assert found == JavaRecipe(
        source="the repository",
        build="javac",
        arguments=("--release", "7"),
        sources=("src",),
        tests=("test",),
        excludes=("a/super/**", "b/*.java"),
        dependencies=DEPENDENCIES,
    )


@pytest.mark.parametrize("mark", ["optional", "provided"])
def test_a_dependency_may_be_marked_as_not_passed_on(tmp_path: Path, mark: str) -> None:
    """JsonPath marks most of its own so."""
    script = SCRIPT.replace('hamcrest-core:$hamcrest"', f'hamcrest-core:$hamcrest", {mark}')
    assert read_script(tree_of(tmp_path, script))["dependencies"] == DEPENDENCIES


def test_a_list_may_end_with_a_comma(tmp_path: Path) -> None:
    script = SCRIPT.replace("compile 'a.b:c:1.0',", "compile('a.b:c:1.0',").replace(
        'hamcrest-core:$hamcrest"', 'hamcrest-core:$hamcrest",\n)'
    )
    assert read_script(tree_of(tmp_path, script))["dependencies"] == DEPENDENCIES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("'a.b:c:1.0'", "'a.b:c:1.+'"),
        ("'a.b:c:1.0'", "'a.b:c'"),
        ("'a.b:c:1.0'", "'a.b:c:latest.release'"),
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


ROOT = """\
ext {
    versions = [junit: '5.10.1']
    libs = [
        json: 'a.b:json:1.2',
        test: ["org.junit.jupiter:junit-jupiter:$versions.junit", 'a.b:json:1.3'],
    ]
}
subprojects {
    sourceCompatibility = JavaVersion.VERSION_11
    dependencies { testImplementation libs.test }
}
"""
CORE = "dependencies { api libs.json }"
CLI = """\
dependencies {
    implementation project(':core')
    implementation("c.d:e:" + cli) { exclude group: 'x', module: 'y' }
}
"""


def several(place: Path, **changed: str) -> Path:
    """A build of the projects `core` and `tools/cli`, and of documents without sources."""
    texts = {
        "settings.gradle": "include ':core', // the first\n    ':tools:cli'\ninclude 'docs'\n",
        "gradle.properties": "cli=2.0\n",
        "build.gradle": ROOT,
        "core/build.gradle": CORE,
        "tools/cli/build.gradle": CLI,
        "docs/build.gradle": "dependencies { implementation unknown }",
        "core/src/main/java/A.java": "class A {}",
        "core/src/test/java/ATest.java": "class ATest {}",
        "tools/cli/src/main/java/B.java": "class B {}",
        **changed,
    }
    for name, text in texts.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    return place


def test_projects_of_one_build_are_read_together(tmp_path: Path) -> None:
    assert read_script(several(tmp_path)) == {
        "sources": ("core/src/main/java", "tools/cli/src/main/java"),
        "tests": ("core/src/test/java",),
        # Of two versions the newer one.
        "dependencies": (
            "org.junit.jupiter:junit-jupiter:5.10.1",
            "a.b:json:1.3",
            "c.d:e:2.0",
        ),
        "arguments": ("--release", "11"),
    }


def test_settings_say_where_projects_are(tmp_path: Path) -> None:
    settings = """\
    include(
        "core",
        "cli"
    )
    project(":cli").projectDir = new File(rootProject.projectDir, "/tools/cli")
    include(":outside")
    project(":outside").projectDir = new File(settingsDir, "../outside")
    """
    (tmp_path / "outside").mkdir()
    tree = several(tmp_path / "tree", **{"settings.gradle.kts": settings, "settings.gradle": ""})
    assert project_directories(tree) == ("", "core", "tools/cli")


def test_scripts_that_projects_apply_by_name_are_read(tmp_path: Path) -> None:
    script = "dependencies { testImplementation(libs.test) }"
    convention = "buildSrc/src/main/groovy/own.java.gradle"
    root = ROOT.replace("dependencies { testImplementation libs.test }", "")
    tree = several(tmp_path, **{"build.gradle": root, convention: script})
    assert "org.junit.jupiter:junit-jupiter:5.10.1" in read_script(tree)["dependencies"]


@pytest.mark.parametrize(
    "changed",
    [
        {"core/build.gradle": "dependencies { api libs.other }"},
        {"tools/cli/build.gradle": CLI.replace("project(':core')", "the.project(':core')")},
        {"gradle.properties": ""},
        # Both are compiled, and only one could be.
        {"tools/cli/src/main/java/A.java": "class A {}"},
        # Neither is in the other's place.
        {"tools/cli/build.gradle": CLI.replace("c.d:e:", "a.b:json:2.")},
    ],
)
def test_projects_that_cannot_be_read_together(tmp_path: Path, changed: dict[str, str]) -> None:
    assert read_script(several(tmp_path, **changed)) == {}


CATALOG = """\
[versions]
assertj = "3.25.1"
strict = { strictly = "1.1" }

[libraries]
assert-j = { module = "org.assertj:assertj-core", version.ref = "assertj" }
strict_one = { group = "a", name = "b", version.ref = "strict" }
plain = "c:d:1"
junit-bom = { module = "org.junit:junit-bom", version = "5.10.1" }
junit = { module = "org.junit.jupiter:junit-jupiter" }

[bundles]
testing = ["assert-j", "junit"]
"""


def test_names_of_a_version_catalog_are_read(tmp_path: Path) -> None:
    script = """\
    dependencies {
        implementation(libs.plain)
        implementation(libs.strict.one)
        testImplementation(platform(libs.junit.bom))
        testImplementation(libs.bundles.testing)
    }
    """
    found = read_script(single(tmp_path, script, CATALOG))
    assert found["dependencies"] == (
        *("c:d:1", "a:b:1.1", "org.junit:junit-bom:5.10.1@pom"),
        *("org.assertj:assertj-core:3.25.1", "org.junit.jupiter:junit-jupiter"),
    )
    for old in ("strict_one", "plain", "assertj =", "strictly"):
        broken = CATALOG.replace(old, f"other-{old}")
        assert read_script(single(tmp_path, script, broken)) == {}
    # Without a platform, nothing says a version.
    without = script.replace("testImplementation(platform(libs.junit.bom))", "")
    assert read_script(single(tmp_path, without, CATALOG)) == {}
    assert read_script(single(tmp_path, script, "no catalog")) == {}


@pytest.mark.parametrize(
    ("said", "dependency"),
    [
        ('useJUnitJupiter("5.10.1")', "org.junit.jupiter:junit-jupiter:5.10.1"),
        ('useJUnit("4.13.2")', "junit:junit:4.13.2"),
        ('useTestNG("7.9.0")', "org.testng:testng:7.9.0"),
        ("useJUnit()", None),
    ],
)
def test_a_suite_says_the_version_of_its_framework(
    tmp_path: Path, said: str, dependency: str | None
) -> None:
    script = f"""\
    dependencies {{
        implementation("c:d:1")
    }}
    testing {{
        suites.withType(JvmTestSuite::class).configureEach {{
            {said}
        }}
    }}
    """
    found = read_script(single(tmp_path, script, CATALOG))
    assert found["dependencies"] == ("c:d:1", *filter(None, [dependency]))


def single(place: Path, script: str, catalog: str) -> Path:
    for directory in ("src/main/java", "src/test/java", "gradle"):
        (place / directory).mkdir(parents=True, exist_ok=True)
    (place / "build.gradle.kts").write_text(script)
    (place / "gradle" / "libs.versions.toml").write_text(catalog)
    return place


@given(st.text("libs.ab=[]:'\"$ ,+\n", max_size=200), st.text('[libraries]\na="{}:.', max_size=80))
def test_any_text_has_names(
    tmp_path_factory: pytest.TempPathFactory, text: str, catalog: str
) -> None:
    place = tmp_path_factory.mktemp("names")
    (place / "gradle").mkdir()
    (place / "gradle" / "libs.versions.toml").write_text(catalog)
    assert isinstance(filled(text, place), str)


@pytest.mark.parametrize(
    "text",
    [
        *("dependencies {", "a = [b: ", "include 'a',\n", "a.a.", "${a", "'a' + a", "/* ", "'"),
        *("'\\\\", "\n", " ", "testImplementation(", "testImplementation 'a' {", "fileTree "),
        "a = [b: ['c'  'c'",
    ],
)
@pytest.mark.parametrize("before", ["", "dependencies {\n", "a = [b: ['c'", "fileTree", "apply"])
def test_long_scripts_are_read_in_time(tmp_path: Path, before: str, text: str) -> None:
    started = time.process_time()
    read_script(several(tmp_path, **{"build.gradle": before + text * 20_000}))
    assert time.process_time() - started < 20


@given(st.text("dependencies {}()'\":.,$\n\\/*abc=", max_size=200))
def test_any_text_is_a_script(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    place = tmp_path_factory.mktemp("script")
    (place / FILES[0]).write_text(text)
    assert isinstance(read_script(place), dict)
