"""Second half of pass-then-invert: the assertions are turned round, and the result is looked at."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator import Admission, PatchError
from evaluator.diff import Changes, unified_diff
from generator.candidate import Candidate
from generator.conversations.conversation import Conversation
from generator.conversations.passing import GaveUpError, PassingTest
from generator.loop.observations import cleaned, shown
from generator.method import MethodContext
from generator.model.protocol import Parameters
from generator.prompts import render
from generator.replies import (
    ModelJudgement,
    UnreadableReplyError,
    read_judgement,
    read_replacements,
)

NAME = "pass-then-invert"
CONFIRMED, DOUBTED, FLIPPED = NAME, f"{NAME}/doubted", f"{NAME}/flipped"
"""Origins of candidates: the judge does not object, does, or was not asked."""

INVERSIONS = 3
JUDGEMENTS = 2
"""Replies that are waited for until one can be used."""


@dataclass(frozen=True)
class Inverted:
    """Inverted tests that are admitted."""

    code: str
    tests: Changes
    admission: Admission


def inverted(work: MethodContext, passing: PassingTest, parameters: Parameters) -> Inverted:
    """Let the model say what the assertions should be; nothing else can change.

    Raises GaveUpError where nothing comes of it that is admitted.
    """
    conversation = Conversation(work, parameters)
    question = render(
        "pass_then_invert_invert",
        issue=work.task.issue,
        path=passing.path,
        code=passing.added,
        assertions=work.language.assertions.assertions_of(passing.code, passing.names),
        language=work.language,
    )
    problem = ""
    for _ in range(INVERSIONS):
        reply = conversation.ask(question)
        try:
            code = work.language.assertions.replaced(
                passing.code, passing.names, read_replacements(reply)
            )
        except (UnreadableReplyError, PatchError) as error:
            problem = str(error)
        else:
            tests = _tests(work, passing.path, code)
            admission = work.admit(tests)
            if admission.admitted:
                return Inverted(code, tests, admission)
            problem = f"with these assertions, the test {admission.reason}"
        question = render("pass_then_invert_again", problem=problem)
    raise GaveUpError(f"the assertions could not be inverted: {problem}")


def judged(work: MethodContext, one: Inverted, parameters: Parameters) -> ModelJudgement:
    """Whether the failure shows the issue, in the eyes of the model; unclear answers are a yes."""
    conversation = Conversation(work, parameters)
    question = render(
        "pass_then_invert_judge",
        issue=work.task.issue,
        patch=unified_diff(one.tests, work.task.subject.source),
        failures=_failures(one.admission),
    )
    problem = ""
    for _ in range(JUDGEMENTS):
        try:
            return read_judgement(conversation.ask(question))
        except UnreadableReplyError as error:
            problem = str(error)
            question = render("pass_then_invert_again", problem=problem)
    return ModelJudgement(holds=True, reason=f"not judged: {problem}")


def candidate(work: MethodContext, tests: Changes, origin: str, note: str) -> Candidate:
    """The candidate of a stage."""
    raw = unified_diff(tests, work.task.subject.source)
    return Candidate(tests, origin, note, raw=raw)


def flipped_candidate(work: MethodContext, passing: PassingTest, why: str) -> Candidate:
    """The last assertion of each test turned round mechanically; nothing where none can be."""
    assertions = work.language.assertions
    last = {one.test: one for one in assertions.assertions_of(passing.code, passing.names)}
    texts = {one.number: text for one in last.values() if (text := assertions.flipped(one))}
    try:
        code = assertions.replaced(passing.code, passing.names, texts)
    except (UnreadableReplyError, PatchError) as error:
        return Candidate(Changes(), FLIPPED, why, problem=str(error))
    if not texts:
        return Candidate(Changes(), FLIPPED, why, problem="no assertion has a plain opposite")
    return candidate(work, _tests(work, passing.path, code), FLIPPED, why)


def _tests(work: MethodContext, path: str, code: str) -> Changes:
    return work.finished(Changes({path: code.encode("utf-8", errors="surrogateescape")}))


def _failures(admission: Admission) -> list[str]:
    return [
        f"{one.test}: {one.failure.exception_type}: {shown(cleaned(one.failure.message), 2000)}"
        if one.failure
        else f"{one.test}: {one.status}"
        for one in admission.failing
    ]
