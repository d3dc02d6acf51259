"""First half of pass-then-invert: a test that passes and shows the wrong behaviour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator import FixgateError, PatchError, Run, Status, TestOutcome, files_to_run
from evaluator.diff import Changes
from generator.conversations.conversation import Conversation, anchor_of, code_of
from generator.loop.observations import cleaned, shown
from generator.method import MethodContext
from generator.model.protocol import Parameters
from generator.prompts import render
from generator.replies import UnreadableReplyError, answer_of

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
