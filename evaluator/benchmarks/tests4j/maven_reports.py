"""What Maven's compiler, surefire and JaCoCo report of a build."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.java.coverage.tool import CoveredBy, MethodCoverage

_ERROR = re.compile(r"^\[ERROR\] (/.+\.java):\[(\d+)(?:,\d+)?\] (.*)$", re.MULTILINE)
_NAME = re.compile(r"\w+")
_TYPE = re.compile(r"(\[*)(?:([BCDFIJSZ])|L([^;]+);)")
_PRIMITIVES = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
}


def compile_errors(log: str, tree: Path) -> Mapping[str, list[tuple[int, str]]]:
    """The compiler's errors as (line, message), by the file's path in the tree."""
    found: dict[str, list[tuple[int, str]]] = {}
    for match in _ERROR.finditer(log):
        path = Path(match[1])
        if path.is_relative_to(tree):
            place = path.relative_to(tree).as_posix()
            found.setdefault(place, []).append((int(match[2]), match[3]))
    return found


@dataclass(frozen=True)
class ReportedTest:
    """A test in surefire's report: the reason is "" where it passed."""

    class_name: str
    method: str
    reason: str
    seconds: float


def reported_tests(tree: Path) -> Iterator[ReportedTest]:
    """The tests that surefire reports in all modules of a tree."""
    for root in _documents(tree, "target/surefire-reports/TEST-*.xml"):
        for case in root.iter("testcase"):
            name = _NAME.match(case.get("name", ""))
            if name is not None:
                yield ReportedTest(_class_name(root, case), name[0], _reason(case), _time(case))


def _class_name(suite: ET.Element, case: ET.Element) -> str:
    """The class of a test; of old Jupiter, surefire takes the method for it."""
    stated = case.get("classname", "")
    return suite.get("name", "") if stated.endswith(")") else stated


def _reason(case: ET.Element) -> str:
    for child in case:
        if child.tag in ("failure", "error", "skipped"):
            words = f"{child.get('type', '')}: {child.get('message', '')}".strip(": ")
            return f"{'skipped' if child.tag == 'skipped' else 'failed'}: {words}".strip(": ")
    return ""


def _time(case: ET.Element) -> float:
    try:
        return float(case.get("time", "0").replace(",", ""))
    except ValueError:
        return 0.0


@dataclass(frozen=True)
class JacocoReport:
    """Coverage by the JaCoCo reports of all modules of a tree."""

    roots: tuple[ET.Element, ...]

    @staticmethod
    def read(tree: Path) -> JacocoReport:
        """What JaCoCo wrote below a tree."""
        return JacocoReport(tuple(_documents(tree, "target/site/jacoco/jacoco.xml")))

    def lines(self, path: str) -> frozenset[int]:
        """The covered lines of a source file."""
        package, _, name = path.rpartition("/")
        found: set[int] = set()
        for each in self._elements("package"):
            if f"/{package}".endswith(f"/{each.get('name')}"):
                files = (file for file in each.iter("sourcefile") if file.get("name") == name)
                lines = (line for file in files for line in file.iter("line"))
                found.update(int(line.get("nr", 0)) for line in lines if line.get("ci") != "0")
        return frozenset(found)

    def method(self, wanted: CoveredBy) -> MethodCoverage | None:
        """The coverage of a method by all tests; None where its class has no such code."""
        similar = []
        for each in self._methods(wanted):
            types = parameter_types(each.get("desc", ""))
            if types == tuple(wanted.parameters):
                return _coverage(each)
            similar += [each] if len(types) == len(wanted.parameters) else []
        # A source does not always show what a type variable is erased to.
        return _coverage(similar[0]) if len(similar) == 1 else None

    def _methods(self, wanted: CoveredBy) -> Iterable[ET.Element]:
        name = wanted.class_name.replace(".", "/")
        classes = (each for each in self._elements("class") if each.get("name") == name)
        methods = (method for each in classes for method in each.iter("method"))
        return [each for each in methods if each.get("name") == wanted.name]

    def _elements(self, name: str) -> Iterator[ET.Element]:
        return (each for root in self.roots for each in root.iter(name))


def parameter_types(descriptor: str) -> tuple[str, ...]:
    """The types of a method's parameters in the virtual machine, without their packages."""
    parameters = descriptor.rpartition(")")[0]
    return tuple(
        (_PRIMITIVES.get(match[2]) or re.split(r"[/$]", match[3])[-1]) + "[]" * len(match[1])
        for match in _TYPE.finditer(parameters)
    )


def _coverage(method: ET.Element) -> MethodCoverage:
    lines, branches = _counter(method, "LINE"), _counter(method, "BRANCH")
    return MethodCoverage(lines, branches, lines, branches, method.get("desc", ""))


def _counter(method: ET.Element, kind: str) -> tuple[int, int]:
    for each in method.iter("counter"):
        if each.get("type") == kind:
            covered = int(each.get("covered", 0))
            return covered, covered + int(each.get("missed", 0))
    return 0, 0


def _documents(tree: Path, pattern: str) -> Iterator[ET.Element]:
    """The XML files of a pattern below any module; one that a test broke is left out."""
    for path in sorted(tree.glob(f"**/{pattern}")):
        if path.is_file() and not path.is_symlink():
            try:
                yield ET.parse(path).getroot()  # noqa: S314 - expat bounds what entities grow to
            except ET.ParseError:
                continue
