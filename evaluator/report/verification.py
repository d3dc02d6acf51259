"""Shows the verification of a change: on a terminal, and as JSON."""

from __future__ import annotations

import collections
import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluator.environment.types import Uncompiled
from evaluator.judge import Judgement
from evaluator.model import ChangedLine, LineState, Revision, Side, Transition
from evaluator.regressions.results import ChosenBy, Regressions
from evaluator.verdict import Basis, Decision, Verdict
from evaluator.verdict.evidence import PartKind, PartResult, PartState
from evaluator.verification.thoroughness import Safeguard
from evaluator.verification.verify import Verification

SCHEMA_VERSION = 1

_LEFT_OUT = {
    Safeguard.RERUNS: "some or all reruns",
    Safeguard.ISOLATED: "each reproducing test alone",
    Safeguard.SENSITIVITY: "the tests with other expected values",
    Safeguard.OTHER_EXAMPLES: "the tests with other examples",
    Safeguard.MUTANTS: "the tests on parts of the change",
    Safeguard.REGRESSIONS: "existing tests that the change can affect",
}
_NOT_TESTED = {
    PartState.INSEPARABLE: "cannot be taken back alone",
    PartState.NOT_TRIED: "not tried",
}
_CHOSEN_BY = {
    ChosenBy.CONTEXTS: "what they execute",
    ChosenBy.IMPORTS: "what they import",
}
_TITLES = {
    Decision.ACCEPT: "[bold green]accept[/]",
    Decision.REJECT: "[bold red]reject[/]",
    Decision.ABSTAIN: "[bold yellow]cannot tell[/]",
}


def unexecuted(lines: Iterable[ChangedLine]) -> Iterator[tuple[str, int, int]]:
    """Runs of added lines that no reproducing test executes: path, first and last line."""
    missed = sorted(
        (line.path, line.line)
        for line in lines
        if line.side is Revision.FIXED and line.state is LineState.UNCOVERED
    )
    for _, group in itertools.groupby(
        enumerate(missed), key=lambda item: (item[1][0], item[1][1] - item[0])
    ):
        places = [place for _, place in group]
        yield *places[0], places[-1][1]


def verification_json(verification: Verification) -> Mapping[str, object]:
    """The answer for scripts.

    `{schema_version, base, head, decision, basis, reasons: [{rule, decision, reason}], tests:
    [{source, test, file, before, after, kind, flaky, preexisting, reason, symptom}], coverage:
    {executable, covered}, lines: [{path, line, side, state, tests}], hunks: {all, tested,
    not_tried}, parts: [{path, first, last, kind, state, what, tests}], regressions: {budget,
    seconds, tests, files, affected, complete, chosen_by, broken, adapted, unsteady},
    left_out: [safeguard], added_packages: [requirement], unbuilt_packages: [name], uncompiled:
    [{place, reason}], absent_services: [{name, reason}]}`;
    `symptom` is null without an issue, `basis` (`issue` or `own tests`) without an acceptance,
    `regressions` where no existing test was to run.
    """
    lines, parts = verification.lines, verification.evidence.parts
    return {
        "schema_version": SCHEMA_VERSION,
        "base": verification.change.base,
        "head": verification.change.head,
        "decision": verification.verdict.decision,
        "basis": verification.verdict.basis,
        "reasons": [
            {"rule": f.rule, "decision": f.decision, "reason": f.reason}
            for f in verification.verdict.findings
        ],
        "tests": [
            {"source": source, **_test_json(transition, verification.symptoms)}
            for source, transition in _tests(verification)
        ],
        "coverage": {"executable": _executable(lines), "covered": _covered(lines)},
        "lines": [_line_json(line) for line in lines],
        "hunks": {
            "all": len(_hunks(parts)),
            "tested": _count(_hunks(parts), PartState.TESTED),
            "not_tried": _count(_hunks(parts), PartState.NOT_TRIED),
        },
        "parts": [dataclasses.asdict(part) for part in parts],
        "regressions": _regressions_json(verification.evidence.regressions),
        "left_out": list(verification.left_out),
        "added_packages": [addition.package for addition in verification.added],
        "unbuilt_packages": list(verification.unbuilt),
        "uncompiled": [dataclasses.asdict(each) for each in verification.uncompiled],
        "absent_services": [dataclasses.asdict(each) for each in verification.absent],
    }


MOST_TESTS: Final = 100
"""So many tests are shown, those that decide first."""
MOST_LEFT_OUT: Final = 5
"""So many places are named of what cannot be built."""
_SIDES: Final = {Revision.BASE: "without the change", Revision.FIXED: "with it"}
_RANKS: Final = {"P->F": 0, "F->P": 1}


def rank(transition: Transition) -> int:
    """Where a test stands in a table: broken and reproducing ones first, old failures last."""
    if transition.flaky or transition.kind not in _RANKS:
        return len(_RANKS) + transition.preexisting
    return _RANKS[transition.kind]


def says_something(transition: Transition, verdict: Verdict) -> bool:
    """Whether a test is shown, not only counted: it fails, its end differs, or it is a reason.

    Of tests that do not run on either side, or that a run without the change did not come to, only
    those that the verdict speaks of say something.
    """
    silent = transition.kind == "-->-" and not transition.flaky
    if silent or _is_behind(transition):
        return any(transition.test in finding.tests for finding in verdict.findings)
    return transition.flaky or transition.kind != "P->P"


def _is_behind(transition: Transition) -> bool:
    """Whether a test passes with the change, and stands behind one with which all ended before."""
    return transition.kind == "F->P" and not transition.before.begun


def print_verification(console: Console, verification: Verification) -> None:
    """The answer for a person: the verdict with its reasons, the tests, the lines not executed.

    These are named where there are tests to execute them: some that fail without the change. Tests
    that pass on both sides, or are skipped on both, are only counted.
    """
    own = verification.verdict.basis is Basis.OWN_TESTS
    console.print(
        _TITLES[verification.verdict.decision] + (", by its own tests alone" if own else "")
    )
    for reason in verification.verdict.reasons:
        console.print(f"  - {escape(reason)}", highlight=False)
    for test, matches in verification.symptoms.items():
        said = "the reported symptom" if matches else "not recognisably the reported symptom"
        console.print(f"  - {escape(test)}: {said}", highlight=False)
    _print_tests(console, verification)
    console.print(coverage_in_words(verification), highlight=False)
    if verification.evidence.reproducing:
        _print_unexecuted(console, verification.lines)
    _print_parts(console, verification.evidence.parts)
    if verification.evidence.regressions.budget:
        console.print(existing_tests(verification.evidence.regressions), highlight=False)
    if verification.left_out:
        console.print(f"not run: {left_out(verification.left_out)}", highlight=False)
    for line in environment_lines(verification):
        console.print(escape(line), highlight=False)


def _print_tests(console: Console, verification: Verification) -> None:
    groups: dict[bool, list[tuple[str, Transition]]] = {True: [], False: []}
    for pair in _tests(verification):
        groups[says_something(pair[1], verification.verdict)].append(pair)
    telling = groups[True]
    if telling:
        telling.sort(key=lambda pair: rank(pair[1]))
        console.print(_table(telling[:MOST_TESTS]))
    if len(telling) > MOST_TESTS:
        console.print(f"{len(telling) - MOST_TESTS} more tests that fail or do not run")
    for line in _counted([t for _, t in groups[False]], "more " if telling else ""):
        console.print(escape(line), highlight=False)


def _counted(silent: Sequence[Transition], more: str) -> Iterator[str]:
    passing = sum(t.kind == "P->P" for t in silent)
    if passing:
        yield f"{passing} {more}tests pass without the change and with it"
    if behind := sum(map(_is_behind, silent)):
        unit = "test passes" if behind == 1 else "tests pass"
        yield f"{behind} {more}{unit} with the change, and were not reached without it"
    if skipped := [t for t in silent if t.kind == "-->-"]:
        unit = "test is" if len(skipped) == 1 else "tests are"
        yield f"{len(skipped)} {more}{unit} skipped without the change and with it{_why(skipped)}"


def _why(skipped: Sequence[Transition]) -> str:
    """The reason that most of them have, if they say one."""
    reasons = collections.Counter(filter(None, (_reason(t.after) for t in skipped)))
    return "".join(f" ({reason})" for reason, _ in reasons.most_common(1))


def environment_lines(
    verification: Verification, quoted: Callable[[str], str] = str
) -> Iterator[str]:
    """What was added to the environment, and what it lacks; `quoted` marks strangers' text."""
    if verification.added:
        named = ", ".join(
            f"{quoted(each.package)} ({quoted(each.what)})" for each in verification.added
        )
        yield f"added to the environment: {named}; `fixgate environment --write` keeps it"
    if verification.unbuilt:
        named = ", ".join(map(quoted, verification.unbuilt))
        yield f"left out of the environment, as it cannot be installed here: {named}"
    if verification.uncompiled:
        yield _uncompiled(verification.uncompiled, quoted)
    for each in verification.absent:
        yield f"the tests ran without {quoted(each.name)} beside them: {each.reason}"


def _uncompiled(uncompiled: Sequence[Uncompiled], quoted: Callable[[str], str]) -> str:
    shown = [f"{quoted(each.place)} ({quoted(each.reason)})" for each in uncompiled[:MOST_LEFT_OUT]]
    more = len(uncompiled) - len(shown)
    named = ", ".join(shown) + (f" and {more} more" if more else "")
    return f"left out, as it cannot be built here: {named}"


def left_out(safeguards: Sequence[Safeguard]) -> str:
    """The safeguards that did not run, in words."""
    return ", ".join(_LEFT_OUT[safeguard] for safeguard in safeguards)


def hunks_tested(parts: Sequence[PartResult]) -> str:
    """How many hunks of a change are tested by the tests that fail without it."""
    hunks = _hunks(parts)
    tested = _count(hunks, PartState.TESTED)
    unit, verb = ("hunk" if len(hunks) == 1 else "hunks"), ("is" if tested == 1 else "are")
    others = {text: _count(hunks, state) for state, text in _NOT_TESTED.items()}
    rest = "".join(f", {number} {text}" for text, number in others.items() if number)
    return f"{tested} of {len(hunks)} {unit} {verb} tested{rest}"


def untested(parts: Sequence[PartResult]) -> Sequence[str]:
    """The parts that no test notices, each by its place."""
    return [_place(part) for part in parts if part.state is PartState.UNTESTED]


def _hunks(parts: Sequence[PartResult]) -> Sequence[PartResult]:
    return [part for part in parts if part.kind is PartKind.HUNK]


def _count(parts: Sequence[PartResult], state: PartState) -> int:
    return sum(part.state is state for part in parts)


def _place(part: PartResult) -> str:
    place = f"{part.path}:{part.first}" if part.first else part.path
    if part.last > part.first:
        place = f"{place}-{part.last}"
    return f"{place} {part.what}".rstrip()


def _print_parts(console: Console, parts: Sequence[PartResult]) -> None:
    if not parts:
        return
    console.print(hunks_tested(parts), highlight=False)
    for place in untested(parts):
        console.print(f"  no test notices: {escape(place)}", highlight=False)


def existing_tests(regressions: Regressions) -> str:
    """How many existing tests ran of how many, for how long, and how they were chosen."""
    if not regressions.affected:
        return "no existing test file is affected by the change"
    chosen = " and ".join(_CHOSEN_BY[by] for by in regressions.chosen_by)
    unit = "test" if regressions.tests == 1 else "tests"
    return (
        f"{regressions.tests} existing {unit} ran on both sides, from {regressions.files} of the "
        f"{regressions.affected} files that the change can affect, in {regressions.seconds:.0f} "
        f"of {regressions.budget:.3g} seconds; chosen by {chosen}"
    )


def _regressions_json(regressions: Regressions) -> Mapping[str, object] | None:
    if not regressions.budget:
        return None
    return {
        "budget": regressions.budget,
        "seconds": round(regressions.seconds, 3),
        "tests": regressions.tests,
        "files": regressions.files,
        "affected": regressions.affected,
        "complete": regressions.complete,
        "chosen_by": list(regressions.chosen_by),
        "broken": [test.test for test in regressions.broken],
        "adapted": [test.test for test in regressions.adapted],
        "unsteady": [test.test for test in regressions.unsteady],
    }


def _tests(verification: Verification) -> Sequence[tuple[str, Transition]]:
    named: list[tuple[str, Judgement]] = [*verification.given.items(), ("change", verification.own)]
    return [(name, t) for name, judgement in named for t in judgement.transitions]


def _table(transitions: Sequence[tuple[str, Transition]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for title in ("test", "from", "without", "with", "why it fails"):
        table.add_column(title, overflow="fold")  # long names stay whole
    for source, transition in transitions:
        reason = _reason(transition.before) or _reason(transition.after)
        marks = " (flaky)" if transition.flaky else ""
        table.add_row(
            escape(transition.test) + marks,
            escape(source),
            transition.before.status,
            transition.after.status,
            escape(reason),
        )
    return table


def _reason(side: Side) -> str:
    if side.failure is None:
        return ""
    lines = side.failure.message.strip().splitlines()
    return ": ".join(
        filter(None, (side.failure.exception_type, *(line[:100] for line in lines[:1])))
    )


def coverage_in_words(verification: Verification) -> str:
    """How many of the changed lines the tests execute that fail without the change."""
    lines = verification.lines
    executable, covered = _executable(lines), _covered(lines)
    if verification.evidence.beyond:
        return "no line was executed"
    if not executable:
        return "no changed line can be executed"
    return f"{covered} of {executable} changed lines executed by tests that fail without the change"


def _print_unexecuted(console: Console, lines: Sequence[ChangedLine]) -> None:
    for line in lines:
        if line.state is LineState.UNCOVERED:
            place = f"{line.path}:{line.line}, {_SIDES[line.side]}:"
            console.print(
                f"  not executed: {escape(place)}  {escape(line.text.strip())}", highlight=False
            )


def _executable(lines: Sequence[ChangedLine]) -> int:
    return sum(line.state is not LineState.NOT_EXECUTABLE for line in lines)


def _covered(lines: Sequence[ChangedLine]) -> int:
    return sum(line.state is LineState.COVERED for line in lines)


def _test_json(transition: Transition, symptoms: Mapping[str, bool]) -> Mapping[str, object]:
    return {
        "test": transition.test,
        "file": transition.file,
        "before": transition.before.status,
        "after": transition.after.status,
        "kind": transition.kind,
        "flaky": transition.flaky,
        "preexisting": transition.preexisting,
        "reason": _reason(transition.before) or _reason(transition.after),
        "symptom": symptoms.get(transition.test),
    }


def _line_json(line: ChangedLine) -> Mapping[str, object]:
    return {
        "path": line.path,
        "line": line.line,
        "side": line.side,
        "state": line.state,
        "tests": list(line.tests),
    }
