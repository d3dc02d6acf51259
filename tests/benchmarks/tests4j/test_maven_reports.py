"""What Maven, surefire and JaCoCo report of a build, and poms as the thesis configures them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from evaluator.benchmarks.tests4j.dataset import TestFramework
from evaluator.benchmarks.tests4j.maven_poms import configure
from evaluator.benchmarks.tests4j.maven_reports import (
    JacocoReport,
    compile_errors,
    parameter_types,
    reported_tests,
)
from evaluator.benchmarks.tests4j.time_limits import limited
from evaluator.languages.java.coverage.tool import CoveredBy

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <artifactId>a</artifactId>
  <build>
    <pluginManagement><plugins>
      <plugin><artifactId>maven-surefire-plugin</artifactId></plugin>
    </plugins></pluginManagement>
    <plugins>
      <plugin><artifactId>maven-compiler-plugin</artifactId><configuration>
        <compilerArgs><arg>-parameters</arg></compilerArgs></configuration></plugin>
      <plugin><artifactId>jacoco</artifactId><configuration>
        <propertyName>agent</propertyName></configuration></plugin>
    </plugins>
  </build>
</project>"""
SUREFIRE = """<testsuite>
  <testcase name="fails(String)[1]" classname="a.BoxTest" time="1,000.5">
    <failure type="java.lang.AssertionError" message="no"/></testcase>
  <testcase name="passes" classname="a.BoxTest" time="0.25"/>
  <testcase name="waits" classname="a.BoxTest"><skipped message="later"/></testcase>
</testsuite>"""
JACOCO = """<report name="a"><package name="a">
  <class name="a/Box" sourcefilename="Box.java">
    <method name="put" desc="(ILjava/util/List;)V" line="3">
      <counter type="LINE" missed="1" covered="2"/><counter type="BRANCH" missed="3" covered="1"/>
    </method>
    <method name="put" desc="([Ljava/lang/Object;)V" line="9">
      <counter type="LINE" missed="1" covered="0"/></method>
  </class>
  <sourcefile name="Box.java"><line nr="3" mi="0" ci="2"/><line nr="4" mi="2" ci="0"/></sourcefile>
</package></report>"""


def report(tree: Path, where: str, text: str) -> None:
    path = tree / "module" / "target" / where
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")


def test_errors_of_the_compiler_have_file_and_line(tmp_path: Path) -> None:
    log = (
        f"[INFO] x\n[ERROR] {tmp_path}/m/src/test/java/ATest.java:[12,5] cannot find symbol\n"
        f"[ERROR]   symbol: variable b\n[WARNING] {tmp_path}/B.java:[1,2] deprecated\n"
        "[ERROR] /elsewhere/C.java:[1,2] not ours\n"
    )
    found = compile_errors(log, tmp_path)
    assert found == {"m/src/test/java/ATest.java": [(12, "cannot find symbol")]}


def test_surefire_reports_each_test(tmp_path: Path) -> None:
    report(tmp_path, "surefire-reports/TEST-a.BoxTest.xml", SUREFIRE)
    found = {test.method: (test.reason, test.seconds) for test in reported_tests(tmp_path)}
    assert found == {
        "fails": ("failed: java.lang.AssertionError: no", 1000.5),
        "passes": ("", 0.25),
        "waits": ("skipped: later", 0),
    }


def test_the_class_of_old_jupiters_tests_is_that_of_the_report(tmp_path: Path) -> None:
    case = '<testcase name="passes" classname="passes(String)"/>'
    content = f'<testsuite name="a.BoxTest">{case}</testsuite>'
    report(tmp_path, "surefire-reports/TEST-a.BoxTest.xml", content)
    assert [(test.class_name, test.method) for test in reported_tests(tmp_path)] == [
        ("a.BoxTest", "passes")
    ]


def test_a_report_that_a_test_broke_is_left_out(tmp_path: Path) -> None:
    report(tmp_path, "surefire-reports/TEST-a.BoxTest.xml", "<testsuite>")
    assert list(reported_tests(tmp_path)) == []


def test_jacoco_knows_overloads_and_lines(tmp_path: Path) -> None:
    report(tmp_path, "site/jacoco/jacoco.xml", JACOCO)
    found = JacocoReport.read(tmp_path)

    def covered(*parameters: str) -> object:
        method = found.method(CoveredBy("id", "a.Box", "put", parameters, ()))
        return method and (method.lines, method.branches, method.descriptor)

    assert covered("int", "List") == ((2, 3), (1, 4), "(ILjava/util/List;)V")
    assert covered("T[]") == ((0, 1), (0, 0), "([Ljava/lang/Object;)V")
    assert covered("int", "List", "int") is None
    assert found.lines("module/src/main/java/a/Box.java") == {3}
    assert found.lines("module/src/main/java/b/Box.java") == set()


@pytest.mark.parametrize(
    ("descriptor", "types"),
    [
        ("()V", ()),
        ("(IJ[[ZLa/b/Outer$Inner;)I", ("int", "long", "boolean[][]", "Inner")),
        ("([Ljava/lang/String;)Ljava/util/List;", ("String[]",)),
    ],
)
def test_descriptors_are_read(descriptor: str, types: tuple[str, ...]) -> None:
    assert parameter_types(descriptor) == types


def test_only_plugins_that_compile_stay(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text(POM)
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "pom.xml").write_text("<project")
    configure(tmp_path)
    root = ET.parse(tmp_path / "pom.xml").getroot()
    texts = [(each.tag.rpartition("}")[2], (each.text or "").strip()) for each in root.iter()]
    assert [text for tag, text in texts if tag in ("artifactId", "version")] == [
        *("a", "maven-surefire-plugin", "3.5.4", "maven-compiler-plugin", "maven-surefire-plugin")
    ]
    assert ("argLine", "@{argLine}") in texts
    assert ("agent", "") in texts
    assert [text for tag, text in texts if tag == "arg"] == ["-parameters", "-Xmaxerrs", "100000"]


def test_a_root_without_a_build_gets_one(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text('<project xmlns="http://maven.apache.org/POM/4.0.0"/>')
    configure(tmp_path)
    assert "-Xmaxerrs" in (tmp_path / "pom.xml").read_text()


@pytest.mark.parametrize(
    ("source", "framework", "expected"),
    [
        ("@Test void a() {}", "junit4", "@Test(timeout = 10000) void a() {}"),
        ("@Test() void a() {}", "junit4", "@Test(timeout = 10000) void a() {}"),
        (
            "@Test(groups = G) void a() {}",
            "testng",
            "@Test(timeOut = 10000, groups = G) void a() {}",
        ),
        ("@Test(timeout = 5) void a() {}", "junit4", "@Test(timeout = 5) void a() {}"),
        ("@Test void a() {}", "jupiter", "@Test void a() {}"),
        ("public void testA() {}", "junit3", "public void testA() {}"),
    ],
)
def test_tests_get_a_limit_where_their_annotation_takes_one(
    source: str, framework: str, expected: str
) -> None:
    assert limited(source, TestFramework(framework), 10) == expected
