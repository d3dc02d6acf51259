"""What an issue names: exceptions, code, paths, and the words that messages can be found in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evaluator.issue_text import bounded
from evaluator.languages import Language

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
