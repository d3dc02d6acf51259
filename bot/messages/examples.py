"""An example of every text that the App writes, for people who read them all."""

from __future__ import annotations

import datetime
import enum
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.configuration import Gate
from bot.github.models import Issue
from bot.github.types import Check, RepositoryId
from bot.jobs.types import JobKind, JobRequest
from bot.messages import checks, comments
from bot.messages.dashboard import ReportRow, ReportState, dashboard
from bot.messages.judged import IssueTest, Judged
from bot.messages.verdict import verdict_check
from bot.store.tables import StoredVerdict
from bot.store.verdicts import Precision
from evaluator import (
    AbsentService,
    Addition,
    Admission,
    Change,
    ChangedLine,
    EnvironmentBuildError,
    Failure,
    Judgement,
    LineState,
    Recipe,
    Refusal,
    Revision,
    Run,
    RunPair,
    SandboxError,
    Side,
    Status,
    Transition,
    Uncompiled,
    Verification,
)
from evaluator.diff import ChangedLines, Changes
from evaluator.model import Frame
from evaluator.report.verification import verification_json
from evaluator.verdict import Concern, Evidence, decide
from generator.method import Considered
from generator.rules import Denial
from generator.task import Candidate
from generator.writer import WritingExit, Written

_HEAD, _BASE = "4f1c2a9" + "0" * 33, "b03d77e" + "0" * 33
_REQUEST: Final = JobRequest(JobKind.VERIFY, RepositoryId(1, "alice/wordtools"), 7, _HEAD, _BASE)
_FILE: Final = "tests/test_words_that_fit.py"
_TEST: Final = "tests.test_words_that_fit.ReportedTest.test_words_that_fit"
_LINE: Final = "self.assertEqual(shorten(\"just fits\", 9), 'just fits')"
_CODE: Final = f"""\
import unittest
from wordtools.shorten import shorten


class ReportedTest(unittest.TestCase):
    def test_words_that_fit(self):
        {_LINE}
"""
_PATCH: Final = (
    f"diff --git a/{_FILE} b/{_FILE}\nnew file mode 100644\n--- /dev/null\n+++ b/{_FILE}\n"
    + f"@@ -0,0 +1,{len(_CODE.splitlines())} @@\n"
    + "".join(f"+{line}\n" for line in _CODE.splitlines())
)
_ISSUE: Final = Issue(
    number=1,
    title="shorten cuts texts that fit",
    html_url="https://github.com/alice/wordtools/issues/1",
)
_REPORTS: Final = list(enumerate(ReportState, start=1))
_NOTE: Final = ".github/fixgate.yml, line 2: verify.gate `hard` is not known here; write one of "


def _no_file(_: str) -> None:
    """Reads a tree without files."""


_PASSED: Final = Side(Status.PASSED)


@dataclass(frozen=True)
class MessageExample:
    """One text: what it is for, and a check, or the body of a comment in Markdown."""

    occasion: str
    shown: Check | str


def examples() -> Iterator[MessageExample]:
    """Checks first, then comments, in the order in which people see them."""
    for occasion, check in {**_unjudged(), **_verdicts()}.items():
        yield MessageExample(occasion, check)
    for occasion, text in {**_on_issues(), **_on_commands()}.items():
        yield MessageExample(occasion, text)


def _unjudged() -> Mapping[str, Check]:
    gate = Gate.ADVISORY
    environment = EnvironmentBuildError("no Python 3.2 is installed", log="looked for python3.2")
    return {
        "A job waits": checks.waiting(_REQUEST),
        "A job runs": checks.working(_REQUEST),
        "Somebody called the verdict wrong": checks.withdrawn(_REQUEST),
        "Somebody called the test wrong meanwhile": checks.without_basis(_REQUEST, gate=gate),
        "A newer push came": checks.superseded(_REQUEST),
        "A job was given up": checks.unfinished(
            _REQUEST, "GitHub did not answer", gate=gate, late=False
        ),
        "Only documentation changed": checks.nothing_to_check(
            _REQUEST, "only documentation changed", ["README.md"], notes=[f"{_NOTE}advisory"]
        ),
        "The environment cannot be built": checks.cannot_run(
            _REQUEST, environment, gate=gate, details_url="https://fixgate.example/jobs/1"
        ),
        "The sandbox does not work": checks.cannot_run(
            _REQUEST, SandboxError("bubblewrap: no user namespaces"), gate=Gate.REQUIRED
        ),
    }


def _verdicts() -> Mapping[str, Check]:
    fixed, unfixed = _issue_test(_PASSED), _issue_test(_failed("'just f...' != 'just fits'"))
    broken = Transition("tests.test_words.WordsTest.test_cut", _FILE, _PASSED, _failed("3 != 4"))
    own = Judgement((_FILE,), (replace(fixed.transitions[0], file="tests/test_own.py"),))
    steering = (Concern("conftest.py", "a plug-in of pytest"),)
    judged = _judged(Evidence(given=(fixed,)), fixed)
    repaired = replace(
        judged.verification,
        added=(Addition("module toml", "toml", Recipe(framework="unittest")),),
        unbuilt=("psycopg2",),
        uncompiled=(Uncompiled("benchmark", "package org.openjdk.jmh does not exist"),),
        absent=(AbsentService("postgresql", "no server is installed: apt-get install postgresql"),),
    )
    return {
        "A right fix": _verdict(Evidence(given=(fixed,)), fixed),
        "A wrong fix": _verdict(Evidence(given=(unfixed,)), unfixed),
        "A fix that breaks a test": _verdict(
            Evidence(given=(fixed,), own=Judgement((_FILE,), (broken,))), fixed
        ),
        "Only the change's own tests": _verdict(Evidence(own=own)),
        "A change of test configuration": _verdict(
            Evidence(given=(fixed,), configuration=steering), fixed
        ),
        "A submodule moves": _verdict(Evidence(beyond=(Concern("vendor/words", "a submodule"),))),
        "No test at all": _verdict(Evidence()),
        "Packages were added, and are lacking": verdict_check(
            _REQUEST,
            replace(judged, verification=repaired),
            gate=Gate.ADVISORY,
        ),
    }


def _failed(message: str) -> Side:
    frame = Frame(_FILE, _CODE.splitlines().index(f"        {_LINE}") + 1, "test_words_that_fit")
    return Side(Status.FAILED, failure=Failure("AssertionError", message, frame))


def _issue_test(after: Side) -> Judgement:
    transition = Transition(_TEST, _FILE, _failed("'just f...' != 'just fits'"), after)
    run = Run({}, command="python -m unittest -v tests.test_words_that_fit")
    return Judgement((_FILE,), (transition,), attempts=(RunPair(run, run),))


def _verdict(evidence: Evidence, given: Judgement | None = None) -> Check:
    return verdict_check(_REQUEST, _judged(evidence, given), gate=Gate.ADVISORY)


def _judged(evidence: Evidence, given: Judgement | None) -> Judged:
    states = (LineState.COVERED, LineState.COVERED, LineState.UNCOVERED)
    verification = Verification(
        change=Change("alice/wordtools", _BASE, _HEAD, Changes(), Changes(), ChangedLines({}, {})),
        own=evidence.own or Judgement(),
        given={} if given is None else {"test for #1": given},
        verdict=decide(evidence),
        evidence=evidence,
        lines=tuple(
            ChangedLine("wordtools/shorten.py", number, Revision.FIXED, state)
            for number, state in enumerate(states, start=6)
        ),
        symptoms={},
    )
    tests = Changes({_FILE: _CODE.encode()})
    issue_tests = [] if given is None else [IssueTest(_ISSUE, _PATCH, tests, _no_file)]
    return Judged(verification, issue_tests, _no_file)


def _on_issues() -> Mapping[str, str]:
    reason = (
        "the reported symptom occurs: gives something else than 'just fits'; the test fails 3 of 3 "
        "times (AssertionError: 'just f...' != 'just fits'); the issue shows both sides of what is "
        "compared: shorten('just fits', 9) and 'just fits'"
    )
    command = "python -m unittest -v tests.test_words_that_fit"
    found = Written(_PATCH, reason, WritingExit.SUBMITTED, 0.72, admitted=True)
    return {
        "An issue is worked on": comments.working(1),
        "An issue is reproduced": _reproduction(found, command),
        "A proposal that is not sure": _reproduction(replace(found, confidence=0.3), command),
        "An issue without an example": _reproduction(Written("", "", WritingExit.ABSTAINED)),
        "An issue whose money is spent": _reproduction(
            Written("", "", WritingExit.LIMIT_REACHED, problem="1.00 USD is spent on this issue")
        ),
        **{
            f"An issue is not reproduced ({_said(refusal)})": _refused(refusal)
            for refusal in Refusal
        },
        "An issue does not say what is right": _reproduction(
            Written("", "", WritingExit.ABSTAINED, considered=(_WITHHELD,))
        ),
        "The work on an issue was given up": comments.unfinished(1, "it took too long: 60 minutes"),
        "Somebody called the test wrong": comments.retired(1, "alice", _PATCH),
        "Only that test was found again": _reproduction(
            Written("", "", WritingExit.SUBMITTED, problem=comments.SAME_AGAIN)
        ),
        "The list of bug reports": dashboard([ReportRow(n, s, 0.72) for n, s in _REPORTS]),
        "The list of bug reports, as it begins": dashboard([]),
        "Tests cannot be pushed to a fork": comments.tests_to_apply([_PATCH]),
    }


def _said(value: enum.StrEnum) -> str:
    return value.value.replace("_", " ")


def _refused(refusal: Refusal) -> str:
    admission = Admission(refusal, "passes on the code as it is")
    tried = (Considered(Candidate(Changes(), "issue-only"), admission),)
    return _reproduction(Written("", "", WritingExit.ABSTAINED, considered=tried))


_WITHHELD: Final = Considered(
    Candidate(Changes(), "issue-only", denies=Denial.EXCEPTION), Admission(Refusal.NO_TEST, "")
)


def _reproduction(written: Written, command: str = "") -> str:
    return comments.reproduction(1, written, commit=_BASE, command=command)


def _on_commands() -> Mapping[str, str]:
    verdict = _stored_verdict()
    return {
        "/fixgate help": comments.help_text(),
        "A command that does not exist": comments.unknown_command("expalin", "explain"),
        "A command like no other": comments.unknown_command("merge", ""),
        "/fixgate explain": comments.explanation(verdict, Precision(12, 1)),
        "/fixgate explain, the first time": comments.explanation(verdict, Precision(0, 0)),
        "/fixgate explain, without a verdict": comments.explanation(None, Precision(0, 0)),
        **{
            f"A command that does nothing ({_said(kind)})": comments.answer(kind, _GIVEN[kind])
            for kind in comments.CommandAnswer
        },
    }


_GIVEN: Final = {
    comments.CommandAnswer.NO_PERMISSION: "pause",
    comments.CommandAnswer.VERIFY_ON_ISSUE: "verify",
    comments.CommandAnswer.REPRODUCE_ON_PULL: "reproduce",
    comments.CommandAnswer.NO_TEST: "wrong",
    comments.CommandAnswer.HAS_TEST: "reproduce",
    comments.CommandAnswer.TOO_OFTEN: "reproduce",
}


def _stored_verdict() -> StoredVerdict:
    given = _issue_test(_failed("'just f...' != 'just fits'"))
    judged = _judged(Evidence(given=(given,)), given)
    return StoredVerdict(
        id=1,
        job=_REQUEST.key,
        repository="alice/wordtools",
        number=7,
        head_sha=_HEAD,
        decision="reject",
        title="The test for #1 still fails: got 'just f...', expected 'just fits'",
        details=json.dumps(verification_json(judged.verification)),
        created_at=datetime.datetime.now(datetime.UTC),
    )
