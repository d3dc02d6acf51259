"""Contexts given as soft tokens: the classes around a method and its test, as text."""

from __future__ import annotations

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.trimming import Fits, Surroundings, fitting_end, steps


def soft_context(method: FocalMethod, choice: ContextChoice, fits: Fits) -> str:
    """The classes of a choice with as much of them as fits, removed in the order of the thesis."""
    around = Surroundings(
        method.focal_context if choice.shows_focal_class else "",
        method.test_context if choice.shows_test_class else "",
    )
    for step in steps(around):
        text = "\n".join(part for part in (step.focal, step.test) if part)
        if fits(text):
            return text
    return fitting_end(text, fits)
