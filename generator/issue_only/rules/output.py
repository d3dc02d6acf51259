"""A step gives the output that the issue shows as wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.issue_only.matching import STDOUT, VALUE, normal, remarked_way, shown_way
from generator.issue_only.replaying import Outcome
from generator.issue_only.rules.wording import sounds_right, sounds_wrong
from generator.issue_only.symptoms import Differs, Replay, Symptom
from generator.report_text import Example, Role, is_traceback

_LITERAL = frozenset({"bool", "int", "float", "complex", "str", "bytes", "NoneType"})


@dataclass(frozen=True)
class _Seen:
    """A step whose output is shown in the issue, and did come out; `way` is how it is looked at."""

    step: int
    way: str


def wrong_outputs(replay: Replay) -> Iterator[Symptom]:
    """The last output shown that came out as shown and is not said to be right."""
    seen = list(_seen(replay))
    blamed = [one for one in seen if not _is_right(replay, one)]
    if not blamed:
        return
    wrong = [one for one in blamed if _is_wrong(replay, one)]
    chosen = (wrong or blamed)[-1]
    rule = "output_blamed" if wrong else "output_last"
    demand = difference(replay.outcomes[chosen.step], chosen.way)
    yield Symptom(rule, chosen.step, demand, 0.7 if wrong else 0.65, f"gives {demand.actual[:200]}")


def difference(outcome: Outcome, way: str) -> Differs:
    """That an outcome, looked at in a way, must become another one."""
    if outcome.type_name in _LITERAL and way != STDOUT:
        return Differs(VALUE, outcome.views["repr"])
    if way == VALUE:
        return Differs("repr", outcome.views["repr"])
    if way == STDOUT:
        return Differs(STDOUT, outcome.stdout.rstrip("\n"))
    return Differs(way, outcome.views[way])


def _seen(replay: Replay) -> Iterator[_Seen]:
    steps = replay.program.steps
    by_blocks = dict(_seen_in_blocks(replay))
    for index, outcome in replay:
        statement = steps[index].statement
        if outcome.raised is not None or steps[index].claim is not None:
            continue
        way = shown_way(statement.shown, outcome) if statement.shown else ""
        way = way or remarked_way(statement.remark, outcome) or by_blocks.get(index, "")
        if way:
            yield _Seen(index, way)


def _seen_in_blocks(replay: Replay) -> Iterator[tuple[int, str]]:
    """Steps whose output stands in a block under their example."""
    for number, example in enumerate(replay.report.examples):
        indices = [i for i, _ in replay if replay.program.steps[i].example == number]
        for block in example.outputs:
            if block.role is not Role.EXPECTED and not is_traceback(block.text):
                yield from _shown_by(block.text, indices, replay.outcomes)


def _shown_by(
    text: str, indices: Sequence[int], outcomes: Sequence[Outcome]
) -> Iterator[tuple[int, str]]:
    printing = [i for i in indices if outcomes[i].stdout.strip()]
    printed = "".join(outcomes[i].stdout for i in printing)
    if printed.strip() and normal(printed) == normal(text):
        yield from ((i, STDOUT) for i in printing)
    elif indices and (way := shown_way(text, outcomes[indices[-1]])):
        yield indices[-1], way


def _words_beside(replay: Replay, one: _Seen) -> str:
    step = replay.program.steps[one.step]
    return f"{step.statement.heralds}\n{step.statement.remark}"


def _is_right(replay: Replay, one: _Seen) -> bool:
    step = replay.program.steps[one.step]
    if sounds_right(_words_beside(replay, one)):
        return True
    example = replay.report.examples[step.example]
    return example.role is Role.EXPECTED or sounds_right(_lead(example))


def _is_wrong(replay: Replay, one: _Seen) -> bool:
    step = replay.program.steps[one.step]
    example = replay.report.examples[step.example]
    return sounds_wrong(_words_beside(replay, one)) or example.role is Role.ACTUAL


def _lead(example: Example) -> str:
    """The last line of the prose before an example."""
    lines = [line for line in example.before.split("\n") if line.strip()]
    return lines[-1] if lines else ""
