"""What a model in a shell would look at first, so that it need not ask: test files and code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from evaluator import Phase, Run, TestOutcome
from generator.method import MethodContext

SHORT = 8_000
"""Characters of a file that is shown whole."""
_SOURCES = 2
"""Files of the project's own code that are shown, where they are short."""


def nearest_tests(work: MethodContext, most: int) -> list[str]:
    """The test files in which a test for the issue may belong, best first; none where hidden."""
    if not work.settings.names_test_file:
        return []
    return [file.path for file in work.retrieval.test_files(most)]


def broken_tests(work: MethodContext, file: str) -> str:
    """How many tests of a file fail as they stand, and why most of them do; "" where none does.

    Who writes a test there sees such failures beside its own. Raises SandboxError.
    """
    run = work.runner.run_standing((file,))
    failing = [outcome for outcome in run.outcomes.values() if outcome.status.fails]
    if not failing:
        return ""
    reason = Counter(map(_said, failing)).most_common(1)[0][0]
    unloaded = [outcome for outcome in failing if outcome.phase is Phase.COLLECTION]
    if unloaded:
        return (
            f"In this environment, `{file}` cannot be loaded as it stands ({reason}): no test in "
            "it can run. Write your test in a file that can be loaded."
        )
    return f"{_counted(run, failing)} of `{file}` fail as they stand, most often with {reason}."


def _counted(run: Run, failing: Sequence[TestOutcome]) -> str:
    return f"In this environment, {len(failing)} of {len(run.outcomes)} tests"


def _said(outcome: TestOutcome) -> str:
    if outcome.failure is None:
        return "no message"
    name = outcome.failure.exception_type.rpartition(".")[2]
    return f"{name}: {outcome.failure.message}".partition("\n")[0][:200]


def short_files(work: MethodContext, tests: Sequence[str]) -> list[tuple[str, str]]:
    """Path and text of the likeliest code and of the nearest test file, those that are short."""
    sources = [file.path for file in work.retrieval.source_files(_SOURCES)]
    return list(_short(work, [*sources, *tests[:1]]))


def _short(work: MethodContext, paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    for path in dict.fromkeys(paths):
        text = work.retrieval.read(path)
        if text.strip() and len(text) <= SHORT:
            yield path, text
