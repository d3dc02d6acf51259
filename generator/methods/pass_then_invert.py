"""`pass-then-invert`: a test that passes and shows the wrong behaviour, then turned round.

The idea of AssertFlip (https://arxiv.org/abs/2507.17542).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator import Admission, FixgateError, PatchError, Run, Status, TestOutcome, files_to_run
from evaluator.diff import Changes, unified_diff
from generator.errors import LimitReachedError, ModelError
from generator.loop import LONGEST_REPLY
from generator.loop.observations import cleaned, shown
from generator.method import SINGLE_WRITER, Choice, Considered, MethodContext, last_admitted
from generator.methods.conversation import SAMPLING, Conversation, anchor_of, code_of
from generator.model.protocol import Parameters
from generator.prompts import render
from generator.replies import (
    ModelJudgement,
    UnreadableReplyError,
    answer_of,
    read_judgement,
    read_replacements,
)
from generator.task import Candidate

CONTEXT_TOKENS = 12_000
"""Tokens of code in the prompt."""
ROUNDS = 6
"""Replies to get to a test that passes: the first one and repairs."""

_SHOWN_OUTPUT = 4_000
_SHOWN_FAILURES = 5
_FILE = re.compile(r"^[\s*_#`-]*(?:file|path)[\s*_`]*[:=][\s*_`]*([\w./-]+)", re.I | re.M)


class GaveUpError(FixgateError):
    """A model did not come to what was asked for within its rounds; the message says why."""


@dataclass(frozen=True)
class PassingTest:
    """Tests that pass on the base commit.

    `code` is the whole file at `path` with them, `added` what the model wrote, `names` those of
    the new tests.
    """

    path: str
    code: str
    added: str
    names: frozenset[str]


def passing_test(work: MethodContext, complaint: str, parameters: Parameters) -> PassingTest:
    """Let the model write a test until it passes; `complaint` is what was wrong with earlier ones.

    Raises GaveUpError, and what asking and running raise.
    """
    conversation = Conversation(work, parameters)
    question = render(
        "pass_then_invert",
        issue=work.task.issue,
        given_patch=work.settings.given_patch,
        code=code_of(work, CONTEXT_TOKENS),
        anchor=anchor_of(work),
        complaint=complaint,
        language=work.language,
    )
    problem = ""
    for _ in range(work.settings.rounds or ROUNDS):
        reply = conversation.ask(question)
        try:
            test = _read(work, reply)
            problem = _not_passing(work, test)
        except (UnreadableReplyError, PatchError) as error:
            problem = str(error)
        else:
            if not problem:
                return test
        question = render("pass_then_invert_repair", problem=problem)
    raise GaveUpError(f"no test was written that passes and shows the behaviour: {problem}")


def _read(work: MethodContext, reply: str) -> PassingTest:
    """The test of a reply in its place. Raises UnreadableReplyError or PatchError."""
    suffixes = work.language.suffixes
    named = [path for path in _FILE.findall(answer_of(reply)) if path.endswith(suffixes)]
    path = named[-1].removeprefix("./") if named else anchor_of(work)
    path = path or work.language.new_test_file
    added = work.language.test_files.read_test_file(reply)
    before = work.retrieval.read(path)
    _check_names(work, path, before, added)
    changes = work.language.placed(work.task.subject.source, path, added)
    code = (changes.contents[path] or b"").decode("utf-8", errors="surrogateescape")
    names = work.language.assertions.new_tests(before, code)
    if not work.language.assertions.assertions_of(code, names):
        raise UnreadableReplyError("no test asserts anything; say by assertions what happens now")
    return PassingTest(path, code, added, names)


def _check_names(work: MethodContext, path: str, before: str, added: str) -> None:
    """Refuse code that would take the place of what stands in the file."""
    defined = work.language.test_files.defined_names
    taken = sorted(defined(before) & defined(added))
    if taken:
        raise UnreadableReplyError(
            f"{path} has `{taken[0]}` already: choose another name, and give only what is new"
        )


def _not_passing(work: MethodContext, test: PassingTest) -> str:
    """Why the tests do not pass, in words for the model; "" where they do."""
    tests = Changes({test.path: test.code.encode("utf-8", errors="surrogateescape")})
    if not files_to_run(tests):
        return f"{test.path} is no file that the test runner runs"
    run = work.runner.run_tests(tests)
    standing = {}
    if work.task.subject.source(test.path) is not None:
        standing = dict(work.runner.run_standing((test.path,)).outcomes)
    new = [outcome for name, outcome in run.outcomes.items() if name not in standing]
    failing = [outcome for outcome in new if outcome.status is not Status.PASSED]
    if not new:
        return f"the test runner found no new test in {test.path}\n\n{_output(run)}"
    return f"{_endings(failing)}\n\n{_output(run)}" if failing else ""


def _endings(failing: Sequence[TestOutcome]) -> str:
    lines = [f"{one.test}: {one.status}{_why(one)}" for one in failing[:_SHOWN_FAILURES]]
    return "The test does not pass on the code as it is:\n" + "\n".join(lines)


def _why(outcome: TestOutcome) -> str:
    if outcome.failure is None:
        return ""
    message = cleaned(outcome.failure.message)
    return f" in {outcome.phase}, {outcome.failure.exception_type}: {shown(message, 1000)}"


def _output(run: Run) -> str:
    return f"What the runner printed:\n{shown(cleaned(run.output), _SHOWN_OUTPUT)}"


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


PROPOSALS = 3
"""How many tests are begun, each after one that came to nothing or was doubted."""
_DOUBT = 0.2


class PassThenInvert:
    """Write a test that passes and shows the bug, then invert its assertions and nothing else."""

    name = NAME
    needs_model = True
    replay_only = False

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The inverted tests of each proposal, until the judge sees the issue in one."""
        complaint = ""
        for number in range(work.settings.samples or PROPOSALS):
            parameters = Parameters(SAMPLING if number else 0.0, LONGEST_REPLY, number)
            proposal = _Proposal(work, parameters)
            yield from proposal.candidates(complaint)
            complaint = proposal.complaint
            if not complaint:
                return

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one in which the judge sees the issue, else the last one that is admitted."""
        confirmed = [one for one in considered if one.candidate.origin == CONFIRMED]
        return last_admitted(confirmed, SINGLE_WRITER) or last_admitted(considered, _DOUBT)


class _Proposal:
    """One test from its beginning; `complaint` is what the next one should do better."""

    def __init__(self, work: MethodContext, parameters: Parameters) -> None:
        self._work = work
        self._parameters = parameters
        self.complaint = ""

    def candidates(self, complaint: str) -> Iterator[Candidate]:
        work = self._work
        try:
            passing = passing_test(work, complaint, self._parameters)
        except GaveUpError as error:
            self._complain(str(error))
            return
        try:
            one = inverted(work, passing, self._parameters)
        except GaveUpError as error:
            self._complain(str(error))
            yield flipped_candidate(work, passing, str(error))
            return
        except (LimitReachedError, ModelError) as error:
            yield flipped_candidate(work, passing, str(error))
            raise
        try:
            judgement = judged(work, one, self._parameters)
        except (LimitReachedError, ModelError) as error:
            yield candidate(work, one.tests, DOUBTED, f"not judged: {error}")
            raise
        self._complain("" if judgement.holds else judgement.reason or "it does not show the issue")
        origin = CONFIRMED if judgement.holds else DOUBTED
        yield candidate(work, one.tests, origin, judgement.reason)

    def _complain(self, complaint: str) -> None:
        self.complaint = complaint
        if complaint:
            self._work.trajectory.note(f"{NAME}: {complaint}")
