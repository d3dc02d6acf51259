"""Whether the golden tests behave here as the dataset says (FAIL_TO_PASS and PASS_TO_PASS).

The dataset names tests as the reference harness scrapes them from logs; `reference_names` says
under which of those names an outcome of ours may stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from evaluator.execution import RunPair
from evaluator.model import Instance, Status
from evaluator.swtbench.reference import reference_names

_PASSES = frozenset({Status.PASSED, Status.XFAILED})
"""What the dataset counts as passing."""

_SHOWN = 5

End = tuple[Status, Status]
"""How a test ended on R and on R∘X."""


def expectations(instance: Instance, golden: RunPair) -> tuple[str, ...]:
    """In words: how many tests behave as the dataset says, and each of the first that do not."""
    ends = _ends(golden)
    lists = (
        ("FAIL_TO_PASS", instance.fail_to_pass, _fails_then_passes),
        ("PASS_TO_PASS", instance.pass_to_pass, _passes_twice),
    )
    return tuple(said for each in lists for said in _told(*each, ends))


def _ends(golden: RunPair) -> Mapping[str, Sequence[End]]:
    """By every name that the dataset may give a test: how the tests of that name ended.

    Names that were cut at a space, or have lost their file, can stand for several tests.
    """
    named: dict[str, dict[str, End]] = {}
    for outcome in (*golden.base.outcomes.values(), *golden.fixed.outcomes.values()):
        test, file = outcome.test, outcome.file
        end = (golden.base.status_of(test, file), golden.fixed.status_of(test, file))
        for name in reference_names(outcome):
            named.setdefault(name, {})[test] = end
    return {name: tuple(ends.values()) for name, ends in named.items()}


def _told(
    label: str,
    tests: Sequence[str],
    holds: Callable[[End], bool],
    ends: Mapping[str, Sequence[End]],
) -> Iterator[str]:
    if not tests:
        return
    found = {test: ends.get(test, [(Status.MISSING, Status.MISSING)]) for test in tests}
    wrong = {test: every[0] for test, every in found.items() if not any(map(holds, every))}
    yield f"{len(tests) - len(wrong)} of {len(tests)} {label} behave as the dataset says"
    for test, (before, after) in list(wrong.items())[:_SHOWN]:
        yield f"{label} {test}: {before} without the fix, {after} with it"


def _fails_then_passes(end: End) -> bool:
    return end[0].fails and end[1] in _PASSES


def _passes_twice(end: End) -> bool:
    return end[0] in _PASSES and end[1] in _PASSES
