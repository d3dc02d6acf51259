"""The check of a pull request with its verdict: the tests, how they failed, what was checked."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.configuration import Gate
from bot.github.types import Check
from bot.jobs.types import JobRequest
from bot.messages import rendering
from bot.messages.checks import ADD_TESTS, RERUN, REWRITE, conclusion, of_texts
from bot.messages.commands import by_hand, checkout_of_pull
from bot.messages.findings import decisive, in_words, remarks
from bot.messages.judged import IssueTest, Judged
from bot.messages.markdown import code, fenced, linked, plain, shortened, unlinked
from bot.messages.phrases import NOTHING_TO_CHECK
from bot.messages.titles import title_of
from evaluator import Decision, Finding, Judgement, Side, Status, Transition, Verdict
from evaluator.diff import Changes, Source
from evaluator.report.failures import assertion_line, failure_in_words
from evaluator.report.verification import (
    MOST_TESTS,
    environment_lines,
    existing_tests,
    hunks_tested,
    left_out,
    rank,
    says_something,
    unexecuted,
    untested,
)

MOST_REASONS = 10
LONGEST_TITLE = 120
"""Characters that GitHub shows in one line."""
LONGEST_TESTS = 20_000
"""Characters of all tests that are shown together."""
_WORDS = {
    Decision.ACCEPT: "Accepted",
    Decision.REJECT: "Rejected",
    Decision.ABSTAIN: "fixgate cannot tell",
}
_MARKS = {
    Status.PASSED: "✅ passed",
    Status.FAILED: "❌ failed",
    Status.ERROR: "❌ error",
    Status.TIMEOUT: "❌ timed out",
    Status.OUT_OF_MEMORY: "❌ out of memory",
    Status.CRASHED: "❌ crashed",
    Status.MISSING: "not there",
}


def verdict_check(
    request: JobRequest,
    judged: Judged,
    *,
    gate: Gate,
    notes: Sequence[str] = (),
    details_url: str = "",
) -> Check:
    """The concluded check of a verification.

    `notes` are remarks in plain text (a configuration that cannot be used, say).
    """
    texts = rendering.check("check_verdict", notes=notes, **_values(request, judged))
    return of_texts(
        request,
        dataclasses.replace(texts, title=shortened(texts.title, LONGEST_TITLE)),
        conclusion(judged.verification.verdict.decision, gate),
        annotations=remarks(judged.verification, judged.head),
        buttons=(RERUN, REWRITE, *((ADD_TESTS,) if judged.tests else ())),
        details_url=details_url,
    )


def _values(request: JobRequest, judged: Judged) -> Mapping[str, object]:
    """What the template shows."""
    rows = list(_rows(judged))
    missed = untested(judged.verification.evidence.parts)[:MOST_REASONS]
    return {
        "title": unlinked(title_of(judged)),
        "decision": _decision(judged),
        "reasons": _reasons(judged),
        "rows": rows[:MOST_TESTS],
        "more": max(len(rows) - MOST_TESTS, 0),
        "tests": [_test(*one) for one in judged.by_issue],
        "longest": LONGEST_TESTS // max(len(judged.tests), 1),
        "commands": _commands(request, judged),
        "checked": list(_checked(judged)),
        "untested": "\n".join(f"- {code(name, 160)}" for name in missed),
    }


def _decision(judged: Judged) -> str:
    if judged.has_no_test:
        return "Nothing to check"
    return _WORDS[judged.verification.verdict.decision]


def _reasons(judged: Judged) -> list[str]:
    """Where it abstains, what speaks for the change too."""
    verdict = judged.verification.verdict
    found = list(decisive(verdict.findings, verdict.decision))
    if verdict.decision is Decision.ABSTAIN:
        found += decisive(verdict.findings, Decision.ACCEPT)
    reasons = dict.fromkeys(_reason(finding, judged) for finding in found)
    return list(reasons)[:MOST_REASONS]


def _reason(finding: Finding, judged: Judged) -> str:
    if finding.rule == "reproduced":
        speaks = judged.verification.verdict.decision is Decision.ABSTAIN
        return f"{'in favour of it, ' if speaks else ''}{judged.reproducing}"
    if finding.rule == "nothing_reproduces" and judged.has_no_test:
        return NOTHING_TO_CHECK
    if not finding.tests:
        return plain(finding.reason, 600)
    remedy = f": {plain(finding.remedy, 600)}" if finding.remedy else ""
    return f"{in_words(finding)}{remedy}"


def _rows(judged: Judged) -> Iterator[list[str]]:
    """The tests that say something: broken and reproducing ones first."""
    shown = [
        (origin, transition)
        for origin, judgement in judged.named
        for transition in judgement.transitions
        if _is_shown(transition, judged.verification.verdict)
    ]
    for origin, t in sorted(shown, key=lambda pair: rank(pair[1])):
        failing = t.after if t.after.status.fails else t.before
        why = code(failure_in_words(t, failing, judged.source(t)), 160)
        yield [code(t.test, 160), plain(origin, 60), _ended(t.before), _ended(t.after), why]


def _is_shown(transition: Transition, verdict: Verdict) -> bool:
    """Whether it says something of the change; tests that stood there before only if they break."""
    if transition.preexisting:
        return transition.kind == "P->F"
    return says_something(transition, verdict)


def _ended(side: Side) -> str:
    return _MARKS.get(side.status, side.status.value)


def _test(test: IssueTest, judgement: Judgement) -> Mapping[str, object]:
    """The test of an issue: a link to the issue, the test, and the line on which it fails."""
    after = [t.after for t in judgement.transitions if t.after.failure]
    failing = after or [t.before for t in judgement.transitions]
    line = next((found for side in failing if (found := assertion_line(side, test.source))), "")
    link = linked(f"#{test.number} {test.issue.title}", test.issue.url)
    return {"link": link, "patch": test.patch, "line": line, "still": bool(after)}


def _commands(request: JobRequest, judged: Judged) -> str:
    """How to repeat the runs on the head; a test that stands there already is not applied."""
    runs = [j.attempts[0].fixed for _, j in judged.named if j.attempts]
    commands = [run.command for run in runs if run.command]
    if not commands:
        return ""
    absent = [test.patch for test in judged.tests if not _is_in(test.tests, judged.head)]
    checkout = checkout_of_pull(request.number, request.head_sha)
    return fenced(by_hand(checkout, absent, commands), "sh", longest=40_000)


def _is_in(tests: Changes, head: Source) -> bool:
    return all(head(path) == content for path, content in tests.contents.items())


def _checked(judged: Judged) -> Iterator[str]:
    """What was looked at, and what was not, each as one line of Markdown."""
    verification, evidence = judged.verification, judged.verification.evidence
    if evidence.reproducing:
        yield from _coverage(judged)
    if evidence.parts:
        yield f"Of this change, {hunks_tested(evidence.parts)}."
    if evidence.regressions.budget:
        yield _sentence(existing_tests(evidence.regressions))
    if verification.left_out:
        yield f"Not run: {left_out(verification.left_out)}."
    yield from map(_sentence, environment_lines(verification, code))
    times = max((len(judgement.attempts) for _, judgement in judged.named), default=0)
    if times:
        often = "once" if times == 1 else f"{times} times"
        yield f"Each side ran {often}: the base with these tests, and the same with this change."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _coverage(judged: Judged) -> Iterator[str]:
    if judged.executed:
        yield f"Coverage by the reproducing tests: {judged.executed}."
    if missed := list(unexecuted(judged.verification.lines)):
        yield f"Not covered by any reproducing test: {_places(missed)}."


def _places(missed: Iterable[tuple[str, int, int]]) -> str:
    names = [f"{path}:{a}" if a == b else f"{path}:{a}-{b}" for path, a, b in missed]
    more = f" and {len(names) - MOST_REASONS} more" if len(names) > MOST_REASONS else ""
    return ", ".join(code(name, 160) for name in names[:MOST_REASONS]) + more
