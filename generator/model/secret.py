"""Keys that are used but never shown."""

from __future__ import annotations

from typing import NoReturn

from evaluator import InputError

REDACTED = "[key]"
_SHORTEST = 8
"""Characters from which on a value is looked for in texts; a placeholder like `x` is no secret."""


class Secret:
    """A key. Printing, formatting or pickling it gives nothing away; only `reveal` does.

    `source` names where it came from, for messages.
    """

    __slots__ = ("_value", "source")

    def __init__(self, value: str, source: str) -> None:
        self._value = value.strip()
        self.source = source
        if not (self._value.isascii() and self._value.isprintable() and self._value):
            raise InputError(
                f"{source} holds no usable key: it is empty or has characters that no key has "
                "(a line break, a typographic quote); copy the key again"
            )

    def reveal(self) -> str:
        """The key itself, for the request that needs it and nothing else."""
        return self._value

    def redact(self, text: str) -> str:
        """The text with the key taken out, for whatever an endpoint answered."""
        return text.replace(self._value, REDACTED) if len(self._value) >= _SHORTEST else text

    def __repr__(self) -> str:
        return f"Secret({self.source})"

    def __str__(self) -> str:
        return REDACTED

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is not to be written anywhere")
