"""A repository's own `.github/fixgate.yml`: what it may say, and what is wrong with it."""

from bot.configuration.reading import FILES, Mistake, read_configuration
from bot.configuration.types import (
    Configuration,
    Gate,
    Limits,
    Reproduce,
    ReproduceWhen,
    Verify,
    VerifyWhen,
)

__all__ = [
    "FILES",
    "Configuration",
    "Gate",
    "Limits",
    "Mistake",
    "Reproduce",
    "ReproduceWhen",
    "Verify",
    "VerifyWhen",
    "read_configuration",
]
