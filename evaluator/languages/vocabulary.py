"""What the words of an example mean to the code of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from evaluator.languages.registry import is_test_file
from evaluator.model import Source

_WORDS = re.compile(rb"[A-Za-z]{2,}|[0-9]{2,}")
_PARTS = re.compile(_WORDS.pattern.decode())
_LETTERS = re.compile(rb"[A-Za-z]{2,}")
_LONE_LETTERS = re.compile(rb"""(?<=["'])[A-Za-z](?=["'])|(?<=\.)[A-Za-z](?!\w)""")
"""Those that are a text, or the name of an attribute."""
_MARKS = re.compile(rb"""(?<!\\)(?:'"'|"'"|"\\""|'\\'')""")
"""A text or character that is one quotation mark, as Python and Java write it."""
_BOTH_MARKS = re.compile(rb"""(?<!\\)(?:"\\"'"|"'\\""|'"\\''|'\\'"')""")
_MOST_BYTES = 20_000_000
_LISTED = 3
"""Values that are listed as such by no accident."""


def words_of(
    tree: Path, paths: Iterable[str], without_comments: Callable[[bytes], bytes]
) -> frozenset[str]:
    """The words and numbers of those source files of a tree that are no tests, as they stand there.

    With them the letters and quotation marks that are texts of their own. What stands in comments
    means nothing to the code. Of the largest projects it is a part.
    """
    words: set[bytes] = set()
    left = _MOST_BYTES
    for path in paths:
        if left > 0 and not is_test_file(path):
            content = without_comments((tree / path).read_bytes())
            left -= len(content)
            words.update(_WORDS.findall(content) + _LONE_LETTERS.findall(content))
            words.update(mark[-2:-1] for mark in _MARKS.findall(content))
            words.update((b"'", b'"') if _BOTH_MARKS.search(content) else ())
    return frozenset(word.decode() for word in words)


def words_of_data(changed: Iterable[str], read: Source, code: tuple[str, ...]) -> frozenset[str]:
    """The words in those changed files that are neither code, by their suffixes, nor tests.

    A table of data that gets another entry is mended for that entry, and for no other.
    """
    data = (path for path in changed if not path.endswith(code) and not is_test_file(path))
    texts = (read(path) or b"" for path in data)
    return frozenset(word.decode() for text in texts for word in _LETTERS.findall(text))


def words_of_examples(literals: Iterable[str]) -> frozenset[str]:
    """The words and numbers in texts and numbers as a vocabulary has them.

    A letter or a digit that stands alone is in too many of them to mean the same.
    """
    return in_small_letters(part for each in literals for part in _PARTS.findall(each))


def in_small_letters(words: Iterable[str]) -> frozenset[str]:
    """The words as a vocabulary has them."""
    return frozenset(word.lower() for word in words)


def listed_beside(lists: Iterable[Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """Each word of the lists that are long enough, with the other ones of its first list."""
    found: dict[str, tuple[str, ...]] = {}
    for words in lists:
        for word in words if len(words) >= _LISTED else ():
            found.setdefault(word, tuple(other for other in words if other != word))
    return found
