"""What is wrong with a Java project is said by name, in words that say what to do."""

from __future__ import annotations

import datetime
import io
import json
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluator.environment.discovery import discover_recipe
from evaluator.environment.types import Environment, SharedDownloads
from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.languages import language
from evaluator.languages.java.environment.types import JavaEnvironment, JavaRecipe
from evaluator.sandbox.process import ProcessSandbox
from evaluator.storage.keys import short_key
from tests.languages.java.repository import BROKEN, CODE, POM

pytestmark = pytest.mark.java


def resolves_dependencies(test: Callable[..., None]) -> Callable[..., None]:
    """Marks a test for which Maven downloads, which may take its time."""
    marked: Callable[..., None] = pytest.mark.maven_central(pytest.mark.timeout(900)(test))
    return marked


PARENT = """\
  <parent>
    <groupId>example.nowhere</groupId>
    <artifactId>gone</artifactId>
    <version>7-SNAPSHOT</version>
  </parent>
  <artifactId>words</artifactId>
"""
PARENT_OF_PARENT = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>example</groupId>
    <artifactId>words</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>gone</artifactId>
  <packaging>pom</packaging>
</project>
"""
RELEASED_PARENT = """\
  <parent>
    <groupId>org.apache.commons</groupId>
    <artifactId>commons-parent</artifactId>
    <version>56-SNAPSHOT</version>
  </parent>
  <artifactId>words</artifactId>
"""
USER_OF_INTERNALS = (
    "package words;\n\nclass Inside {\n    sun.management.VMManagement machine;\n}\n"
)
_LONGS = ("CommittedVirtualMemorySize", "TotalSwapSpaceSize", "FreeSwapSpaceSize", "ProcessCpuTime")
_MORE_LONGS = ("FreePhysicalMemorySize", "TotalPhysicalMemorySize")
_DOUBLES = ("SystemCpuLoad", "ProcessCpuLoad", "SystemLoadAverage")
LOAD = "\n".join(
    [
        "package words;",
        "class Load implements com.sun.management.OperatingSystemMXBean {",
        *(f"    public long get{name}() {{ return 0; }}" for name in (*_LONGS, *_MORE_LONGS)),
        *(f"    public double get{name}() {{ return 0; }}" for name in _DOUBLES),
        *(
            f"    public String get{name}() {{ return null; }}"
            for name in ("Name", "Arch", "Version")
        ),
        "    public int getAvailableProcessors() { return 1; }",
        "    public javax.management.ObjectName getObjectName() { return null; }",
        "}",
    ]
)
"""All that Java 8 wanted of the interface; Java 14 wants getCpuLoad, too."""
PACKER = """\
package words;

import sun.misc.BASE64Encoder;

class Packer {
    BASE64Encoder encoder = new BASE64Encoder();
}
"""
USER_OF_PACKER = """\
package words;

class Store {
    Packer packer = new Packer();
}
"""
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
CENTRAL_BY_HTTP = """\
  <repositories>
    <repository><id>central</id><url>http://repo.maven.apache.org/maven2</url></repository>
  </repositories>
"""
DEAD_HOST = """\
  <repositories>
    <repository><id>dead</id><url>https://dead.invalid/maven</url></repository>
  </repositories>
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
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <configuration>
          <annotationProcessorPaths>
            <path>
              <groupId>org.mapstruct</groupId>
              <artifactId>mapstruct-processor</artifactId>
              <version>1.4.1.Final</version>
            </path>
            <path>
              <groupId>org.projectlombok</groupId>
              <artifactId>lombok</artifactId>
            </path>
          </annotationProcessorPaths>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
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
ADDED_SOURCES = """\
  <build>
    <plugins>
      <plugin>
        <groupId>org.codehaus.mojo</groupId>
        <artifactId>build-helper-maven-plugin</artifactId>
        <version>3.6.0</version>
        <executions>
          <execution>
            <phase>generate-sources</phase>
            <goals><goal>add-source</goal></goals>
            <configuration>
              <sources><source>src/more/java</source></sources>
            </configuration>
          </execution>
        </executions>
      </plugin>
      <plugin>
        <artifactId>maven-antrun-plugin</artifactId>
        <version>3.1.0</version>
        <executions>
          <execution>
            <phase>generate-sources</phase>
            <goals><goal>run</goal></goals>
            <configuration>
              <target>
                <echo file="src/more/java/words/Made.java">package words; class Made {}</echo>
              </target>
            </configuration>
          </execution>
        </executions>
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
OF_THE_TREE = """\
  <dependencies>
    <dependency>
      <groupId>example</groupId>
      <artifactId>own</artifactId>
      <version>1</version>
      <scope>system</scope>
      <systemPath>${project.basedir}/lib/own.jar</systemPath>
    </dependency>
"""

MODULE = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>example</groupId>
    <artifactId>words</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>{name}</artifactId>
{rest}</project>
"""
NEEDING_OWN = """\
  <repositories>
    <repository><id>own</id><url>{url}</url></repository>
  </repositories>
  <dependencies>
    <dependency><groupId>example</groupId><artifactId>own</artifactId><version>1</version></dependency>
  </dependencies>
"""
OWN_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId><artifactId>own</artifactId><version>1</version>
</project>
"""


class ArtifactServer(ThreadingHTTPServer):
    """A repository of Maven with one artifact, `example:own:1`, that answers all with `status`."""

    status = 200

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ArtifactHandler)
        jar = io.BytesIO()
        with zipfile.ZipFile(jar, "w") as file:
            file.writestr("own.txt", "own")
        self.files = {
            "/example/own/1/own-1.pom": OWN_POM.encode(),
            "/example/own/1/own-1.jar": jar.getvalue(),
        }

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}"


class ArtifactHandler(BaseHTTPRequestHandler):
    server: ArtifactServer

    def do_GET(self) -> None:
        content = self.server.files.get(self.path)
        status = self.server.status if content is not None or self.server.status != 200 else 404
        self.send_response(status)
        body = (content or b"") if status == 200 else b""
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


@pytest.fixture
def artifacts() -> Iterator[ArtifactServer]:
    with ArtifactServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


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


def build(
    tree: Path,
    cache: Path,
    recipe: JavaRecipe | None = None,
    downloads: SharedDownloads | None = None,
    *,
    offline: bool = False,
) -> Environment:
    environments = language("java").environments
    return environments.builder(cache, sandbox=ProcessSandbox(), offline=offline).build(
        recipe or discover_recipe(tree),
        date=datetime.date(2024, 1, 1),
        tree=tree,
        tree_key=str(tree),
        downloads=downloads,
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    place = tmp_path / "words"
    (place / CODE).parent.mkdir(parents=True)
    (place / CODE).write_text(BROKEN)
    (place / "pom.xml").write_text(POM)
    return place


def replace(tree: Path, old: str, new: str) -> None:
    pom = tree / "pom.xml"
    pom.write_text(pom.read_text().replace(old, new, 1))


def test_a_jdk_that_is_missing_is_named_with_what_to_install(tree: Path, java_cache: Path) -> None:
    with pytest.raises(InterpreterMissingError, match=r"no JDK 99 is installed.*openjdk-99-jdk"):
        build(tree, java_cache, JavaRecipe(java=("99",)))


def test_a_directory_without_a_pom_is_said_to_be_that(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(EnvironmentBuildError, match=r"there is no `pom\.xml`"):
        build(tmp_path, tmp_path / "cache", JavaRecipe())


@resolves_dependencies
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</project>", "</projekt>", "Non-parseable POM"),
        ("  <artifactId>words</artifactId>\n", PARENT, "Non-resolvable parent POM.*gone"),
        ("4.13.2", "4.13.99", r"junit:junit:jar:4\.13\.99"),
        ("  <dependencies>", f"{DEAD_HOST}  <dependencies>", ""),
    ],
)
def test_maven_s_own_error_is_shown(
    tree: Path, java_cache: Path, old: str, new: str, said: str
) -> None:
    replace(tree, old, new)
    if not said:
        replace(tree, "4.13.2", "4.13.99")
        said = r"dead\.invalid"
    with pytest.raises(EnvironmentBuildError, match=said):
        build(tree, java_cache)


@resolves_dependencies
@pytest.mark.parametrize(("status", "is_tried_again"), [(503, True), (404, False)])
def test_a_download_that_was_cut_short_is_tried_again_minutes_later(
    tree: Path,
    java_cache: Path,
    artifacts: ArtifactServer,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    *,
    is_tried_again: bool,
) -> None:
    modules = (
        "  <packaging>pom</packaging>\n  <modules><module>a</module><module>b</module></modules>"
    )
    replace(tree, "  <properties>", f"{modules}\n  <properties>")
    for name, rest in (("a", ""), ("b", NEEDING_OWN.format(url=artifacts.url))):
        (tree / name / CODE).parent.mkdir(parents=True)
        (tree / name / CODE).write_text(BROKEN)
        (tree / name / "pom.xml").write_text(MODULE.format(name=name, rest=rest))
    artifacts.status = status
    now = time.time() // 600 * 600
    monkeypatch.setattr(time, "time", lambda: now)
    first = build(tree, java_cache).packages
    assert "own-1" not in first
    said = [each for each in first if "cut short" in each]
    assert [f"{status}" in each for each in said] == [True] * is_tried_again
    artifacts.status = 200
    assert "own-1" not in build(tree, java_cache).packages
    monkeypatch.setattr(time, "time", lambda: now + 600)
    assert ("own-1" in build(tree, java_cache).packages) == is_tried_again


@resolves_dependencies
def test_parents_in_a_cycle_are_named(tree: Path, java_cache: Path) -> None:
    here = "  <relativePath>parent/pom.xml</relativePath>\n  </parent>"
    parent = PARENT.replace("example.nowhere", "example").replace("7-SNAPSHOT", "1-SNAPSHOT")
    replace(tree, "  <artifactId>words</artifactId>\n", parent.replace("  </parent>", here))
    (tree / "parent").mkdir()
    (tree / "parent" / "pom.xml").write_text(PARENT_OF_PARENT)
    with pytest.raises(EnvironmentBuildError, match="parents form a cycle"):
        build(tree, java_cache)


@resolves_dependencies
def test_code_that_does_not_compile_is_shown_with_its_place(tree: Path, java_cache: Path) -> None:
    (tree / CODE).write_text(BROKEN.replace("return word", "return wort"))
    with pytest.raises(EnvironmentBuildError, match=rf"does not compile: {CODE}:5: cannot find"):
        build(tree, java_cache)


@resolves_dependencies
def test_releases_stand_in_for_snapshots_that_are_gone(tree: Path, java_cache: Path) -> None:
    replace(tree, "  <artifactId>words</artifactId>\n", RELEASED_PARENT)
    replace(tree, "4.13.2", "4.13.2-SNAPSHOT")
    packages = build(tree, java_cache).packages
    assert "junit-4.13.2" in packages
    assert "junit:junit (,4.13.2] in the place of 4.13.2-SNAPSHOT" in packages
    assert "org.apache.commons:commons-parent (,56] in the place of 56-SNAPSHOT" in packages


@resolves_dependencies
def test_code_that_needs_what_java_no_longer_has_is_left_out_and_said_so(
    tree: Path, java_cache: Path
) -> None:
    (tree / CODE).with_name("Packer.java").write_text(PACKER)
    (tree / CODE).with_name("Store.java").write_text(USER_OF_PACKER)
    left_out = [text for text in build(tree, java_cache).packages if text.startswith("left out")]
    assert [text.split("words/")[1].split(":")[0] for text in left_out] == [
        "Packer.java",
        "Store.java",
    ]


@resolves_dependencies
def test_code_that_lacks_what_java_s_interfaces_demand_by_now_is_left_out_too(
    tree: Path, java_cache: Path
) -> None:
    for name in ("Inside", "Within"):
        code = USER_OF_INTERNALS.replace("Inside", name)
        (tree / CODE).with_name(f"{name}.java").write_text(code)
    (tree / CODE).with_name("Load.java").write_text(LOAD)
    left_out = [text for text in build(tree, java_cache).packages if text.startswith("left out")]
    assert [text.split("words/")[1].split(":")[0] for text in left_out] == ["Load.java"]


@resolves_dependencies
def test_code_sees_java_as_it_was_at_its_level(tree: Path, java_cache: Path) -> None:
    packing = "import java.util.jar.Pack200;\n\nclass Module {\n    Pack200.Packer packer;\n}\n"
    (tree / CODE).with_name("Module.java").write_text(f"package words;\n\n{packing}")
    assert not [text for text in build(tree, java_cache).packages if text.startswith("left out")]


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
    target = "<maven.compiler.target>8</maven.compiler.target>\n  </properties>"
    replace(tree, "</properties>", target)
    (tree / "src/main/java/words/Writer.java").write_text(WRITER)
    (overlay,) = build(tree, java_cache).overlays
    assert (overlay / "target/classes/plurals.txt").read_text() == "books"


@resolves_dependencies
def test_maven_central_is_asked_by_https_where_a_pom_says_http(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "  <dependencies>", CENTRAL_BY_HTTP + "  <dependencies>")
    replace(
        tree, "junit</artifactId>\n      <version>4.13.2", "junit</artifactId>\n      <version>4.11"
    )
    assert "junit-4.11" in build(tree, java_cache).packages


@resolves_dependencies
def test_what_a_base_commit_downloaded_serves_other_trees_of_its_repository(
    tree: Path, java_cache: Path
) -> None:
    replace(tree, "1-SNAPSHOT", "3-SNAPSHOT")
    place = java_cache / "java" / "downloads" / short_key("o/kept")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=True))
    kept = set(place.rglob("*"))
    assert kept
    replace(tree, "3-SNAPSHOT", "4-SNAPSHOT")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=False), offline=True)
    replace(tree, "4.13.2", "4.12")
    build(tree, java_cache, downloads=SharedDownloads("o/kept", trusted=False))
    assert set(place.rglob("*")) == kept


@resolves_dependencies
def test_processors_beside_the_class_path_write_code_as_does_old_lombok(
    tree: Path, java_cache: Path
) -> None:
    """What Lombok 1.18.4 looks into of the compiler is closed since Java 16."""
    replace(tree, "  <dependencies>\n", ANNOTATIONS)
    replace(tree, "</project>", PROCESSORS)
    (tree / CODE).with_name("Mapping.java").write_text(MAPPING)
    environment = java_environment(build(tree, java_cache))
    assert (environment.classes / "example.words" / "words" / "MappingImpl.class").is_file()


@resolves_dependencies
def test_a_processor_that_throws_is_named_with_what_it_throws(tree: Path, java_cache: Path) -> None:
    """Lombok 1.16.4 reads the version of Java as `1.8`."""
    replace(tree, "  <dependencies>\n", ANNOTATIONS.replace("1.18.4", "1.16.4"))
    (tree / CODE).with_name("Mapping.java").write_text(MAPPING)
    with pytest.raises(EnvironmentBuildError, match=r"an annotation processor failed: java\.lang"):
        build(tree, java_cache)


@resolves_dependencies
def test_a_jar_of_the_tree_is_found_in_each_tree(tree: Path, java_cache: Path) -> None:
    (tree / "lib").mkdir()
    with zipfile.ZipFile(tree / "lib" / "own.jar", "w") as jar:
        jar.writestr("words.txt", "box")
    replace(tree, "  <dependencies>\n", OF_THE_TREE)
    environment = java_environment(build(tree, java_cache))
    project = json.loads(environment.project.read_text())
    assert all("tree:lib/own.jar" in unit["classpath"] for unit in project["units"])


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


def java_environment(environment: Environment) -> JavaEnvironment:
    assert isinstance(environment, JavaEnvironment)
    return environment
