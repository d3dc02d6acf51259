"""Examples of tests in new files of data that new code reads."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath

from evaluator.languages import is_test_file, source_language
from evaluator.languages.safeguards import Concern
from evaluator.languages.sources import Changed
from evaluator.model import Source

_BESIDE = 100
"""Characters between two values that stand together by no accident."""
_MOST_VALUES = 50
"""The longest values that are there: files and tests from outside have any size."""
_NAME = re.compile(r"[A-Za-z_]*")


def examples_in_data(
    changed: Changed, source: Source, named: Collection[str], values: Collection[str]
) -> Iterator[Concern]:
    """The values of examples that new files hold, where new code names the file.

    `named` are the texts of the new code. Held is a text of several words, be it with other signs
    between these, or two values side by side, of which one at least is more than a name.
    """
    names = {PurePosixPath(text).name for text in named}
    several = sorted(value for value in values if len(value.split()) > 1)
    for path, new in sorted(changed.items()):
        read = PurePosixPath(path).name in names and source_language(path) is None
        if read and new is not None and source(path) is None and not is_test_file(path):
            content = new.decode(errors="replace")
            held = [each for each in several if _words_of(each).search(content)]
            yield from (Concern(path, f"holds {each!r:.60}") for each in held)
            if not held and (pair := _side_by_side(content, values)):
                yield Concern(path, f"holds {pair[0]!r:.60} beside {pair[1]!r:.60}")


def _words_of(text: str) -> re.Pattern[str]:
    """Finds a text, or its words one after the other with some other signs between them."""
    plain = text.encode(errors="ignore").decode()
    words = re.findall(r"[^\W_]+", plain)
    forms = (re.escape(plain), r"[\W_]{0,3}".join(map(re.escape, words)))
    return re.compile("|".join(filter(None, forms)) or r"(?!)")


def _side_by_side(content: str, values: Collection[str]) -> Sequence[str]:
    """The first two values that stand close together in one line, else nothing."""
    there = sorted((v for v in values if len(v) > 1 and v in content), key=len, reverse=True)
    if len(there) < 2:
        return ()
    either = "|".join(map(re.escape, there[:_MOST_VALUES]))
    finder = re.compile(rf"(?<!\w)(?:{either})(?!\w)")
    for line in content.splitlines():
        for first, second in itertools.pairwise(finder.finditer(line)):
            pair = (first[0], second[0])
            close = second.start() - first.end() <= _BESIDE
            if close and pair[0] != pair[1] and not all(map(_NAME.fullmatch, pair)):
                return pair
    return ()
