"""A verification as JUnit's XML, which nearly every CI server reads.

https://github.com/testmoapp/junitxml describes the form that servers agree on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from evaluator.judge import Judgement
from evaluator.model import Side, Status, Transition
from evaluator.report.failures import failure_in_words
from evaluator.verdict import Decision
from evaluator.verification.verify import Verification

_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold (https://www.w3.org/TR/xml/#charsets)."""


def junit(verification: Verification) -> bytes:
    """A suite of the verdict, and one for each set of tests as they ended with the change.

    A rejection is a failure and "cannot tell" a skipped test, so that a server shows a failed job
    for the first alone. UTF-8.
    """
    root = Element("testsuites", name="fixgate")
    _add_verdict(root, verification)
    named = [*verification.given.items(), ("change", verification.own)]
    for name, judgement in named:
        if judgement.transitions:
            _add_suite(root, name, judgement, verification)
    ElementTree.indent(root)
    content: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return content


def _add_verdict(root: Element, verification: Verification) -> None:
    verdict = verification.verdict
    suite = _suite(root, "fixgate", [verdict.decision])
    case = SubElement(suite, "testcase", classname="fixgate", name="verdict", time="0")
    reasons = _clean("; ".join(verdict.reasons))
    if verdict.decision is Decision.REJECT:
        SubElement(case, "failure", message=reasons, type="reject")
    elif verdict.decision is Decision.ABSTAIN:
        SubElement(case, "skipped", message=reasons)


def _add_suite(root: Element, name: str, judgement: Judgement, verification: Verification) -> None:
    suite = _suite(root, name, [_ending(t.after) for t in judgement.transitions])
    for transition in judgement.transitions:
        _add_case(suite, transition, verification)


def _suite(root: Element, name: str, endings: Sequence[str]) -> Element:
    counts = {
        "tests": len(endings),
        "failures": sum(ending in ("failure", Decision.REJECT) for ending in endings),
        "errors": endings.count("error"),
        "skipped": sum(ending in ("skipped", Decision.ABSTAIN) for ending in endings),
    }
    suite = SubElement(root, "testsuite", name=_clean(name))
    for key, number in counts.items():
        suite.set(key, str(number))
    return suite


def _add_case(suite: Element, transition: Transition, verification: Verification) -> None:
    where, _, name = transition.test.rpartition("::" if "::" in transition.test else ".")
    seconds = f"{transition.after.duration_seconds:.3f}"
    case = SubElement(suite, "testcase", classname=_clean(where), name=_clean(name), time=seconds)
    ending = _ending(transition.after)
    if ending:
        why = failure_in_words(transition, transition.after, verification.change.tests.contents.get)
        failure = transition.after.failure
        found = SubElement(case, ending, message=_clean(why))
        if failure is not None:
            found.set("type", _clean(failure.exception_type))
            found.text = _clean(failure.message)


def _ending(side: Side) -> str:
    """The element that says how a test ended; "" where it passed."""
    if side.status is Status.PASSED:
        return ""
    if side.status is Status.FAILED:
        return "failure"
    return "error" if side.status.fails else "skipped"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
