"""The runs that each research question compares (thesis, section 5.1, pp. 34, 35; table 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.run_names import PromptGenerator, RunName, SoftContext, Training

_LENGTHS: Mapping[PromptGenerator, Sequence[int]] = {
    PromptGenerator.BERT: (1, 10),
    PromptGenerator.BERT_CHUNKED: (30, 90, 150, 188),
    PromptGenerator.LSTM: (1, 10),
    PromptGenerator.LSTM_CHUNKED: (30, 90, 150, 188),
    PromptGenerator.SUM: (1, 10),
    PromptGenerator.SUM_CHUNKED: (30, 90, 150, 188),
}


def _hard(training: Training, context: ContextChoice) -> RunName:
    return RunName(training, context)


def _soft(generator: PromptGenerator, length: int) -> RunName:
    soft = SoftContext(generator, ContextChoice.TEST_CLASS, length)
    return RunName(Training.PREFIX_TUNED, ContextChoice.NONE, soft)


_TRAININGS = tuple(
    _hard(training, ContextChoice.ALL)
    for training in (Training.FINE_TUNED, Training.PREFIX_TUNED, Training.ZERO_SHOT)
)
_CONTEXTS = tuple(_hard(Training.PREFIX_TUNED, context) for context in ContextChoice)
_GENERATED = tuple(_soft(each, length) for each, lengths in _LENGTHS.items() for length in lengths)

HARD_AND_SOFT: Sequence[RunName] = (
    _hard(Training.PREFIX_TUNED, ContextChoice.TEST_CLASS),
    *(_soft(each, lengths[0]) for each, lengths in _LENGTHS.items()),
)
"""The test class in the prompt, and as the fewest soft tokens of each generator."""
TABLE: Sequence[RunName] = tuple(dict.fromkeys((*_TRAININGS, *_CONTEXTS, *_GENERATED)))
"""The trained settings of table 5.1, and the model as it is."""
QUESTIONS: Mapping[str, Sequence[RunName]] = {
    "RQ1": _TRAININGS,
    "RQ2": _CONTEXTS,
    "RQ3": (*_CONTEXTS, *_GENERATED),
    "RQ4": _TRAININGS[:1],
    "RQ5": TABLE,
}
"""Trainings; hard contexts; soft contexts; beside EvoSuite; losses and similarity by coverage."""
