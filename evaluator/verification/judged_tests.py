"""Tests together with what they showed of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluator.diff import Changes
from evaluator.judge import Judgement
from evaluator.verdict.evidence import reproduces


@dataclass(frozen=True)
class JudgedTests:
    """A set of tests that judged a change, and what they showed of it."""

    tests: Changes
    judgement: Judgement

    @property
    def reproducing(self) -> Mapping[str, str]:
        """The tests that fail without the change and pass with it, with their files."""
        return {t.test: t.file for t in self.judgement.transitions if reproduces(t)}
