"""How failures of a language's tests read, in runs and in issues."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.model import Failure

_NEVER = re.compile(r"(?!)")
_LONGEST_HEADLINE = 200


@dataclass(frozen=True)
class Failures:
    """The words in which a language's tests fail; without any, only messages say something.

    Exceptions are named without their module. `assertions` are those that assertions raise,
    `uninformative` all that say nothing by their name, `broken_test` those that a badly written
    test raises, `missing_names` those about a name that does not exist, and `missing_attribute`
    matches messages of the others that are.
    `missing_parts` finds the attribute or parameter that something lacks, in one of its groups.
    `exceptions` finds names of exceptions in a message; `comparison` matches the beginning of an
    assertion's message that shows what it compared, in those groups that match, and `emphasis` what
    the message adds to a value to show where the two differ, but for its groups. `equality` match
    messages of assertions that two values are equal, or differ: in the groups `got` and `expected`,
    or `one` and `other` in the order of the code where the message does not say which is which.
    `bare_values` are
    values, in lower case, that stand in any message. `crash` finds in an issue that the interpreter
    crashes.

    `common_names` stand in any issue and any test, `session` finds code in an issue outside of
    fences, in its first group.
    """

    assertions: frozenset[str] = frozenset()
    uninformative: frozenset[str] = frozenset()
    broken_test: frozenset[str] = frozenset()
    missing_names: frozenset[str] = frozenset()
    missing_attribute: re.Pattern[str] = _NEVER
    missing_parts: re.Pattern[str] = _NEVER
    exceptions: re.Pattern[str] = _NEVER
    comparison: re.Pattern[str] = _NEVER
    equality: tuple[re.Pattern[str], ...] = ()
    emphasis: re.Pattern[str] = _NEVER
    bare_values: frozenset[str] = frozenset()
    crash: re.Pattern[str] = _NEVER
    common_names: frozenset[str] = frozenset()
    session: re.Pattern[str] = re.compile(r"^(?: {4}|\t)(.*)$", re.MULTILINE)

    def lacks_a_name(self, failure: Failure) -> bool:
        """Whether a test failed as a name that it uses does not exist."""
        name = exception_name(failure)
        return name in self.missing_names or bool(self.missing_attribute.match(described(failure)))


def headline(text: str) -> str:
    """The first line of what a failure says, as far as it fits into a sentence."""
    return text.partition("\n")[0][:_LONGEST_HEADLINE]


def exception_name(failure: Failure) -> str:
    """The exception's name without its module; "" where there is none."""
    return failure.exception_type.rpartition(".")[2]


def described(failure: Failure) -> str:
    """The exception's name and message in one line of text: `NAME: MESSAGE`."""
    return f"{exception_name(failure)}: {failure.message}"
