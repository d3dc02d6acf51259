"""`autocoderover`: look the code up by calls, then write one patch (SWT-Bench, section 4.2).

As SWT-Bench carries over AutoCodeRover (https://arxiv.org/abs/2404.05427) to tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.diff import Changes
from evaluator.languages import is_test_file
from generator.code_search import CodeSearch, answer, signatures
from generator.method import Choice, Considered, MethodContext, last_admitted
from generator.methods.conversation import (
    Conversation,
    anchor_of,
    edits_candidate,
    report_of,
    sampling,
)
from generator.prompts import render
from generator.replies import UnreadableReplyError, apply_edits, read_calls, read_edits
from generator.retrieval import estimated_tokens
from generator.task import Candidate

LARGEST_ANCHOR = 8_000
"""Tokens of a test file above which it is not shown whole."""


@dataclass(frozen=True)
class AutoCodeRover:
    """Look code up by search calls, then write a patch as file, original and patched lines.

    `rounds` of calls at most, and `tries` to write a patch that can be applied.
    """

    name = "autocoderover"
    needs_model = True
    replay_only = False

    rounds: int = 10
    tries: int = 3

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """One patch for each sample; those before it that applied in part stay as they were."""
        for parameters in sampling(work, default=1):
            conversation = Conversation(work, parameters)
            unsaid = self._look_up(conversation)
            yield from self._written(conversation, unsaid)

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)

    def _look_up(self, conversation: Conversation) -> str:
        """Answer calls until the model makes none; a first reply without any is asked again.

        Returns the answers that the model did not see yet, "" where it wanted no more.
        """
        work = conversation.work
        search = CodeSearch(work.task.subject.pristine)
        rounds = work.settings.rounds or self.rounds
        question = _opening(work, rounds)
        for left in range(rounds - 1, -1, -1):
            calls = read_calls(conversation.ask(question))
            if not calls and left < rounds - 1:
                return ""
            answers = [(call, answer(search, call)) for call in calls]
            question = render("autocoderover_found", answers=answers, rounds=left)
        return question

    def _written(self, conversation: Conversation, unsaid: str) -> Iterator[Candidate]:
        question = f"{unsaid}\n{_patch_question(conversation.work)}".lstrip()
        for number in range(1, self.tries + 1):
            reply = conversation.ask(question)
            candidate = _candidate(conversation.work, reply, self.name, f"try {number}")
            candidate = conversation.noted(candidate)
            if candidate.tests.contents or number == self.tries:
                yield candidate
            if not candidate.problem:
                return
            question = render("autocoderover_again", problem=candidate.problem)


def _opening(work: MethodContext, rounds: int) -> str:
    return render("autocoderover_context", calls=signatures(), rounds=rounds, **report_of(work))


def _patch_question(work: MethodContext) -> str:
    anchor = anchor_of(work)
    text = work.retrieval.read(anchor) if anchor else ""
    shown = text if estimated_tokens(text) <= LARGEST_ANCHOR else ""
    return render("autocoderover_patch", anchor=anchor, anchor_text=shown, language=work.language)


def _candidate(work: MethodContext, reply: str, origin: str, note: str) -> Candidate:
    try:
        edits = read_edits(reply)
    except UnreadableReplyError as error:
        return Candidate(Changes(), origin, note, raw=reply, problem=str(error))
    edited = apply_edits(edits, work.task.subject.source, keep=is_test_file)
    return edits_candidate(edited, reply, origin, note)
