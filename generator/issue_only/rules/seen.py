"""Which outputs of a replay stand in the issue, wherever it shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.issue_only.matching import (
    STDOUT,
    mentioned_way,
    normal,
    remarked_way,
    shown_way,
)
from generator.issue_only.replaying import Outcome
from generator.issue_only.symptoms import Replay
from generator.report_text import Role, is_traceback

_NEAR = 200
"""Characters after an example that speak of its output."""
_TELLING = 20
"""Characters of output that come at the beginning of a longer one by no accident."""


@dataclass(frozen=True)
class Seen:
    """A step whose output is shown in the issue, and did come out; `way` is how it is looked at."""

    step: int
    way: str


def outputs_seen(replay: Replay) -> Iterator[Seen]:
    """The steps whose outputs are shown in the issue and came out."""
    by_blocks = dict(_seen_in_blocks(replay))
    for index, outcome in replay:
        step = replay.program.steps[index]
        if outcome.raised is not None or step.claim is not None:
            continue
        way = (
            shown_way(step.statement.shown, outcome)
            or remarked_way(step.statement, outcome)
            or by_blocks.get(index, "")
            or mentioned_way(words_beside(replay, index), outcome)
            or mentioned_way(_words_after(replay, index), outcome)
        )
        if way:
            yield Seen(index, way)


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
    if printed.strip() and _begins_with(normal(text), normal(printed)):
        yield from ((i, STDOUT) for i in printing)
    elif indices and (way := shown_way(text, outcomes[indices[-1]])):
        yield indices[-1], way


def _begins_with(text: str, printed: str) -> bool:
    """Whether a block shows what was printed, maybe with more that came of code left out here."""
    return text == printed or (len(printed) >= _TELLING and text.startswith(printed))


def _words_after(replay: Replay, index: int) -> str:
    """The first words after an example, for its last step: `Returns `2`, which is wrong`."""
    number = replay.program.steps[index].example
    last = max(i for i, _ in replay if replay.program.steps[i].example == number)
    return replay.report.examples[number].after[:_NEAR] if index == last else ""


def words_beside(replay: Replay, index: int) -> str:
    """The comments around a step."""
    step = replay.program.steps[index]
    return f"{step.statement.heralds}\n{step.statement.remark}"
