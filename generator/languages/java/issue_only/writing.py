"""Writes a draft as a test class in the style of a project."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.languages.java import syntax
from generator.languages.java.issue_only.completing import completed
from generator.languages.java.issue_only.drafts import Draft, TestMethod
from generator.languages.java.issue_only.names import ClassIndex, resolved, used_types
from generator.languages.java.issue_only.style import Kind, TestStyle
from generator.languages.java.structure import imports, name_of, root_of

_FRAMEWORKS = ("org.junit", "junit.", "org.testng", "static org.junit", "static junit.")
_INDENT = "    "
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_WORDS = 5
_FILLING = frozenset(
    {"a", "an", "and", "are", "as", "be", "bug", "by", "does", "for", "from", "in", "is", "issue"}
    | {"it", "not", "of", "on", "or", "the", "to", "when", "with", "java"}
)


@dataclass(frozen=True)
class Place:
    """Where a test class goes: its package, and the text of a test file beside it.

    `familiar` are classes that the project imports from elsewhere.
    """

    package: str
    beside: str
    style: TestStyle
    familiar: Sequence[str] = ()


def class_name(title: str) -> str:
    """A name for a test class, of the words of a title: `StringUtilsJoinThrowsNPETest`."""
    words = [word for word in _WORD.findall(title) if word.lower() not in _FILLING]
    joined = "".join(word[0].upper() + word[1:] for word in words[:_WORDS])
    return f"{joined[:80] or 'ReportedIssue'}Test"


def test_class(draft: Draft, name: str, place: Place, project: ClassIndex, issue: str) -> str:
    """The text of a test file with one class."""
    style = place.style
    tests = [
        _method(test, number, draft, style, project, issue)
        for number, test in enumerate(draft.tests)
    ]
    base = f" extends {style.base}" if style.base else ""
    body = "\n\n".join(textwrap.indent(part, _INDENT) for part in (*draft.members, *tests))
    code = f"public class {name}{base} {{\n\n{body}\n}}\n"
    if draft.old_name:
        code = re.sub(rf"\b{re.escape(draft.old_name)}\b", name, code)
    code = _with_assertions_of(style, code)
    head = f"package {place.package};\n\n" if place.package else ""
    listed = "".join(f"import {one};\n" for one in _imports(code, draft, place, project))
    return f"{head}{listed}{chr(10) if listed else ''}{code}"


def _with_assertions_of(style: TestStyle, code: str) -> str:
    """Code whose assertions are of JUnit 4 or Jupiter, with those of a style."""
    if style.kind is Kind.JUPITER:
        return re.sub(r"\bAssert\.(?=assert|fail)", "Assertions.", code)
    return re.sub(r"\bAssertions\.(?=assert(?!That)|fail)", "Assert.", code)


def _method(
    test: TestMethod, number: int, draft: Draft, style: TestStyle, project: ClassIndex, issue: str
) -> str:
    statements = [*test.statements, *_shows(draft)]
    body = "\n".join(filter(None, completed(statements, draft.members, project, issue)))
    if test.throws:
        body = _throwing(body, test.throws)
    name = test.name or f"testReportedIssue{number or ''}"
    if style.kind is Kind.JUNIT_3 and not name.startswith("test"):
        name = f"test{name[0].upper()}{name[1:]}"
    mark = "" if style.kind is Kind.JUNIT_3 else "@Test\n"
    return f"{mark}public void {name}() throws Exception {{\n{textwrap.indent(body, _INDENT)}\n}}"


def _throwing(body: str, exception: str) -> str:
    inner = textwrap.indent(f'{body}\nfail("Expected {exception}");', _INDENT)
    return f"try {{\n{inner}\n}} catch ({exception} expected) {{\n{_INDENT}// as it should be\n}}"


def _shows(draft: Draft) -> Iterator[str]:
    """The assertion on what a comment says of a value, compared as it would be printed."""
    if draft.said.expected:
        yield f"assertEquals({_text(draft.said.expected)}, String.valueOf({draft.expression}));"


def _text(value: str) -> str:
    return value if value.startswith('"') else json.dumps(value.rstrip("LlFf"))


def _imports(code: str, draft: Draft, place: Place, project: ClassIndex) -> Sequence[str]:
    """The imports of a class: of its types, of its assertions, and those it was written with."""
    style, beside = place.style, imports(root_of(place.beside))
    own = [one for one in draft.imports if not one.startswith(_FRAMEWORKS)]
    framework = {style.asserting, style.annotation} - {""}
    names = used_types(code)
    given = [*framework, *own, *beside, "junit.framework.TestCase", *place.familiar]
    types = resolved(names, place.package, project, given=given)
    stars = [one for one in own if one.endswith("*") or one.startswith("static ")]
    asserts = [
        f"static {style.asserting}.{call}" for call in _asserts(code) if style.kind != Kind.JUNIT_3
    ]
    known = [one for one in stars if _is_known(one, project)]
    return [*dict.fromkeys([*sorted(asserts), *known, *sorted(types)])]


def _asserts(code: str) -> set[str]:
    """The assertions that are called by their bare names."""
    calls = syntax.found(root_of(code), "method_invocation")
    bare = {name_of(call) for call in calls if syntax.field(call, "object") is None}
    own = {name_of(node) for node in syntax.found(root_of(code), "method_declaration")}
    return {name for name in bare - own if name.startswith("assert") or name == "fail"}


def _is_known(name: str, project: ClassIndex) -> bool:
    """Whether an import on demand or a static one leads anywhere that the project can see."""
    dotted = name.removeprefix("static ").rpartition(".")[0]
    if dotted.startswith(("java.", "javax.")):
        return True
    return any(known == dotted or known.startswith(f"{dotted}.") for known in project.modules)
