"""Objects in JSON, or in what models take for it, with prose or a fence around them."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping

from generator.replies.literals import expression
from generator.replies.text import UnreadableReplyError, answer_of

_DECODER = json.JSONDecoder(strict=False)
_LONGEST = 200_000
_MOST_STARTS = 50
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def read_json_object(reply: str) -> Mapping[str, object]:
    """The last object at the top level of a reply that is one in JSON, or in Python's notation.

    Line breaks in texts, commas before a bracket, single quotes and `True` are forgiven. Raises
    UnreadableReplyError where there is none.
    """
    answer = answer_of(reply)[:_LONGEST]
    found = [value for text in (answer, _TRAILING_COMMA.sub(r"\1", answer)) for value in _in(text)]
    found = found or list(_in_python(answer))
    if not found:
        raise UnreadableReplyError("the reply holds no JSON object")
    return found[-1]


def _in(text: str) -> Iterator[Mapping[str, object]]:
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def _in_python(text: str) -> Iterator[Mapping[str, object]]:
    start, end = text.find("{"), text.rfind("}")
    node = expression(text[start : end + 1])
    if node is None:
        return
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError):
        return
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        yield value
