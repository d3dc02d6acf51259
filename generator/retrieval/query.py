"""The weighted terms by which an issue is looked up."""

from __future__ import annotations

import math
from collections.abc import Mapping

from generator.retrieval.mentions import Mentions
from generator.retrieval.words import term_counts, terms_in

_TITLE = 2.0
_IDENTIFIER = 1.0


def issue_query(mentions: Mentions) -> Mapping[str, float]:
    """Terms of an issue: repetition counts by its logarithm, title and identifiers count more."""
    weights = {term: 1 + math.log(n) for term, n in term_counts(mentions.text).items()}
    for term in term_counts(mentions.title):
        weights[term] = weights.get(term, 0.0) + _TITLE
    for term in terms_in(mentions.names):
        weights[term] = weights.get(term, 0.0) + _IDENTIFIER
    return weights
