"""Tests of several modules: in one run, and where some use those of another module."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evaluator.languages.java.environment.pom import place_of
from evaluator.languages.java.environment.types import java_environment
from evaluator.model import Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from tests.languages.java.building import MODULE, build, divide, replace, statuses
from tests.languages.java.repository import FIXED, POM, lay

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

MODULES = """\
<version>1-SNAPSHOT</version>
  <packaging>pom</packaging>
  <modules><module>core</module><module>user</module></modules>"""
CODE_OF_CORE = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>core</artifactId>
      <version>1-SNAPSHOT</version>
    </dependency>
  </dependencies>
"""
TESTS_OF_CORE = """\
    <dependency>
      <groupId>example</groupId>
      <artifactId>core</artifactId>
      <version>1-SNAPSHOT</version>
      <type>test-jar</type>
      <scope>test</scope>
    </dependency>
  </dependencies>
"""
NEEDING = CODE_OF_CORE.replace("  </dependencies>\n", TESTS_OF_CORE)
CHECKS = """\
package words;

import org.junit.jupiter.api.Assertions;

public abstract class Checks {
    protected static void plural(String expected, String word) {
        Assertions.assertEquals(expected, Plural.of(word));
    }
}
"""
USING = """\
package words;

import org.junit.jupiter.api.Test;

class UserTest extends Checks {
    @Test
    void box() {
        plural("boxes", "box");
    }
}
"""
TEST = "user/src/test/java/words/UserTest.java"


def assert_box_passes(tree: Path, java_cache: Path) -> None:
    environment = build(tree, java_cache)
    assert not environment.uncompiled
    request = RunRequest(tree, environment, (TEST,))
    assert statuses(run_tests(choose_sandbox("bubblewrap"), request)) == {"box": Status.PASSED}


def test_those_of_another_module_are_compiled_and_found(tmp_path: Path, java_cache: Path) -> None:
    files = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", MODULES, 1),
        "core/pom.xml": MODULE.format(name="core", rest=""),
        "core/src/main/java/words/Plural.java": FIXED,
        "core/src/test/java/words/Checks.java": CHECKS,
        "user/pom.xml": MODULE.format(name="user", rest=NEEDING),
        TEST: USING,
    }
    lay(tmp_path / "words", files)
    assert_box_passes(tmp_path / "words", java_cache)


PLACED = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.Test;

class NAMETest {
    @Test
    void NAME() {
        assertTrue(new File("src/test/data/NAME.txt").isFile());
        assertEquals("NAME", new File(System.getProperty("basedir")).getName());
        assertEquals("boxes", Plural.of("box"));
    }
}
"""


ELSEWHERE = """\
  <properties><end>er</end></properties>
  <build><directory>${project.basedir}/../target/${project.artifactId}</directory></build>
"""
"""As kryo has it, whose modules share sources at the root."""


@pytest.mark.parametrize(
    ("user", "built"), [("user", ""), ("us${end}", ELSEWHERE), ("core-tests", "")]
)
def test_each_runs_in_the_directory_of_its_module(
    tmp_path: Path, java_cache: Path, user: str, built: str
) -> None:
    tests = {name: f"{name}/src/test/java/words/{name}Test.java" for name in ("core", "user")}
    files = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", MODULES, 1),
        "core/pom.xml": MODULE.format(name="core", rest=built),
        "core/src/main/java/words/Plural.java": FIXED,
        "user/pom.xml": MODULE.format(name=user, rest=CODE_OF_CORE + built),
        **{path: PLACED.replace("NAME", name) for name, path in tests.items()},
        **{f"{name}/src/test/data/{name}.txt": "" for name in tests},
    }
    lay(tmp_path / "words", files)
    traced = {"core/src/main/java/words/Plural.java": frozenset({5})}
    request = RunRequest(
        tmp_path / "words",
        build(tmp_path / "words", java_cache),
        ("absent/src/test/java/words/AbsentTest.java", *tests.values()),
        traced=traced,
    )
    run = run_tests(choose_sandbox("bubblewrap"), request)
    assert statuses(run) == {"core": Status.PASSED, "user": Status.PASSED}
    assert run.hits == {"core/src/main/java/words/Plural.java": {5: 2}}
    assert len(run.contexts) == 2


PROFILES = """\
  <profiles>
    <profile>
      <id>all</id>
      <activation><activeByDefault>true</activeByDefault></activation>
      {modules}
    </profile>
    <profile>
      <id>later</id>
      <activation><jdk>[11,)</jdk></activation>
      <properties><later>true</later></properties>
    </profile>
  </profiles>
"""


def test_those_of_a_default_profile_beside_one_that_the_jdk_activates(
    tree: Path, java_cache: Path
) -> None:
    """As querydsl has them: Maven takes `all` for not active then."""
    divide(tree, {"core": "", "user": ""})
    (modules,) = re.findall("<modules>.*</modules>", (tree / "pom.xml").read_text())
    replace(tree, modules, "")
    replace(tree, "  <properties>", f"{PROFILES.format(modules=modules)}  <properties>")
    classes = java_environment(build(tree, java_cache)).classes
    assert len([*classes.rglob("Plural.class")]) == 2


UNREADABLE = """\
  <dependencyManagement><dependencies><dependency>
    <groupId>example.nowhere</groupId><artifactId>gone</artifactId><version>7</version>
    <type>pom</type><scope>import</scope>
  </dependency></dependencies></dependencyManagement>
"""


def test_one_that_maven_cannot_read_is_named_and_the_others_run(
    tmp_path: Path, java_cache: Path
) -> None:
    extra = MODULES.replace("<module>user</module>", "<module>extra/more/</module>")
    test = "core/src/test/java/words/coreTest.java"
    files = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", extra, 1),
        "core/pom.xml": MODULE.format(name="core", rest=""),
        "core/src/main/java/words/Plural.java": FIXED,
        "core/src/test/data/core.txt": "",
        test: PLACED.replace("NAME", "core"),
        "extra/more/pom.xml": MODULE.format(name="more", rest=UNREADABLE).replace(
            "</version>\n", "</version>\n    <relativePath>../..</relativePath>\n", 1
        ),
        "extra/more/src/main/java/words/More.java": "package words;\n\nclass More {}\n",
    }
    lay(tmp_path / "words", files)
    environment = build(tmp_path / "words", java_cache)
    (left_out,) = environment.uncompiled
    assert left_out.place == "extra/more"
    assert left_out.reason.startswith("Non-resolvable import POM: ")
    assert "example.nowhere:gone:pom:7" in left_out.reason
    run = run_tests(
        choose_sandbox("bubblewrap"), RunRequest(tmp_path / "words", environment, (test,))
    )
    assert statuses(run) == {"core": Status.PASSED}


@pytest.mark.parametrize(
    ("artifact", "place"),
    [
        ("kryo", "main"),
        ("kryo5", "versioned"),
        ("kryo5-benchmarks", "benchmarks"),
        ("twice", None),
        ("either_2", None),
        ("absent", None),
    ],
)
def test_the_pom_of_a_module_is_known_by_its_name(artifact: str, place: str | None) -> None:
    known = [
        *(("kryo", Path("main")), ("kryo${major}", Path("versioned"))),
        *(("kryo${major}-benchmarks", Path("benchmarks")), ("${whole", Path("broken"))),
        *(("twice", Path("a")), ("twice", Path("b"))),
        *(("either_${scala}", Path("c")), ("either_${scala}", Path("d"))),
    ]
    found = place_of(artifact, known)
    assert found == (None if place is None else Path(place))


ASKED_OF_GIT = "${nisse.jgit.dynamicVersion}"
NISSE = """\
<extensions>
  <extension>
    <groupId>eu.maveniverse.maven.nisse</groupId>
    <artifactId>extension</artifactId>
    <version>0.9.3</version>
  </extension>
</extensions>
"""


def test_a_version_that_is_left_to_something_else_is_some_version(
    tmp_path: Path, java_cache: Path
) -> None:
    """As JLine's is to an extension of Maven 3.9, which asks git for the last tag."""
    poms = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", MODULES, 1),
        "core/pom.xml": MODULE.format(name="core", rest=""),
        "user/pom.xml": MODULE.format(name="user", rest=NEEDING),
    }
    files = {
        **{path: pom.replace("1-SNAPSHOT", ASKED_OF_GIT) for path, pom in poms.items()},
        ".mvn/extensions.xml": NISSE,
        "core/src/main/java/words/Plural.java": FIXED,
        "core/src/test/java/words/Checks.java": CHECKS,
        TEST: USING,
    }
    lay(tmp_path / "words", files)
    assert_box_passes(tmp_path / "words", java_cache)


WITHOUT_PROCESSORS = """\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <configuration><proc>none</proc></configuration>
      </plugin>
    </plugins>
  </build>
"""
PROCESSOR = """\
package words;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ServiceLoader;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.element.TypeElement;
import javax.tools.StandardLocation;

@SupportedAnnotationTypes("*")
public class Processor extends AbstractProcessor {
    private static final String GENERATED = javax.annotation.Generated.class.getName();

    public Processor() throws ReflectiveOperationException {
        ClassLoader.class.getDeclaredMethod("findLoadedClass", String.class).setAccessible(true);
        for (Runnable service : ServiceLoader.load(Runnable.class, getClass().getClassLoader())) {
            service.run();
        }
    }

    @Override
    public boolean process(Set<? extends TypeElement> found, RoundEnvironment round) {
        if (round.processingOver()) {
            list("words.Service");
        }
        return false;
    }

    private void list(String name) {
        String place = "META-INF/services/java.lang.Runnable";
        try (Writer file = processingEnv.getFiler()
                .createResource(StandardLocation.CLASS_OUTPUT, "", place).openWriter()) {
            file.write(name);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
"""
"""As Immutables' own: its poms open the JDK for its parser, and it uses services that it lists.

As that of JMH before 1.21, it asks for an annotation that Java has had no more since version 11.
"""
SERVICE = "package words; public class Service implements Runnable { public void run() { } }"
WITHOUT_SENSE = "package words; class WithoutSense { Absent absent; }"


def test_processors_of_the_project_find_what_they_look_for_in_the_jdk_and_what_they_list(
    tmp_path: Path, java_cache: Path
) -> None:
    services = "core/src/main/resources/META-INF/services/javax.annotation.processing.Processor"
    code = "user/src/main/java/words"
    files = {
        "pom.xml": POM.replace("<version>1-SNAPSHOT</version>", MODULES, 1),
        "core/pom.xml": MODULE.format(name="core", rest=WITHOUT_PROCESSORS),
        "core/src/main/java/words/Processor.java": PROCESSOR,
        services: "words.Processor\n",
        "user/pom.xml": MODULE.format(name="user", rest=CODE_OF_CORE),
        f"{code}/Service.java": SERVICE,
        f"{code}/WithoutSense.java": WITHOUT_SENSE,
    }
    lay(tmp_path / "words", files)
    (left_out,) = build(tmp_path / "words", java_cache).uncompiled
    assert "cannot find symbol" in left_out.reason
