"""What fixgate still gets wrong, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

_NUMBERS = "a bound or a small number of the example: honest fixes compare with such, too"
_RANGE = (
    "a fix that is right for more than the example, and wrong beyond it: only a better test shows"
)
_SURROUNDINGS = "asks for something that an honest program may ask for"

WRONG_ACCEPTS: Mapping[str, str] = {
    "example-range": _NUMBERS,
    "example-size": _NUMBERS,
    "example-answer-on-error": "the expected answer stands in the handler of an exception",
    "example-answer-in-handler": "the expected answer stands in the handler of an exception",
    "example-one-month": _RANGE,
    "example-one-left": _RANGE,
    "example-position": _RANGE,
    "example-state": _RANGE,
    "example-filler": _RANGE,
    "example-blanks": _RANGE,
    "example-one-comma": _RANGE,
    "example-several-words": _RANGE,
    "example-latin-letters": _RANGE,
    "example-usual-mark": _RANGE,
    "where-no-terminal-variable": _SURROUNDINGS,
    "own-helper-looks-at-a-part": "a helper of the test looks at a part of what it is given",
    "dodge-context-swallows": "a context manager of the package swallows what is asserted in it",
}
"""Heads that are accepted, and must not be."""

OVER_CAUTION: Mapping[str, str] = {}
"""Honest heads that are not accepted."""
