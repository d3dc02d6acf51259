"""What people look for among jobs and verdicts."""

from __future__ import annotations

import re
from typing import Final

import sqlalchemy as sa
from sqlalchemy.orm import InstrumentedAttribute

from bot.store import tables

_SUBJECT: Final = re.compile(r"(?P<repository>[\w.-]+(?:/[\w.-]+)?)?#(?P<number>\d{1,9})")
_COMMIT: Final = re.compile(r"[0-9a-f]{7,64}")


def matching(
    table: type[tables.Job] | type[tables.StoredVerdict],
    words: InstrumentedAttribute[str],
    text: str,
) -> sa.ColumnElement[bool]:
    """Whether a row is what somebody looks for; everything is where they say nothing.

    `text` is `owner/name#1` or a part of it, how the id of a commit begins, or a text that the
    column `words` or the repository's name holds, in whatever case.
    """
    text = text.strip()
    if not text:
        return sa.true()
    if subject := _SUBJECT.fullmatch(text):
        named = table.repository.icontains(subject["repository"] or "", autoescape=True)
        return sa.and_(named, table.number == int(subject["number"]))
    found = [one.icontains(text, autoescape=True) for one in (words, table.repository)]
    if _COMMIT.fullmatch(text):
        found.append(table.head_sha.startswith(text, autoescape=True))
    return sa.or_(*found)
