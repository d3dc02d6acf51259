"""The errors of training and sampling with local models."""

from __future__ import annotations

from evaluator import FixgateError, InputError


class ModelFilesError(InputError):
    """A directory or name of a model cannot be loaded."""


class TokenizerMismatchError(InputError):
    """A tokenizer makes tokens that the model does not have."""


class PositionsExceededError(InputError):
    """Prompt, soft tokens and test do not fit into the positions of the model."""


class EmptySplitError(InputError):
    """A split of the dataset has nothing to train on."""


class RunMismatchError(InputError):
    """A directory holds a run with other settings, or none that can be read."""


class LossDivergedError(FixgateError):
    """The loss is no number any more."""


class SavingFailedError(FixgateError):
    """A file could not be written; what stood in its place before is unharmed."""
