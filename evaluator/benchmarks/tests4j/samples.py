"""Samples: the test methods of a MUT's replies, each once, with where they come from."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.post_processing import (
    RepliedTest,
    ReplyProblem,
    normal_form,
    post_process,
)


class Fate(enum.StrEnum):
    """How far a reply came; each has passed all stages before its own (thesis, section 3.5).

    A test of code that its repository is built without is left out: that says nothing of the test.
    """

    DUPLICATE = "duplicate"
    LEFT_OUT = "left out"
    UNPARSABLE = "unparsable"
    NOT_COMPILED = "parsable"
    NOT_EXECUTED = "compilable"
    EXECUTED = "executable"
    CORRECT = "correct"


@dataclass(frozen=True, eq=False)
class Sample:
    """A test method of one reply; replies are counted from 0. Each sample equals only itself."""

    method: FocalMethod
    reply: int
    test: RepliedTest


@dataclass(frozen=True)
class Discarded:
    """A reply, or a test of it, that is not inserted anywhere."""

    reply: int
    source: str
    fate: Fate
    reason: str


def samples_of(
    method: FocalMethod, replies: Sequence[str]
) -> tuple[tuple[Sample, ...], tuple[Discarded, ...]]:
    """The samples of a method's replies, and what was discarded.

    Two tests are the same where they differ in white space and comments only.
    """
    kept: list[Sample] = []
    discarded: list[Discarded] = []
    first: dict[str, int] = {}
    for reply, test in _tests(replies):
        form = normal_form(test.source) if isinstance(test, RepliedTest) else test[1].strip()
        source = test.source if isinstance(test, RepliedTest) else test[1]
        if form in first:
            reason = f"the same as in reply {first[form]}"
            discarded.append(Discarded(reply, source, Fate.DUPLICATE, reason))
            continue
        first[form] = reply
        if isinstance(test, RepliedTest):
            kept.append(Sample(method, reply, test))
        else:
            discarded.append(Discarded(reply, source, Fate.UNPARSABLE, test[0].value))
    return tuple(kept), tuple(discarded)


def _tests(replies: Sequence[str]) -> Iterator[tuple[int, RepliedTest | tuple[ReplyProblem, str]]]:
    for number, reply in enumerate(replies):
        processed = post_process(reply)
        if isinstance(processed, ReplyProblem):
            yield number, (processed, reply)
        else:
            yield from ((number, test) for test in processed)
