"""What plug-ins of Maven and annotation processors write is there for the tests."""

from __future__ import annotations

import struct
from pathlib import Path
from zipfile import ZipFile

import pytest

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.java.environment.jdk import installed
from evaluator.languages.java.environment.lifecycle import phase_needed
from evaluator.languages.java.environment.types import java_environment
from tests.languages.java.building import (
    build,
    on_later_java,
    pom_with_plug_in,
    replace,
    resolves_dependencies,
)
from tests.languages.java.repository import CODE, FOR_MAVEN

pytestmark = pytest.mark.java

FILTERED = """\
    <resources>
      <resource><directory>src/main/resources</directory><filtering>true</filtering></resource>
    </resources>
"""
WRITING = """\
                <echo file="${project.build.outputDirectory}/plurals.txt">boxes</echo>
"""
RUNNING = """\
                <java classname="words.Writer" failonerror="true">
                  <classpath path="${project.build.outputDirectory}"/>
                  <arg value="${project.build.outputDirectory}/plurals.txt"/>
                </java>
"""
IN_GIT = """\
                <fail message="A git repository is required.">
                  <condition><not><available file=".git/HEAD"/></not></condition>
                </fail>
                <exec executable="git" failonerror="true" output="target/classes/kept.txt">
                  <arg value="ls-files"/>
                </exec>
"""
WRITER = """\
package words;

public class Writer {
    public static void main(String[] arguments) throws java.io.IOException {
        try (java.io.FileWriter file = new java.io.FileWriter(arguments[0])) {
            file.write(Plural.of("book"));
        }
    }
}
"""
ANNOTATIONS = """\
  <dependencyManagement>
    <dependencies>
      <dependency>
        <groupId>org.projectlombok</groupId>
        <artifactId>lombok</artifactId>
        <version>1.18.4</version>
      </dependency>
    </dependencies>
  </dependencyManagement>
  <dependencies>
    <dependency>
      <groupId>org.projectlombok</groupId>
      <artifactId>lombok</artifactId>
    </dependency>
    <dependency>
      <groupId>org.mapstruct</groupId>
      <artifactId>mapstruct</artifactId>
      <version>1.4.1.Final</version>
    </dependency>
"""
PROCESSORS = """\
            <path>
              <groupId>org.mapstruct</groupId>
              <artifactId>mapstruct-processor</artifactId>
              <version>1.4.1.Final</version>
            </path>
            <path>
              <groupId>org.projectlombok</groupId>
              <artifactId>lombok</artifactId>
            </path>
"""
MAPPING = """\
package words;

@org.mapstruct.Mapper
interface Mapping {
    Label label(Entry entry);

    @lombok.Data
    class Entry {
        private String word;
    }

    @lombok.Data
    class Label {
        private String word;
    }
}
"""
BENCHMARKS = """\
  <dependencies>
    <dependency>
      <groupId>org.openjdk.jmh</groupId>
      <artifactId>jmh-core</artifactId>
      <version>1.17.3</version>
    </dependency>
    <dependency>
      <groupId>org.openjdk.jmh</groupId>
      <artifactId>jmh-generator-annprocess</artifactId>
      <version>1.17.3</version>
      <scope>provided</scope>
    </dependency>
"""
MEASURED = """\
package words;

public class Measured {
    @org.openjdk.jmh.annotations.Benchmark
    public String plural() {
        return Plural.of("book");
    }
}
"""
ADDING = """\
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>build-helper-maven-plugin</artifactId>
        <version>3.6.0</version>
        <executions>
          <execution>
            <phase>{phase}</phase>
            <goals><goal>add-source</goal></goals>
            <configuration>
              <sources><source>{directory}</source></sources>
            </configuration>
          </execution>
        </executions>
      </plugin>
"""
ADDED_SOURCES = f"""\
  <build>
    <plugins>
{ADDING.format(phase="generate-sources", directory="src/more/java")}
      <plugin>
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <phase>generate-sources</phase>
            <goals><goal>run</goal></goals>
            <configuration>
              <target>
                <echo file="src/more/java/words/Made.java">package words; class Made {{}}</echo>
              </target>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
LISTED_FOR_THE_ARCHIVE = f"""\
  <build>
    <plugins>
{ADDING.format(phase="test", directory="src/main/java-mr/9")}
    </plugins>
  </build>
</project>
"""
CHECKS = """\
            <path>
              <groupId>com.google.errorprone</groupId>
              <artifactId>error_prone_core</artifactId>
              <version>2.50.0</version>
            </path>
"""
CHECKSTYLE = """\
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-checkstyle-plugin</artifactId>
        <version>3.6.0</version>
        <dependencies>
          <dependency>
            <groupId>com.puppycrawl.tools</groupId>
            <artifactId>checkstyle</artifactId>
            <version>13.3.0</version>
          </dependency>
        </dependencies>
        <executions>
          <execution><phase>validate</phase><goals><goal>check</goal></goals></execution>
        </executions>
      </plugin>
"""
"""Compiled for Java 21, and loaded though it is to be skipped."""
PLUG_IN = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>checks</artifactId>
      <version>1</version>
      <scope>system</scope>
      <systemPath>${basedir}/lib/checks.jar</systemPath>
    </dependency>
"""
REPLACER = """\
  <build>
    <plugins>
      <plugin>
        <groupId>com.google.code.maven-replacer-plugin</groupId>
        <artifactId>maven-replacer-plugin</artifactId>
        <version>1.4.1</version>
        <executions>
          <execution>
            <phase>process-sources</phase>
            <goals><goal>replace</goal></goals>
          </execution>
        </executions>
        <configuration>
          <file>src/main/templates/Version.java</file>
          <outputFile>src/main/java/words/Version.java</outputFile>
          <token>NUMBER</token>
          <value>${project.version}</value>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
"""
OLD_GENERATOR = """\
  <build>
    <plugins>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>jaxb2-maven-plugin</artifactId>
        <version>1.5</version>
        <executions>
          <execution>
            <goals><goal>xjc</goal></goals>
            <phase>generate-sources</phase>
            <configuration>
              <schemaDirectory>src/main/schema</schemaDirectory>
              <packageName>words.made</packageName>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""
BINDING = """\
  <dependencies>
    <dependency>
      <groupId>javax.xml.bind</groupId>
      <artifactId>jaxb-api</artifactId>
      <version>2.3.1</version>
    </dependency>
"""
SCHEMA = """\
<schema xmlns="http://www.w3.org/2001/XMLSchema"
    xmlns:jaxb="http://java.sun.com/xml/ns/jaxb" jaxb:version="2.1">
  <annotation><appinfo><jaxb:globalBindings generateIsSetMethod="true"/></appinfo></annotation>
  <complexType name="Entry"><sequence><element name="word" type="string"/></sequence></complexType>
</schema>
"""


def with_ant(phase: str, target: str, resources: str = "") -> str:
    """The end of a pom whose project has Ant do something in a phase."""
    return f"""\
  <build>
{resources}    <plugins>
      <plugin>
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <phase>{phase}</phase>
            <goals><goal>run</goal></goals>
            <configuration>
              <target>
{target}              </target>
            </configuration>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"""


def with_processors(paths: str) -> str:
    """The end of a pom whose compiler finds processors and plug-ins of its own there alone."""
    return f"""\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <configuration>
          <annotationProcessorPaths>
{paths}          </annotationProcessorPaths>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
"""


@pytest.mark.parametrize(
    ("execution", "phase"),
    [
        ("<goals><goal>jjtree-javacc</goal></goals>", "process-resources"),
        ("<goals><goal>generate</goal></goals>", "process-resources"),
        ("<goals><goal>generate</goal></goals><phase>package</phase>", ""),
        ("<goals><goal>check</goal></goals>", ""),
    ],
)
def test_plug_ins_whose_goals_write_sources_run(execution: str, phase: str) -> None:
    assert phase_needed([pom_with_plug_in("some", execution)], modules=False) == phase


@resolves_dependencies
def test_what_plug_ins_write_for_tests_is_laid_over_the_tree(tree: Path, java_cache: Path) -> None:
    replace(tree, "</project>\n", with_ant("process-classes", WRITING, FILTERED))
    replace(tree, "<maven.compiler.source>8", "<maven.compiler.source>1.5")
    (tree / "src/main/resources").mkdir(parents=True)
    (tree / "src/main/resources/name.txt").write_text("${project.artifactId}")
    (overlay,) = build(tree, java_cache).overlays
    written = {path.name: path.read_text() for path in overlay.rglob("*") if path.is_file()}
    assert written == {"name.txt": "words", "plurals.txt": "boxes"}


@resolves_dependencies
def test_what_the_project_itself_writes_for_its_tests_is_laid_over_the_tree(
    tree: Path, java_cache: Path
) -> None:
    """As joda-time writes its zones: by a class of its own, once that is compiled."""
    replace(tree, "</project>\n", with_ant("compile", RUNNING))
    replace(tree, "</properties>", FOR_MAVEN)
    (tree / "src/main/java/words/Writer.java").write_text(WRITER)
    (overlay,) = build(tree, java_cache).overlays
    assert (overlay / "target/classes/plurals.txt").read_text() == "books"


@resolves_dependencies
def test_plug_ins_that_need_a_repository_have_one_with_the_tree(
    tree: Path, java_cache: Path
) -> None:
    """As those that install hooks, or write down the commit."""
    (tree / "src" / "main" / "resources").mkdir(parents=True)
    (tree / "src" / "main" / "resources" / "name.txt").write_text("${project.artifactId}")
    replace(tree, "</project>\n", with_ant("process-classes", IN_GIT, FILTERED))
    (overlay,) = build(tree, java_cache).overlays
    assert CODE in (overlay / "target" / "classes" / "kept.txt").read_text().split()


@resolves_dependencies
def test_processors_beside_the_class_path_write_code_as_does_old_lombok(
    tree: Path, java_cache: Path
) -> None:
    """What Lombok 1.18.4 looks into of the compiler is closed since Java 16."""
    replace(tree, "  <dependencies>\n", ANNOTATIONS)
    replace(tree, "</project>", with_processors(PROCESSORS))
    (tree / CODE).with_name("Mapping.java").write_text(MAPPING)
    environment = java_environment(build(tree, java_cache))
    assert (environment.classes / "example.words" / "words" / "MappingImpl.class").is_file()


@resolves_dependencies
def test_processors_write_again_what_they_wrote_for_maven(tree: Path, java_cache: Path) -> None:
    """JMH's refuses to where it is among the sources."""
    replace(tree, "  <dependencies>\n", BENCHMARKS)
    replace(tree, "</project>\n", with_ant("compile", RUNNING))
    replace(tree, "</properties>", FOR_MAVEN)
    (tree / CODE).with_name("Measured.java").write_text(MEASURED)
    (tree / CODE).with_name("Writer.java").write_text(WRITER)
    environment = java_environment(build(tree, java_cache))
    (overlay,) = environment.overlays
    made = "Measured_plural_jmhTest"
    written = overlay / "target" / "generated-sources" / "annotations" / "words" / "generated"
    assert (written / f"{made}.java").is_file()
    classes = environment.classes / "example.words" / "words" / "generated"
    assert (classes / f"{made}.class").is_file()


@on_later_java
@resolves_dependencies
def test_a_processor_that_throws_is_named_with_what_it_throws(tree: Path, java_cache: Path) -> None:
    """Lombok 1.16.4 reads the version of Java as `1.8`."""
    replace(tree, "  <dependencies>\n", ANNOTATIONS.replace("1.18.4", "1.16.4"))
    (tree / CODE).with_name("Mapping.java").write_text(MAPPING)
    with pytest.raises(EnvironmentBuildError, match=r"an annotation processor failed: java\.lang"):
        build(tree, java_cache)


@resolves_dependencies
def test_directories_that_a_plugin_adds_are_compiled_with_what_is_made_there(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "</project>", ADDED_SOURCES)
    kept = tree / "src" / "more" / "java" / "words" / "Kept.java"
    kept.parent.mkdir(parents=True)
    kept.write_text("package words; class Kept extends Made {}")
    environment = java_environment(build(tree, java_cache))
    classes = environment.classes / "example.words" / "words"
    assert {"Kept.class", "Made.class"} <= {each.name for each in classes.iterdir()}


@resolves_dependencies
def test_tests_in_a_directory_beside_a_module_are_known_by_their_path(
    tree: Path, java_cache: Path
) -> None:
    """As modules of HikariCP share the tests that lie in `../hikaricp-common/src/test/java`."""
    adding = ADDING.format(phase="generate-sources", directory="src/../shared/tests")
    adding = adding.replace("add-source", "add-test-source")
    replace(tree, "</project>\n", f"<build><plugins>{adding}</plugins></build></project>\n")
    assert java_environment(build(tree, java_cache)).test_roots() == (
        "src/test/java",
        "shared/tests",
    )


@resolves_dependencies
def test_directories_that_a_plugin_adds_after_compiling_are_not_compiled(
    tree: Path, java_cache: Path
) -> None:
    """A library for several versions of Java lists the sources of the later ones so (streamex)."""
    replace(tree, "</project>", LISTED_FOR_THE_ARCHIVE)
    later = tree / "src" / "main" / "java-mr" / "9" / CODE.removeprefix("src/main/java/")
    later.parent.mkdir(parents=True)
    later.write_text((tree / CODE).read_text(encoding="latin-1"), encoding="latin-1")
    assert not java_environment(build(tree, java_cache)).uncompiled


@resolves_dependencies
def test_an_old_plugin_that_looks_into_the_jdk_writes_its_sources(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "</project>", OLD_GENERATOR)
    replace(tree, "  <dependencies>\n", BINDING)
    (tree / "src" / "main" / "schema").mkdir(parents=True)
    (tree / "src" / "main" / "schema" / "words.xsd").write_text(SCHEMA)
    environment = java_environment(build(tree, java_cache))
    made = environment.classes / "example.words" / "words" / "made" / "Entry.class"
    assert made.is_file()


@resolves_dependencies
def test_checks_of_the_compiler_for_a_later_java_are_left_out(tree: Path, java_cache: Path) -> None:
    """Error Prone 2.50 is compiled for Java 21, and loaded by any compiler that finds it."""
    replace(tree, "</project>", with_processors(CHECKS))
    environment = java_environment(build(tree, java_cache))
    assert (environment.classes / "example.words" / "words" / "Plural.class").is_file()


@resolves_dependencies
@pytest.mark.skipif(
    not any(jdk.version >= 21 for jdk in installed()),
    reason="needs a JDK 21 or later: apt-get install openjdk-25-jdk-headless",
)
def test_maven_runs_on_the_jdk_that_a_plug_in_is_compiled_for(tree: Path, java_cache: Path) -> None:
    replace(tree, "</project>\n", with_ant("process-classes", WRITING))
    replace(tree, "</properties>", FOR_MAVEN)
    replace(tree, "    </plugins>", f"{CHECKSTYLE}    </plugins>")
    environment = java_environment(build(tree, java_cache))
    (overlay,) = environment.overlays
    assert (overlay / "target/classes/plurals.txt").read_text() == "boxes"
    assert environment.java.parent.parent == installed()[0].home, "the tests run on theirs"


def lay_plug_in(tree: Path, version: int | None) -> None:
    """A jar on the class path with a plug-in of the compiler for a version of class files."""
    replace(tree, "  <dependencies>\n", PLUG_IN)
    (tree / "lib").mkdir()
    with ZipFile(tree / "lib" / "checks.jar", "w") as jar:
        jar.writestr("META-INF/services/com.sun.source.util.Plugin", "checks.Check # checks\n")
        if version is not None:
            jar.writestr("checks/Check.class", struct.pack(">IHH", 0xCAFEBABE, 0, version))


@resolves_dependencies
def test_checks_for_a_later_java_on_the_class_path_are_left_out(
    tree: Path, java_cache: Path
) -> None:
    lay_plug_in(tree, version=999)
    environment = java_environment(build(tree, java_cache))
    assert (environment.classes / "example.words" / "words" / "Plural.class").is_file()


@on_later_java
@resolves_dependencies
def test_what_the_compiler_throws_is_named(tree: Path, java_cache: Path) -> None:
    lay_plug_in(tree, version=None)
    said = r"the compiler failed: java\.util\.ServiceConfigurationError: .*checks\.Check"
    with pytest.raises(EnvironmentBuildError, match=said):
        build(tree, java_cache)


@resolves_dependencies
def test_sources_that_are_written_among_those_of_the_project_are_compiled(
    tree: Path, java_cache: Path
) -> None:
    """As HdrHistogram makes its `Version.java` of a template."""
    replace(tree, "</project>\n", REPLACER)
    (tree / "src/main/templates").mkdir()
    template = 'package words; class Version { String number = "NUMBER"; }'
    (tree / "src/main/templates/Version.java").write_text(template)
    (tree / CODE).write_text("package words; public class Plural extends Version {}")
    environment = java_environment(build(tree, java_cache))
    (overlay,) = environment.overlays
    (written,) = (path for path in overlay.rglob("*") if path.is_file())
    assert written == overlay / "src/main/java/words/Version.java"
    assert "1-SNAPSHOT" in written.read_text()
    assert (environment.classes / "example.words" / "words" / "Version.class").is_file()
