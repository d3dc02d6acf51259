"""Internet addresses in an example, which are addresses with other words and numbers, too."""

from __future__ import annotations

import dataclasses
import ipaddress
import re
from collections.abc import Iterable, Iterator

from evaluator.languages.substitutions.substitution import LETTER, PARTS, Substitution

_CANDIDATE = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"
    r"|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:\.\d{1,3}){0,3}(?![\w.:]))"
)
_MOST = 100


def addresses_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The addresses of versions 4 and 6 that stand in texts, each once; of many the first."""
    found = (each for text in texts for each in _CANDIDATE.findall(text) if _is_address(each))
    return tuple(dict.fromkeys(found))[:_MOST]


def with_addresses(substitution: Substitution, addresses: Iterable[str]) -> Iterator[Substitution]:
    """A substitution without those parts of addresses with which they would be none any more.

    Nothing where none is left.
    """
    broken = [each for each in addresses if not _is_address(substitution(each))]
    kept = {part for each in broken for part in (*PARTS.findall(each), *LETTER.findall(each))}
    texts = {old: new for old, new in substitution.texts.items() if old not in kept}
    if texts:
        yield dataclasses.replace(substitution, texts=texts)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
