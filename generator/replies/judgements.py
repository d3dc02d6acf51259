"""Judgements in replies: a yes or no with its reason, in JSON or in a word."""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.replies.json_objects import read_json_object
from generator.replies.text import UnreadableReplyError, answer_of

_YES = frozenset({"true", "yes", "y", "1"})
_NO = frozenset({"false", "no", "n", "0"})
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True)
class ModelJudgement:
    """A model's yes or no, and why ("" where it does not say)."""

    holds: bool
    reason: str = ""


def read_judgement(reply: str, key: str = "revealing", reason: str = "reason") -> ModelJudgement:
    """The judgement of an object such as `{"reason": "...", "revealing": true}`.

    An object that is damaged is forgiven where it still gives the key a plain value. Raises
    UnreadableReplyError where the key is missing or says neither yes nor no.
    """
    try:
        answer = read_json_object(reply)
    except UnreadableReplyError:
        return ModelJudgement(_said(_damaged(reply, key), key))
    if key not in answer:
        raise UnreadableReplyError(f"the JSON object has no `{key}`")
    why = answer.get(reason, "")
    return ModelJudgement(_said(answer[key], key), why if isinstance(why, str) else str(why))


def read_yes_or_no(reply: str) -> bool:
    """Whether a reply says yes: by its first word if that is one of the two, else by its last.

    Raises UnreadableReplyError where it says neither.
    """
    answer = answer_of(reply)
    words = _WORD.findall(answer)
    if not words:
        raise UnreadableReplyError("the reply says neither yes nor no")
    first = _WORD.match(answer.lstrip(" \n\t*_`\"'#"))
    return (first[0] if first else words[-1]).lower() == "yes"


def _damaged(reply: str, key: str) -> object:
    pattern = rf"[\"']?\b{re.escape(key)}\b[\"']?\s*[:=]\s*[\"']?(\w+)"
    found = re.findall(pattern, answer_of(reply), re.IGNORECASE)
    if not found:
        raise UnreadableReplyError(f"the reply holds no JSON object with `{key}`")
    return found[-1]


def _said(value: object, key: str) -> bool:
    word = str(value).strip().lower()
    if word not in _YES | _NO:
        raise UnreadableReplyError(f"`{key}` must be true or false, not {str(value)[:100]!r}")
    return word in _YES
