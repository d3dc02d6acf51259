"""What a training run depends on, and its name."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from evaluator import InputError
from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.run_names import PromptGenerator, RunName, SoftContext, Training


class TuningMethod(enum.StrEnum):
    """What is trained: the whole model, a prefix, a soft prompt, or a prompt generator."""

    FINE_TUNING = "fine-tuning"
    PREFIX = "prefix"
    PROMPT = "prompt"
    CAPT = "capt"


_TRAININGS = {
    TuningMethod.FINE_TUNING: Training.FINE_TUNED,
    TuningMethod.PREFIX: Training.PREFIX_TUNED,
    TuningMethod.PROMPT: Training.PROMPT_TUNED,
    TuningMethod.CAPT: Training.PREFIX_TUNED,
}
RATES = {
    TuningMethod.FINE_TUNING: 1e-6,
    TuningMethod.PREFIX: 5e-6,
    TuningMethod.PROMPT: 5e-6,
    TuningMethod.CAPT: 5e-6,
}
"""Learning rates of the thesis (section 5.2, p. 32)."""


@dataclass(frozen=True)
class TrainingSettings:
    """How a model is trained: by default as in the thesis (section 5.2, p. 32).

    `warm_up` is the share of the steps in which the rate rises to `rate`; with `decays` it falls as
    a cosine to a tenth afterwards. `most_steps` of 0 means all epochs. `precision` is that of
    `accelerate`: no, bf16 or fp16.
    """

    rate: float
    epochs: int = 3
    batch: int = 8
    seed: int = 0
    validations: int = 4
    most_steps: int = 0
    weight_decay: float = 0.01
    clip: float = 1.0
    warm_up: float = 0.0
    decays: bool = False
    precision: str = "no"
    gradient_checkpointing: bool = False


@dataclass(frozen=True)
class TuningSettings:
    """A run of `fixgate tests4j train`.

    `tokens` are the soft tokens of prefix, prompt or generator; `most` those of prompt and test;
    `most_context` those that a prompt generator reads.
    """

    method: TuningMethod
    model: str
    loop: TrainingSettings
    hard: ContextChoice = ContextChoice.ALL
    soft: SoftContext | None = None
    encoder: str = ""
    tokens: int = 10
    most: int = 1850
    most_context: int = 1850
    validation_pairs: int = 0

    @property
    def soft_tokens(self) -> int:
        """Positions that soft tokens take."""
        if self.soft is not None:
            return self.soft.length
        return 0 if self.method is TuningMethod.FINE_TUNING else self.tokens

    @property
    def name(self) -> RunName:
        """The name of the run, as the thesis writes it."""
        return RunName(_TRAININGS[self.method], self.hard, self.soft)


def settings_of(
    name: RunName, model: str, loop: TrainingSettings, **others: object
) -> TuningSettings:
    """The settings that a name stands for. Raises InputError for a run without training."""
    if name.training is Training.ZERO_SHOT:
        raise InputError(f"{name} trains nothing")
    if name.soft is not None and name.training is not Training.PREFIX_TUNED:
        raise InputError(f"{name}: prompt generators are trained as PT only")
    methods = {
        Training.FINE_TUNED: TuningMethod.FINE_TUNING,
        Training.PROMPT_TUNED: TuningMethod.PROMPT,
        Training.PREFIX_TUNED: TuningMethod.PREFIX if name.soft is None else TuningMethod.CAPT,
    }
    given: dict[str, object] = {"hard": name.hard, "soft": name.soft, **others}
    return TuningSettings(methods[name.training], model, loop, **given)  # type: ignore[arg-type]


def soft_context_of(generator: PromptGenerator, choice: ContextChoice, tokens: int) -> SoftContext:
    """The soft context of some options. Raises InputError for a context of nothing."""
    if choice is ContextChoice.NONE:
        raise InputError("--method capt needs a context: name one with --context")
    return SoftContext(generator, choice, tokens)
