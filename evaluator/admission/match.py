"""What an issue names, and how well a failure fits it."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from evaluator.diff import Source
from evaluator.issue_text import bounded
from evaluator.languages import Language, is_test_file
from evaluator.languages.failures import Failures, exception_name
from evaluator.model import Failure, Frame, TestOutcome

_NAME = re.compile(r"[A-Za-z_]\w*")
_DOTTED = re.compile(r"(?<!\w)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_CALLED = re.compile(r"(?<!\w)([A-Za-z_]\w*)\(")
_QUOTED = re.compile(r"(?<!`)`+([^`\n]+)`+")
_FENCED = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
_CODE_LIKE = re.compile(r"\w_\w|[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_COMMON = frozenset(
    {"test", "tests", "main", "name", "value", "values", "result", "expected", "actual", "data"}
)
"""Names that stand in any issue and any test, so that sharing one says nothing."""


@dataclass(frozen=True)
class ReportedSymptoms:
    """An issue, read for what a failing test of a language can be compared with.

    `text` is the issue with white space and case evened out, `tight` without white space and in
    single quotes, as code is compared; `words` are all names in it, `code` those that are code by
    how they are written, `paths` the source files that it mentions.
    """

    language: Language
    text: str
    tight: str
    words: frozenset[str]
    code: frozenset[str]
    paths: frozenset[str]

    def says(self, words: str) -> bool:
        """Whether the text stands in the issue in whole words, white space and case aside."""
        found = re.escape(even(words))
        return re.search(rf"(?<!\w){found}(?!\w)", self.text) is not None

    def shows(self, code: str) -> bool:
        """Whether a piece of code stands in the issue, white space and kind of quotes aside."""
        found = re.escape(tight(code))
        return re.search(rf"(?<![\w.]){found}(?![\w(])", self.tight) is not None


def read_report(issue: str, language: Language) -> ReportedSymptoms:
    """Read an issue's title and text, as much of it as is read of any issue."""
    issue = bounded(issue)
    return ReportedSymptoms(
        language=language,
        text=even(issue),
        tight=tight(issue),
        words=frozenset(_NAME.findall(issue)),
        code=frozenset(_code(issue, language)) - _COMMON - language.failures.common_names,
        paths=frozenset(path.lstrip("./") for path in _paths(issue, language)),
    )


def tight(code: str) -> str:
    """Code without white space, in single quotes."""
    return "".join(code.split()).replace('"', "'")


def even(text: str) -> str:
    """Text with white space and case evened out."""
    return " ".join(text.split()).casefold()


def _paths(issue: str, language: Language) -> Iterator[str]:
    suffixes = "|".join(map(re.escape, language.suffixes))
    yield from re.findall(rf"(?<![\w./-])[\w./-]+(?:{suffixes})\b", issue)


def _code(issue: str, language: Language) -> Iterator[str]:
    """Names that are code by where they stand (quoted, called, dotted) or how they look."""
    blocks = [found[2] for found in _FENCED.finditer(issue)]
    for part in (*blocks, *_QUOTED.findall(issue), *language.failures.session.findall(issue)):
        yield from _NAME.findall(part)
    for dotted in _DOTTED.findall(issue):
        yield from dotted.split(".")
    yield from _CALLED.findall(issue)
    yield from (name for name in _NAME.findall(issue) if _CODE_LIKE.search(name))


_ENOUGH_WORDS = 3
_SHORTEST_VALUE = 4
_SHORTEST_CODE = 8
_SHORTEST_TEXT = 10
_LONGEST_COMPARISON = 1000
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")


class Strength(enum.IntEnum):
    """How strongly a failure fits an issue, from strong to none.

    STRONG: it says what the issue says: the exception with its message, or both sides of what is
    compared, as values or as code. FAIR: the exception, the message or one side stands in the
    issue. WEAK: it happens in code that the issue names, or the test uses such code. NONE: nothing
    ties it to the issue.
    """

    NONE = 0
    WEAK = 1
    FAIR = 2
    STRONG = 3


@dataclass(frozen=True)
class Match:
    """How strongly a failure fits an issue, and what in it does, in words.

    `only_negative` means that the test says only what must not be: that it is so no longer shows
    little.
    """

    strength: Strength
    reason: str
    only_negative: bool = False


def match(outcome: TestOutcome, report: ReportedSymptoms, source: Source) -> Match:
    """Compare how a test failed with what an issue reports; `source` reads the test files."""
    found = _match(outcome, report, source)
    negative = report.language.test_code.only_negative(outcome, source)
    return dataclasses.replace(found, only_negative=negative)


def combined(matches: Sequence[Match]) -> Match:
    """The strongest of the matches of several tests; `only_negative` where all of them are."""
    nothing = Match(Strength.NONE, "nothing failed")
    best = max(matches, key=lambda found: found.strength, default=nothing)
    negative = all(found.only_negative for found in matches)
    return dataclasses.replace(best, only_negative=negative)


def _match(outcome: TestOutcome, report: ReportedSymptoms, source: Source) -> Match:
    failure = outcome.failure
    if failure is None:
        return Match(Strength.NONE, "it failed without a message")
    name = exception_name(failure)
    typed = _reports_exception(name, report)
    worded = says_message(failure, report)
    if typed and worded:
        return Match(Strength.STRONG, f"the issue reports {name} with this message")
    sides = _reported_sides(outcome, failure, report, source)
    if len(sides) > 1:
        return Match(
            Strength.STRONG, f"the issue shows both sides of what is compared: {_listed(sides)}"
        )
    if typed or worded:
        return Match(Strength.FAIR, f"the issue reports {name if typed else 'this message'}")
    if mentioned := _mentioned(failure, report):
        return Match(Strength.FAIR, f"the issue reports {mentioned[0]}")
    if sides:
        return Match(
            Strength.FAIR, f"the issue shows one side of what is compared: {_listed(sides)}"
        )
    return _place(outcome, failure, report, source)


def _place(
    outcome: TestOutcome, failure: Failure, report: ReportedSymptoms, source: Source
) -> Match:
    """Whether the failure happened in code that the issue names, or the test uses such code."""
    frame = failure.frame
    if frame is not None and not is_test_file(frame.path) and _is_named(frame, report):
        reason = f"it fails in {frame.function} ({frame.path}), which the issue names"
        return Match(Strength.WEAK, reason)
    shared = sorted(report.language.test_code.names_used(outcome, source) & report.code)
    if shared:
        return Match(Strength.WEAK, f"it uses what the issue names: {', '.join(shared[:5])}")
    if inputs := _shared_inputs(outcome, report, source):
        return Match(Strength.WEAK, f"its input stands in the issue: {_listed(inputs[:2])}")
    return Match(Strength.NONE, "nothing in its failure or its code stands in the issue")


def _shared_inputs(outcome: TestOutcome, report: ReportedSymptoms, source: Source) -> list[str]:
    """The literal texts of a test that stand in the issue, where that is no accident.

    Issues in prose name no code, but they give the input.
    """
    texts = dict.fromkeys(report.language.test_code.texts(outcome, source))
    return [text for text in texts if _is_specific_text(text) and report.says(text)]


def _is_specific_text(text: str) -> bool:
    bare = text.strip()
    return len(bare) >= _SHORTEST_TEXT or (len(bare) >= 3 and not re.fullmatch(r"[\w ]+", bare))


def _is_named(frame: Frame, report: ReportedSymptoms) -> bool:
    suffix = next((s for s in report.language.suffixes if frame.path.endswith(s)), "")
    module = frame.path.removesuffix(suffix).replace("/", ".")
    named = any(frame.path.endswith(path) or path.endswith(frame.path) for path in report.paths)
    return named or frame.function in report.code or report.says(module)


def _reports_exception(name: str, report: ReportedSymptoms) -> bool:
    return name in report.words and name not in report.language.failures.uninformative


def says_message(failure: Failure, report: ReportedSymptoms) -> bool:
    """Whether a part of the message, long enough to be no accident, stands in the issue."""
    return any(report.says(part) for part in _parts(failure.message) if _is_long(part))


def _mentioned(failure: Failure, report: ReportedSymptoms) -> list[str]:
    """The exceptions that a message names, and the issue too: `ValueError not raised`."""
    words = report.language.failures
    named = set(words.exceptions.findall(failure.message)) - words.uninformative
    return sorted(named & report.words)


def _parts(message: str) -> Iterator[str]:
    """The lines of a message, and what follows each colon: tests quote exceptions in theirs."""
    for line in message.splitlines():
        pieces = line.split(": ")
        yield from (": ".join(pieces[start:]) for start in range(len(pieces)))


def _is_long(line: str) -> bool:
    return len(re.findall(r"\w+", line)) >= _ENOUGH_WORDS


def _reported_sides(
    outcome: TestOutcome, failure: Failure, report: ReportedSymptoms, source: Source
) -> list[str]:
    """The sides of what was compared that stand in the issue, as code or as the value it had."""
    code = _reported_code(outcome, report, source)
    words = report.language.failures
    values = [
        value if _is_specific_value(value, words) and report.says(value) else ""
        for value in _values(failure, words)
    ]
    return [one or other for one, other in zip_longest(code, values, fillvalue="") if one or other]


def _reported_code(outcome: TestOutcome, report: ReportedSymptoms, source: Source) -> list[str]:
    """The sides that stand in the issue, of the assertion of which most do; "" for others."""
    failed = exception_name(outcome.failure) if outcome.failure else ""
    if failed not in report.language.failures.assertions:
        return []
    shown = [
        [side if _is_specific_code(side) and report.shows(side) else "" for side in sides]
        for sides in report.language.test_code.compared(outcome, source)
    ]
    return max(shown, key=lambda sides: sum(map(bool, sides)), default=[])


def _is_specific_code(side: str) -> bool:
    """Whether code is more than a name, and long enough, to stand in an issue by no accident."""
    return len(side) >= _SHORTEST_CODE and ("(" in side or side[0] in "'\"[{")


def _values(failure: Failure, words: Failures) -> Iterator[str]:
    """The values of both sides of the comparison that an assertion's message shows."""
    found = words.comparison.match(failure.message.strip()[:_LONGEST_COMPARISON])
    for part in found.groups("") if found else ():
        plain = words.emphasis.sub(lambda match: "".join(match.groups("")), part.strip())
        yield plain.strip("'\"")


def _is_specific_value(value: str, words: Failures) -> bool:
    bare = even(value)
    if len(bare) < _SHORTEST_VALUE or bare in words.bare_values:
        return False
    return not _ADDRESS.search(value)


def _listed(values: list[str]) -> str:
    return " and ".join(value if len(value) <= 60 else f"{value[:59]}…" for value in values)
