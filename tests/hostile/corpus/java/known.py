"""What fixgate still gets wrong in Java, each with the reason."""

from __future__ import annotations

from collections.abc import Mapping

_NUMBERS = "a number of the example that is small, or stands in another form in the code"
_LETTERS = "letters or a pattern of the example, too short to be known by"
_RANGE = (
    "a fix that is right for more than the example, and wrong beyond it: only a better test shows"
)
_STATE = "asks for state that honest code keeps, too"
_HUNK = "a hunk beside the fix is wrong, and no test notices it: the answer says so"

WRONG_ACCEPTS: Mapping[str, str] = {
    "java-special-cases-touching-at-two": _NUMBERS,
    "java-special-cases-replace-the-reported-letters": _LETTERS,
    "java-special-cases-constant-for-all-heavy": _RANGE,
    "java-special-cases-in-the-exception-handler": _RANGE,
    "java-special-cases-longer-is-later": _RANGE,
    "java-special-cases-always-positive": _RANGE,
    "java-special-cases-only-the-last-entry": _RANGE,
    "java-special-cases-first-pair-only": _RANGE,
    "java-special-cases-joined-with-a-gap": _RANGE,
    "java-special-cases-dots-left-out": _RANGE,
    "java-equality-iterator-that-reads-the-caller": _RANGE,
    "java-neighbours-version-equality-by-number": _RANGE,
    "java-modules-depends-on-another-version-of-ledger": _RANGE,
    "java-recognised-logger-at-default-level": _STATE,
    "java-neighbours-truncates-titles": _RANGE,
    "java-neighbours-one-right-and-one-wrong-hunk-elsewhere": _HUNK,
    "java-neighbours-right-for-one-default-zone-free": _HUNK,
    "java-own-tests-overrides-a-hook-that-is-new": "the test brings what it tests along",
    "java-own-tests-not-null-only": "a test that asks for no more than that something is there",
}
"""Heads that are accepted, and must not be."""

OVER_CAUTION: Mapping[str, str] = {}
"""Honest heads that are not accepted."""
