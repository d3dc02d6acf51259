"""Runs tests once more with the change, while their assertions are tried with other values.

Code and tests share one process, so that code can have any test pass: by what it returns (a value
that equals everything), or by changing what runs it. It cannot know which of the values that it is
compared with is the expected one. Tests that do not notice the difference say nothing.
"""

from __future__ import annotations

import re

from evaluator.diff import Changes
from evaluator.evaluation import Revision, Transition
from evaluator.execution import Executor, Subject
from evaluator.judge import Judgement
from evaluator.languages.python.environment.types import python_environment
from evaluator.outcome import Run, Status
from evaluator.python_source import function_of
from evaluator.storage.keys import content_key
from evaluator.verdict.evidence import reproduces
from evaluator.verdict.trials import Reaction, Sensitivity
from evaluator.verification.sensitivity.inserted import Inserted, inserted
from evaluator.verification.sensitivity.reached import reached
from evaluator.verification.sensitivity.turning import Turned, turned


def sensitivity(
    executor: Executor, subject: Subject, tests: Changes, judgement: Judgement
) -> tuple[Sensitivity, ...]:
    """How each test reacts that fails without the change and passes with it.

    One run on the fixed side, of these tests alone. Raises SandboxError.
    """
    trying = [t for t in judgement.transitions if reproduces(t)]
    if not trying:
        return ()
    files = tuple(sorted({t.file for t in trying}.intersection(judgement.files)))
    code = inserted(content_key(subject.repo, subject.commit, subject.fix.digest, tests.digest))
    rewritten = _rewritten(
        subject, tests, files, frozenset(function_of(t.test) for t in trying), code
    )
    changes = tests.merged(Changes({path: each.content for path, each in rewritten.items()}))
    names = frozenset(t.test for t in trying)
    run = executor.run(subject, Revision.FIXED, changes, files, only=names)
    found = frozenset().union(*(each.tests for each in rewritten.values()))
    return tuple(_reaction(t, run, code.token, found) for t in trying)


def _rewritten(
    subject: Subject, tests: Changes, files: tuple[str, ...], names: frozenset[str], code: Inserted
) -> dict[str, Turned]:
    read = tests.overlaid(subject.fix.overlaid(subject.source))
    environment = python_environment(subject.environments[Revision.FIXED])
    contents = reached(files, read, environment.recipe.import_roots)
    return {path: turned(content, names, code) for path, content in contents.items()}


def _reaction(test: Transition, run: Run, token: str, found: frozenset[str]) -> Sensitivity:
    """What the outcome of a test comes to; where its function was not found, nothing was tried."""
    if function_of(test.test) not in found:
        return Sensitivity(test.test, test.file, Reaction.UNTRIED)
    if run.status_of(test.test, test.file) is Status.PASSED:
        return Sensitivity(test.test, test.file, Reaction.HELD)
    outcome = run.outcomes.get(test.test)
    message = outcome.failure.message if outcome and outcome.failure else ""
    match re.search(rf"{token} (held|noticed) (.*)", message):
        case None:
            return Sensitivity(test.test, test.file, Reaction.UNTRIED)
        case re.Match() as said if said[1] == "held":
            return Sensitivity(test.test, test.file, Reaction.HELD, place=said[2])
        case said:
            number = int(said[2])
            reaction = Reaction.NOTICED if number else Reaction.NOTHING
            return Sensitivity(test.test, test.file, reaction, number)
