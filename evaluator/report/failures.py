"""How a test failed, in the terms of the project: what came out, and what should have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.languages import is_test_file, language_of
from evaluator.languages.failures import Failures, exception_name
from evaluator.model import Failure, Side, Source, Status, TestOutcome, Transition
from evaluator.report.wording import why

_LONGEST_COMPARISON = 2000
"""Characters of a message in which values are looked for."""
_WITHOUT_FAILURE = {
    Status.TIMEOUT: "it did not run: time was up",
    Status.OUT_OF_MEMORY: "it did not run: memory was used up",
    Status.CRASHED: "it did not run: the process had died",
    Status.MISSING: "it was not run",
    Status.SKIPPED: "it was skipped",
}


@dataclass(frozen=True)
class ComparedValues:
    """The values on both sides of an assertion, as the language spells them."""

    got: str
    expected: str

    def __str__(self) -> str:
        if self.got == self.expected:  # the assertion denies that they are equal
            return f"got {self.got}, expected anything else"
        return f"got {self.got}, expected {self.expected}"


def failure_in_words(transition: Transition, side: Side, source: Source) -> str:
    """Why a test failed on a side: `got 'a', expected 'b'`, or its exception; "" if it did not.

    `source` reads the test files.
    """
    if side.failure is None:
        return _WITHOUT_FAILURE.get(side.status, "")
    values = compared_values(transition, side, source)
    if values is not None:
        return str(values)
    words = _words(transition)
    if exception_name(side.failure) in words.assertions:
        return _first_line(side.failure.message) or _does_not_hold(assertion_line(side, source))
    return _first_line(why(side.failure))


def compared_values(transition: Transition, side: Side, source: Source) -> ComparedValues | None:
    """The values that an assertion of equality compared; `source` reads the test files.

    None where its message shows none, or where it is not clear which of them was expected.
    """
    failure, words = side.failure, _words(transition)
    if failure is None or exception_name(failure) not in words.assertions:
        return None
    found = _matched(failure, words)
    if "got" in found:
        return ComparedValues(found["got"], found["expected"])
    if "one" not in found:
        return None
    return _ordered((found["one"], found["other"]), _sides(transition, side, source))


def assertion_line(side: Side, source: Source) -> str:
    """The line of a test file on which a test failed; "" where it failed elsewhere."""
    frame = side.failure.frame if side.failure else None
    if frame is None or not frame.line or not is_test_file(frame.path):
        return ""
    lines = (source(frame.path) or b"").decode("utf-8", "replace").splitlines()
    return lines[frame.line - 1].strip() if frame.line <= len(lines) else ""


def _words(transition: Transition) -> Failures:
    return language_of((transition.file,)).failures


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].rstrip()


def _does_not_hold(line: str) -> str:
    return f"`{line}` does not hold" if line else "an assertion does not hold"


def _matched(failure: Failure, words: Failures) -> dict[str, str]:
    """The values in a message by the names of their groups, without what only emphasises."""
    message = failure.message.strip()[:_LONGEST_COMPARISON]
    found = next((m for p in words.equality if (m := p.match(message))), None)
    values = found.groupdict("") if found is not None else {}
    return {name: _unemphasised(value.strip(), words) for name, value in values.items()}


def _unemphasised(value: str, words: Failures) -> str:
    return words.emphasis.sub(lambda match: "".join(match.groups("")), value)


def _sides(transition: Transition, side: Side, source: Source) -> Sequence[str]:
    """Both sides of the assertion that failed, as code; none where it cannot be found."""
    outcome = TestOutcome(transition.test, transition.file, side.status, failure=side.failure)
    found = language_of((transition.file,)).test_code.compared(outcome, source)
    return found[0] if len(found) == 1 and len(found[0]) == 2 else ()


def _ordered(values: tuple[str, str], sides: Sequence[str]) -> ComparedValues | None:
    """Which value was expected: the one that stands in the code as it is."""
    literal = [_same_code(value, side) for value, side in zip(values, sides, strict=False)]
    if literal == [False, True]:
        return ComparedValues(*values)
    return ComparedValues(*reversed(values)) if literal == [True, False] else None


def _same_code(value: str, code: str) -> bool:
    """Whether they are the same but for white space and the kind of quotes."""
    first, second = ("".join(text.split()).replace('"', "'") for text in (value, code))
    return first == second
