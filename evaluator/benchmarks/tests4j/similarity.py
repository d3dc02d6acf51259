"""How similar a generated test is to the human tests of its method: BLEU and crystalBLEU.

Both are computed from sacrebleu's sentence scores: n-grams of one to four tokens, their clipped
precisions, exponential smoothing, effective order, and the brevity penalty against the human test
of the nearest length. crystalBLEU (Eghbali and Pradel, ASE 2022) leaves out the n-grams that any
two tests share, such as `( ) ;`; a test that consists of these alone scores 0. Its published
package also computes 0 as soon as no single token is left, whatever longer n-grams agree, and needs
NLTK without naming it; so this is our own.

A token is a word (letters, digits, `_`) or any other single character that is not white space;
comments and the contents of literals count as code does. The thesis names no tokenization.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # its import takes a quarter of a second
    from sacrebleu.metrics.bleu import BLEU

Ngram = tuple[str, ...]

LONGEST = 4
"""Tokens of the longest n-grams that are compared."""
SHARED = 500
"""How many n-grams crystalBLEU leaves out; the number that its authors recommend."""

_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Similarity:
    """Two scores between 0 (nothing in common) and 1 (equal to a human test)."""

    bleu: float
    crystal_bleu: float


def tokens(code: str) -> tuple[str, ...]:
    """The words and other characters of a piece of code, in their order."""
    return tuple(_TOKEN.findall(code))


def ngrams(words: Sequence[str]) -> Iterator[Ngram]:
    """Every run of one to four tokens, as often as it occurs."""
    for length in range(1, LONGEST + 1):
        for start in range(len(words) - length + 1):
            yield tuple(words[start : start + length])


def trivially_shared(tests: Iterable[str], most: int = SHARED) -> frozenset[Ngram]:
    """The most frequent n-grams of a corpus: pass all human tests of the dataset.

    Only n-grams of two or more tests are shared, which matters for small corpora; ties are broken
    by the n-grams themselves, so that the order of the tests has no effect.
    """
    occurrences: Counter[Ngram] = Counter()
    in_tests: Counter[Ngram] = Counter()
    for test in tests:
        found = Counter(ngrams(tokens(test)))
        occurrences.update(found)
        in_tests.update(found.keys())
    shared = [ngram for ngram in occurrences if in_tests[ngram] > 1]
    shared.sort(key=lambda ngram: (-occurrences[ngram], ngram))
    return frozenset(shared[:most])


def similarity(test: str, human: Sequence[str], shared: frozenset[Ngram]) -> Similarity:
    """Compare a test with the human tests of its method; `shared` is of `trivially_shared`.

    Raises ValueError where there is no human test to compare with.
    """
    if not human:
        raise ValueError("there is no human test to compare with")
    candidate, references = tokens(test), [tokens(each) for each in human]
    return Similarity(
        bleu=_score(candidate, references, lambda _: True),
        crystal_bleu=_score(candidate, references, lambda ngram: ngram not in shared),
    )


def _score(
    candidate: Sequence[str], references: Sequence[Sequence[str]], counts: Callable[[Ngram], bool]
) -> float:
    found = Counter(filter(counts, ngrams(candidate)))
    allowed: Counter[Ngram] = Counter()
    for reference in references:
        allowed |= Counter(filter(counts, ngrams(reference)))
    correct, total = _by_length(found & allowed), _by_length(found)
    # Lengths of which nothing is left have no precision; the others are averaged over.
    kept = [length for length in range(LONGEST) if total[length]]
    nearest = min(map(len, references), key=lambda size: (abs(size - len(candidate)), size))
    score = _bleu().compute_bleu(
        correct=[correct[length] for length in kept],
        total=[total[length] for length in kept],
        sys_len=len(candidate),
        ref_len=nearest,
        smooth_method="exp",
        effective_order=True,
        max_ngram_order=len(kept),
    )
    # The mean of logarithms may pass 100 by a rounding error.
    return min(float(score.score) / 100, 1.0)


def _by_length(found: Counter[Ngram]) -> list[int]:
    counts = [0] * LONGEST
    for ngram, count in found.items():
        counts[len(ngram) - 1] += count
    return counts


@functools.cache
def _bleu() -> type[BLEU]:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU
