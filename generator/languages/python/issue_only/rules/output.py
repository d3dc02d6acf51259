"""A step gives the output that the issue shows or calls wrong, or does not fail as it should."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.languages.python.issue_only.matching import (
    STDOUT,
    VALUE,
    mentioned_way,
    normal,
    remarked_way,
    shown_way,
    text_way,
)
from generator.languages.python.issue_only.program import ProgramStep
from generator.languages.python.issue_only.replaying import StepResult
from generator.languages.python.issue_only.rules.wording import (
    sounds_right,
    sounds_wrong,
    wanted_exceptions,
)
from generator.languages.python.issue_only.symptoms import (
    LAST_OUTPUT,
    AnyDiffers,
    Differs,
    Equals,
    Raises,
    Reads,
    ReplayedReport,
    Runs,
    Symptom,
)
from generator.languages.python.notation import is_traceback
from generator.report_text import Claim, Example, PartRole

_NEAR = 200
"""Characters after an example that speak of its output."""
_LEAST_BEGINNING = 20
"""Characters of output that come at the beginning of a longer one by no accident."""


@dataclass(frozen=True)
class Seen:
    """A step whose output is shown in the issue, and did come out; `way` is how it is looked at.

    `reading` is the rule that found it in the issue.
    """

    step: int
    way: str
    reading: str


def outputs_seen(replay: ReplayedReport) -> Iterator[Seen]:
    """The steps whose outputs are shown in the issue and came out."""
    by_blocks = dict(_seen_in_blocks(replay))
    for index, outcome in replay:
        step = replay.program.steps[index]
        if outcome.raised is not None or step.claim is not None:
            continue
        ways = {
            "seen_below": shown_way(step.statement.shown, outcome),
            "seen_in_comment": remarked_way(step.statement, outcome),
            "seen_in_block": by_blocks.get(index, ""),
            "seen_in_words_beside": mentioned_way(words_beside(replay, index), outcome),
            "seen_in_words_after": mentioned_way(_words_after(replay, index), outcome),
        }
        yield from [Seen(index, way, reading) for reading, way in ways.items() if way][:1]


def _seen_in_blocks(replay: ReplayedReport) -> Iterator[tuple[int, str]]:
    """Steps whose output stands in a block under their example."""
    for number, example in enumerate(replay.report.examples):
        indices = [i for i, _ in replay if replay.program.steps[i].example == number]
        for block in example.outputs:
            if block.role is not PartRole.EXPECTED and not is_traceback(block.text):
                yield from _shown_by(block.text, indices, replay.outcomes)


def _shown_by(
    text: str, indices: Sequence[int], outcomes: Sequence[StepResult]
) -> Iterator[tuple[int, str]]:
    printing = [i for i in indices if outcomes[i].stdout.strip()]
    printed = "".join(outcomes[i].stdout for i in printing)
    if printed.strip() and _begins_with(normal(text), normal(printed)):
        yield from ((i, STDOUT) for i in printing)
    elif indices and (way := shown_way(text, outcomes[indices[-1]])):
        yield indices[-1], way


def _begins_with(text: str, printed: str) -> bool:
    """Whether a block shows what was printed, maybe with more that came of code left out here."""
    return text == printed or (len(printed) >= _LEAST_BEGINNING and text.startswith(printed))


def _words_after(replay: ReplayedReport, index: int) -> str:
    """The first words after an example, for its last step: `Returns `2`, which is wrong`."""
    number = replay.program.steps[index].example
    last = max(i for i, _ in replay if replay.program.steps[i].example == number)
    return replay.report.examples[number].after[:_NEAR] if index == last else ""


def words_beside(replay: ReplayedReport, index: int) -> str:
    """The comments around a step."""
    step = replay.program.steps[index]
    return f"{step.statement.heralds}\n{step.statement.remark}"


_LITERAL = frozenset({"bool", "int", "float", "complex", "str", "bytes", "NoneType"})
_PLAIN = _LITERAL | {"set", "frozenset", "dict", "list", "tuple", "ndarray"}
"""Types whose values are compared; those of others may be written in ways that are no code."""
_FRACTION = re.compile(r"\d\s*/\s*\d")
"""What is a fraction where it is printed, and a float where it is code."""
_LEAST = 0.4
"""The length of the shorter of two texts beside the longer one, if they are to say the same."""
_UNORDERED = frozenset({"set", "frozenset", "dict"})


def wrong_outputs(replay: ReplayedReport) -> Iterator[Symptom]:
    """The outputs that came out as shown and are not said to be right.

    Where one is said to be wrong, or what it should be, that one; else any of them, or the last.
    """
    everything = list(outputs_seen(replay))
    seen = [one for one in everything if not _is_right(replay, one)]
    if not seen:
        return
    blamed = [one for one in seen if sounds_wrong(words_beside(replay, one.step))] or [
        one for one in seen if list(_expected(replay, one))
    ]
    if blamed:
        yield from _expected(replay, blamed[-1])
        yield _symptom(replay, blamed[-1], "output_blamed", 0.7)
    if _went_astray(replay, everything):
        return
    if len(seen) > 1:
        looks = tuple((one.step, _text_look(replay, one)) for one in seen)
        words = f"gives all of {len(seen)} outputs"
        readings = tuple(dict.fromkeys(one.reading for one in seen))
        yield Symptom("output_any", seen[-1].step, AnyDiffers(looks), 0.68, words, readings)
    if not blamed:
        yield _symptom(replay, seen[-1], LAST_OUTPUT, 0.6)


def _symptom(replay: ReplayedReport, one: Seen, rule: str, confidence: float) -> Symptom:
    look = _look(replay, one)
    words = f"gives {look.actual[:200]}"
    return Symptom(rule, one.step, look, confidence, words, (one.reading,))


def _went_astray(replay: ReplayedReport, seen: Sequence[Seen]) -> bool:
    """Whether the report was not followed to its end.

    A step failed that gives an output in the issue, or the last output of all came out otherwise.
    """
    shown = [index for index, _ in replay if _shows_output(replay.program.steps[index])]
    failed = any(replay.outcomes[index].raised is not None for index in shown)
    return failed or (bool(shown) and shown[-1] > max(one.step for one in seen))


def _shows_output(step: ProgramStep) -> bool:
    shown = step.statement.shown
    return bool(shown) and step.claim is None and not is_traceback(shown)


def _look(replay: ReplayedReport, one: Seen) -> Differs:
    step, outcome = replay.program.steps[one.step], replay.outcomes[one.step]
    if outcome.type_name in _UNORDERED and outcome.same[:1] == (True,):
        return Differs(VALUE, step.texts[0])
    return difference(outcome, one.way)


def _text_look(replay: ReplayedReport, one: Seen) -> Differs:
    """As `_look`, but never by value."""
    outcome = replay.outcomes[one.step]
    if one.way == STDOUT:
        return Differs(STDOUT, outcome.stdout.rstrip("\n"))
    way = "repr" if one.way == VALUE else one.way
    return Differs(way, outcome.views[way])


def difference(outcome: StepResult, way: str) -> Differs:
    """That an outcome, looked at in a way, must become another one."""
    if outcome.type_name in _LITERAL and way != STDOUT:
        return Differs(VALUE, outcome.views["repr"])
    if way == STDOUT:
        return Differs(STDOUT, outcome.stdout.rstrip("\n"))
    way = "repr" if way == VALUE else way
    return Differs(way, outcome.views[way])


def equality(text: str, same: bool | None, outcome: StepResult, way: str) -> Equals | Reads | None:
    """That an outcome becomes what stands in the issue; None where it is that already.

    `same` is what the replay says of the text as code.
    """
    if same is True or text_way(text, outcome):
        return None
    if same is False and outcome.type_name in _PLAIN and not _FRACTION.search(text):
        return Equals(text, array=outcome.type_name == "ndarray")
    way = way if way in outcome.views or way == STDOUT else "repr"
    shown = outcome.stdout if way == STDOUT else outcome.views.get(way, "")
    return Reads(way, text) if same is not None or _is_whole(text, shown) else None


def _is_whole(text: str, shown: str) -> bool:
    """Whether text that is no code is as long as what comes out; else it may be a part of it."""
    ours, theirs = len(normal(text)), len(normal(shown))
    return min(ours, theirs) >= _LEAST * max(ours, theirs) > 0


def _expected(replay: ReplayedReport, chosen: Seen) -> Iterator[Symptom]:
    """That the step gives what the report says it should."""
    step, outcome = replay.program.steps[chosen.step], replay.outcomes[chosen.step]
    for text, reading, same in zip(step.texts[1:], step.readings, outcome.same[1:], strict=False):
        demand = equality(text, same, outcome, chosen.way)
        if demand is not None:
            words = f"gives something else than {text[:200]}"
            readings = (chosen.reading, reading)
            yield Symptom("output_expected", chosen.step, demand, 0.72, words, readings)
            return


def _is_right(replay: ReplayedReport, one: Seen) -> bool:
    if sounds_right(words_beside(replay, one.step)):
        return True
    example = _example(replay, one)
    return example.role is PartRole.EXPECTED or sounds_right(_lead(example))


def _example(replay: ReplayedReport, one: Seen) -> Example:
    return replay.report.examples[replay.program.steps[one.step].example]


def _lead(example: Example) -> str:
    """The last line of the prose before an example."""
    lines = [line for line in example.before.split("\n") if line.strip()]
    return lines[-1] if lines else ""


def claimed_results(replay: ReplayedReport) -> Iterator[Symptom]:
    """Steps made of claims, as far as what is claimed of them is so."""
    for index, outcome in replay:
        claim = replay.program.steps[index].claim
        if claim is None:
            continue
        if outcome.raised is not None:
            yield from _raising(index, outcome, claim)
        else:
            yield from _giving(index, outcome, claim)


def _raising(index: int, outcome: StepResult, claim: Claim) -> Iterator[Symptom]:
    raised = outcome.raised
    if raised is None or claim.wanted_exception:
        return
    if claim.exception.rpartition(".")[2] in raised.names[:3] and claim.exception:
        words = f"`{claim.expression}` raises {raised.name}"
        yield Symptom("claimed_crash", index, Runs(), 0.7, words)


def _giving(index: int, outcome: StepResult, claim: Claim) -> Iterator[Symptom]:
    way = shown_way(claim.actual, outcome) if claim.actual else ""
    words = f"`{claim.expression}` gives `{claim.actual}`"
    if way:
        yield Symptom("claimed_wrong", index, difference(outcome, way), 0.7, words)
    if claim.expected and (way or not claim.actual):
        same = outcome.same[1] if len(outcome.same) > 1 else None
        demand = equality(claim.expected, same, outcome, way or "repr")
        if demand is not None:
            rule, confidence = ("claimed_expected", 0.75) if way else ("claimed_only_expected", 0.4)
            yield Symptom(rule, index, demand, confidence, f"{words}, not `{claim.expected}`")


_SHOULD_FAIL = re.compile(
    r"\b(?:should|must|ought to|expected to)\b (?:\w+ ){0,2}?"
    r"(?:fail|raise|throw|error|be rejected|be forbidden|not be (?:allowed|possible|accepted))\b",
    re.IGNORECASE,
)


def missing_refusals(replay: ReplayedReport) -> Iterator[Symptom]:
    """The last step whose output came out as shown, where the title says that something fails."""
    if not _SHOULD_FAIL.search(replay.report.title):
        return
    seen = list(outputs_seen(replay))
    if seen:
        exception = min(wanted_exceptions(replay.report), default="Exception")
        last = seen[-1]
        words = "is not refused"
        yield Symptom("refusal", last.step, Raises(exception), 0.7, words, (last.reading,))
