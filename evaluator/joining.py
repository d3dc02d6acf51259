"""Joins runs of different test files, one after the other in the same tree, into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from evaluator.model import LineHits, Run

Lines = Mapping[str, Mapping[str, tuple[int, ...]]]


def joined(runs: Sequence[Run]) -> Run:
    """One run of all files; it ended as the last one did, and with the first code that is not 0.

    `runs` is not empty, and no test stands in two of them.
    """
    return reduce(_joined, runs)


def _joined(before: Run, after: Run) -> Run:
    return Run(
        outcomes={**before.outcomes, **after.outcomes},
        hits=_added(before.hits, after.hits),
        contexts=_united(before.contexts, after.contexts),
        executed=_united(before.executed, after.executed),
        unseen=tuple(sorted({*before.unseen, *after.unseen})),
        ending=after.ending,
        exit_code=before.exit_code or after.exit_code,
        output=before.output + after.output,
        wall_seconds=before.wall_seconds + after.wall_seconds,
        command=" && ".join(filter(None, (before.command, after.command))),
        untraced={**after.untraced, **before.untraced},
    )


def _added(before: LineHits, after: LineHits) -> LineHits:
    return {
        path: {
            line: before.get(path, {}).get(line, 0) + after.get(path, {}).get(line, 0)
            for line in sorted({*before.get(path, {}), *after.get(path, {})})
        }
        for path in _keys(before, after)
    }


def _united(before: Lines, after: Lines) -> Lines:
    """What ran outside of tests has the same name in all runs."""
    return {
        test: {
            path: tuple(
                sorted({*before.get(test, {}).get(path, ()), *after.get(test, {}).get(path, ())})
            )
            for path in _keys(before.get(test, {}), after.get(test, {}))
        }
        for test in _keys(before, after)
    }


def _keys(before: Iterable[str], after: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys((*before, *after))
