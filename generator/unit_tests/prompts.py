"""What a model is shown of a method: itself in its class, and the test class to go on with."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from generator.model.protocol import CHARACTERS_PER_TOKEN
from generator.unit_tests.code import (
    indented,
    opened,
    same_signature,
    without,
)
from generator.unit_tests.trimming import Fits, Surroundings, fitting_end, steps


class ContextChoice(enum.StrEnum):
    """What is shown around the method and the test, by the thesis's names (section 5.1, p. 35)."""

    ALL = "All"
    TEST_CLASS = "TCl"
    FOCAL_CLASS = "FCl"
    NONE = "None"

    @property
    def shows_focal_class(self) -> bool:
        """Whether the method stands in its class."""
        return self in (ContextChoice.ALL, ContextChoice.FOCAL_CLASS)

    @property
    def shows_test_class(self) -> bool:
        """Whether the test class is begun."""
        return self in (ContextChoice.ALL, ContextChoice.TEST_CLASS)


@dataclass(frozen=True)
class Prompt:
    """Java that a test goes on from (figure 5.1).

    `focal` is the method, in its class where that is shown; `test` the test class up to where a
    member of it may begin, or "". `tail` closes that class, and `indentation` is that of its
    members. `cut` says that `focal` and `test` had to be cut to fit.
    """

    focal: str
    test: str
    tail: str
    indentation: str
    cut: bool = False

    @property
    def code(self) -> str:
        """All of it, for a model to continue."""
        return f"{self.focal}\n{self.test}" if self.focal else self.test

    def completed(self, test: str) -> str:
        """The prompt with a test in its place and the class closed: an example to train on."""
        return f"{self.code}{indented(test, self.indentation)}\n{self.tail}"


@dataclass(frozen=True)
class PromptBudget:
    """How many tokens a prompt may have, and who counts them: `count`, under the name `counted`."""

    tokens: int
    count: Callable[[str], float]
    counted: str

    @property
    def name(self) -> str:
        """What stands for it in the key of what it led to."""
        return f"{self.tokens} by {self.counted}"

    def fits(self, code: str) -> bool:
        """Whether a prompt is short enough."""
        return self.count(code) <= self.tokens


def by_characters(tokens: int) -> PromptBudget:
    """Tokens guessed from the number of characters, where no tokenizer is at hand."""
    return PromptBudget(tokens, lambda code: len(code) / CHARACTERS_PER_TOKEN, "characters")


def prompt(method: FocalMethod, choice: ContextChoice, fits: Fits) -> Prompt:
    """The prompt with as much around the method as fits."""
    focal = without(method.focal_context, same_signature(method.source))
    around = Surroundings(
        focal if choice.shows_focal_class else "",
        method.test_context if choice.shows_test_class else "",
    )
    for step in steps(around):
        made = _assembled(method, step)
        if fits(made.code):
            return made
    return _cut(made, fits)


def _assembled(method: FocalMethod, around: Surroundings) -> Prompt:
    focal = opened(around.focal, method.focal_class)
    shown = f"{indented(method.source, focal.indentation if focal else '')}\n"
    if focal is not None:
        shown = f"{_parted(focal.head)}{shown}{focal.tail.rstrip()}\n"
    test = opened(around.test, method.test_class)
    if test is None:
        return Prompt(shown, "", "", "")
    return Prompt(shown, _parted(test.head), test.tail, test.indentation)


def _parted(head: str) -> str:
    """With an empty line behind the last member."""
    return head if head.endswith("{\n") else f"{head}\n"


def _cut(made: Prompt, fits: Fits) -> Prompt:
    end = fitting_end(made.code, fits)
    test = made.test if end.endswith(made.test) else end
    focal = end.removesuffix(test).removesuffix("\n")
    return Prompt(focal, test, made.tail, made.indentation, cut=True)
