"""What is wrong with a Java project is said by name, in words that say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.languages.java.environment.jdk import find_jdk
from evaluator.languages.java.environment.maven import Maven
from evaluator.languages.java.environment.tools import ASM, Tools
from evaluator.languages.java.environment.types import JavaRecipe, java_environment
from evaluator.sandbox.process import ProcessSandbox
from tests.languages.java.building import build, on_later_java, replace, resolves_dependencies
from tests.languages.java.repository import BROKEN, CODE

pytestmark = pytest.mark.java

USER_OF_INTERNALS = (
    "package words;\n\nclass Inside {\n    sun.management.VMManagement machine;\n}\n"
)
EXPORTING = """\
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <configuration>
          <compilerArgs>
            <arg>--add-exports=java.base/sun.nio.ch=ALL-UNNAMED</arg>
            <arg>--add-exports</arg>
            <arg>java.base/jdk.internal.ref=ALL-UNNAMED</arg>
          </compilerArgs>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>"""
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
DEFINER = """\
package words;

class Packer {
    static Class<?> defined(sun.misc.Unsafe unsafe, byte[] code) {
        return unsafe.defineClass("words.New", code, 0, code.length, null, null);
    }
}
"""
"""The class is there in later Java, its method not."""
USER_OF_PACKER = """\
package words;

class Store {
    Packer packer = new Packer();
}
"""


def test_a_jdk_that_is_missing_is_named_with_what_to_install(tree: Path, java_cache: Path) -> None:
    with pytest.raises(InterpreterMissingError, match=r"no JDK 99 is installed.*openjdk-99-jdk"):
        build(tree, java_cache, JavaRecipe(java=("99",)))


def test_a_directory_without_a_pom_is_said_to_be_that(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(EnvironmentBuildError, match=r"there is no `pom\.xml`"):
        build(tmp_path, tmp_path / "cache", JavaRecipe())


@resolves_dependencies
def test_code_that_does_not_compile_is_shown_with_its_place(tree: Path, java_cache: Path) -> None:
    (tree / CODE).write_text(BROKEN.replace("return word", "return wort"))
    with pytest.raises(EnvironmentBuildError, match=rf"does not compile: {CODE}:5: cannot find"):
        build(tree, java_cache)


@resolves_dependencies
def test_jars_are_brought_again_where_their_cache_was_moved_to(tmp_path: Path) -> None:
    def jars(cache: Path) -> tuple[Path, ...]:
        maven = Maven(ProcessSandbox(), find_jdk((), 8), offline=False)
        return Tools(cache, ProcessSandbox(), maven).jars([("org.ow2.asm", "asm", ASM)])

    before, after = tmp_path / "before", tmp_path / "after"
    assert all(jar.is_file() for jar in jars(before))
    before.rename(after)
    assert all(jar.is_file() and jar.is_relative_to(after) for jar in jars(after))


@on_later_java
@resolves_dependencies
@pytest.mark.parametrize("packer", [PACKER, DEFINER], ids=["a class", "a method"])
def test_code_that_needs_what_java_no_longer_has_is_left_out_and_said_so(
    tree: Path, java_cache: Path, packer: str
) -> None:
    (tree / CODE).with_name("Packer.java").write_text(packer)
    (tree / CODE).with_name("Store.java").write_text(USER_OF_PACKER)
    left_out = build(tree, java_cache).uncompiled
    assert [Path(each.place).name for each in left_out] == ["Packer.java", "Store.java"]
    assert all(each.reason.startswith(f"{each.place}:") for each in left_out)


@on_later_java
@resolves_dependencies
def test_code_that_lacks_what_java_s_interfaces_demand_by_now_is_left_out_too(
    tree: Path, java_cache: Path
) -> None:
    for name in ("Inside", "Within"):
        code = USER_OF_INTERNALS.replace("Inside", name)
        (tree / CODE).with_name(f"{name}.java").write_text(code)
    (tree / CODE).with_name("Load.java").write_text(LOAD)
    assert [Path(each.place).name for each in build(tree, java_cache).uncompiled] == ["Load.java"]


@resolves_dependencies
def test_packages_that_the_compiler_is_shown_are_seen(tree: Path, java_cache: Path) -> None:
    """kryo has them shown, at the level of whatever JDK it is built with."""
    replace(tree, "source>8<", "source>17<")
    replace(tree, "source>8<", "source>17<")
    replace(tree, "</project>", EXPORTING)
    for name, used in (("Inside", "sun.nio.ch.Net"), ("Within", "jdk.internal.ref.Cleaner")):
        code = USER_OF_INTERNALS.replace("sun.management.VMManagement", used)
        (tree / CODE).with_name(f"{name}.java").write_text(code.replace("Inside", name))
    environment = java_environment(build(tree, java_cache))
    assert environment.uncompiled == ()
    classes = environment.classes / "example.words" / "words"
    assert {"Inside.class", "Within.class"} <= {each.name for each in classes.iterdir()}


@resolves_dependencies
def test_maven_runs_without_options_that_the_jdk_does_not_know(
    tree: Path, java_cache: Path
) -> None:
    (tree / ".mvn").mkdir()
    options = "--from-the-future=allow\n-XX:+UseNothing -Xmx1g"
    (tree / ".mvn" / "jvm.config").write_text(options)
    assert "junit-4.13.2" in build(tree, java_cache).packages


@resolves_dependencies
def test_maven_takes_no_comment_for_an_option(tree: Path, java_cache: Path) -> None:
    """As datasketches' has it, which is for Maven 3.9."""
    (tree / ".mvn").mkdir()
    (tree / ".mvn" / "maven.config").write_text("# what is next: nothing\n-Dwords=2\n")
    assert "junit-4.13.2" in build(tree, java_cache).packages


@resolves_dependencies
def test_code_sees_java_as_it_was_at_its_level(tree: Path, java_cache: Path) -> None:
    packing = "import java.util.jar.Pack200;\n\nclass Module {\n    Pack200.Packer packer;\n}\n"
    (tree / CODE).with_name("Module.java").write_text(f"package words;\n\n{packing}")
    assert not build(tree, java_cache).uncompiled
