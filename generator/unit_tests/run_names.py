"""Names of runs as the thesis writes them (p. 35): `ZS-Hard-All`, `PT-Hard-None-BERT_C-TCl-30`.

Prompt tuning, which the thesis describes and does not run, is `PrT`.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from evaluator import InputError
from generator.unit_tests.prompts import ContextChoice


class Training(enum.StrEnum):
    """How a model was made to write tests: fine-tuned, prefix- or prompt-tuned, or not at all."""

    FINE_TUNED = "FT"
    PREFIX_TUNED = "PT"
    PROMPT_TUNED = "PrT"
    ZERO_SHOT = "ZS"


class PromptGenerator(enum.StrEnum):
    """What makes soft prompts of a context; those with `_C` do so in chunks."""

    BERT = "BERT"
    BERT_CHUNKED = "BERT_C"
    LSTM = "LSTM"
    LSTM_CHUNKED = "LSTM_C"
    SUM = "Sum"
    SUM_CHUNKED = "Sum_C"


@dataclass(frozen=True)
class SoftContext:
    """A context given as `length` soft tokens that a prompt generator makes."""

    generator: PromptGenerator
    context: ContextChoice
    length: int


@dataclass(frozen=True)
class RunName:
    """What a run was: the training, the context in the prompt, and the soft one if there is any."""

    training: Training
    hard: ContextChoice
    soft: SoftContext | None = None

    def __str__(self) -> str:
        parts = [self.training, "Hard", self.hard]
        if self.soft is not None:
            parts += [self.soft.generator, self.soft.context, str(self.soft.length)]
        return "-".join(parts)


def _one_of(values: type[enum.StrEnum]) -> str:
    return "|".join(re.escape(value) for value in values)


_NAME = re.compile(
    rf"({_one_of(Training)})-Hard-({_one_of(ContextChoice)})"
    rf"(?:-({_one_of(PromptGenerator)})-({_one_of(ContextChoice)})-([1-9][0-9]{{0,5}}))?"
)


def read_run_name(name: str) -> RunName:
    """What a name says. Raises InputError for any other form."""
    found = _NAME.fullmatch(name)
    if found is None:
        raise InputError(
            f"{name!r} is no name of a run: write TRAINING-Hard-CONTEXT, as in ZS-Hard-All, or "
            "TRAINING-Hard-CONTEXT-GENERATOR-CONTEXT-LENGTH, as in PT-Hard-None-BERT_C-TCl-30"
        )
    training, hard, generator, context, length = found.groups()
    soft = None
    if generator is not None:
        soft = SoftContext(PromptGenerator(generator), ContextChoice(context), int(length))
    return RunName(Training(training), ContextChoice(hard), soft)
