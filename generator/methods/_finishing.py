"""Tests as they will be considered, so that what a method tries is run only once."""

from __future__ import annotations

from evaluator.diff import Changes
from generator.formatting import formatted, style_of
from generator.method import Work


def finished(work: Work, tests: Changes) -> Changes:
    """The tests formatted as their repository formats."""
    source = work.task.subject.source
    return formatted(tests, source, style_of(source))
