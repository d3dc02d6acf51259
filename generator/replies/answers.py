"""What a reply says in answer to a question: calls, JSON, judgements, new assertions."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evaluator import PatchError
from evaluator.languages.python.blocks.code import parsed
from generator.replies.text import UnreadableReplyError, answer_of, fences


def expression(text: str) -> ast.expr | None:
    """The one expression that a text is, None for any other text."""
    try:
        statements = parsed(text).body
    except PatchError:
        return None
    only = statements[0] if len(statements) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None


MOST_CALLS = 20
"""Calls of one reply that are read."""

_START = re.compile(r"\b(?P<name>(?:search|get)_\w{1,60})\(")
_LONGEST_CALL = 2_000
_MOST_ENDS = 20


@dataclass(frozen=True)
class WrittenCall:
    """A call as written: positional arguments and named ones, texts and whole numbers only."""

    name: str
    arguments: tuple[str | int, ...] = ()
    named: tuple[tuple[str, str | int], ...] = ()

    def __str__(self) -> str:
        written = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.named)]
        return f"{self.name}({', '.join(written)})"


def read_calls(reply: str) -> tuple[WrittenCall, ...]:
    """The calls of functions named `search_...` or `get_...` in a reply, each once, in order.

    A bare name for an argument counts as the text of it; what is no call of literals (a signature
    in prose, `search_class(class_name: str)`) is passed over.
    """
    answer = answer_of(reply)
    found = (_call(answer, match) for match in _START.finditer(answer))
    return tuple(dict.fromkeys(call for call in found if call is not None))[:MOST_CALLS]


def _call(answer: str, match: re.Match[str]) -> WrittenCall | None:
    for end in _ends(answer, match.end()):
        node = expression(answer[match.start() : end])
        if isinstance(node, ast.Call):
            return _read(match["name"], node)
    return None


def _ends(answer: str, start: int) -> Iterator[int]:
    """The places behind the next closing brackets."""
    limit = start + _LONGEST_CALL
    for _ in range(_MOST_ENDS):
        start = answer.find(")", start, limit) + 1
        if start == 0:
            return
        yield start


def _read(name: str, node: ast.Call) -> WrittenCall | None:
    arguments = [_value(argument) for argument in node.args]
    named = [(keyword.arg, _value(keyword.value)) for keyword in node.keywords]
    if None in arguments or any(None in pair for pair in named):
        return None
    return WrittenCall(
        name,
        tuple(value for value in arguments if value is not None),
        tuple((key, value) for key, value in named if key is not None and value is not None),
    )


def _value(node: ast.expr) -> str | int | None:
    if isinstance(node, ast.Name | ast.Attribute):
        return ast.unparse(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int):
        return node.value
    return None


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


_LABEL = re.compile(r"^[ \t]*#[ \t]*assertion[ \t]+(\d{1,6})\b.*$", re.IGNORECASE | re.MULTILINE)


def read_replacements(reply: str) -> Mapping[int, str]:
    """The new texts of assertions by their numbers, from fenced code.

    Each stands below a line that numbers it::

        # assertion 2
        self.assertEqual(total, 5)

    Raises UnreadableReplyError where no number is given.
    """
    code = "\n".join(fence.text for fence in fences(answer_of(reply)))
    pieces = _LABEL.split(code)[1:]
    texts = {int(number): text for number, text in zip(pieces[::2], pieces[1::2], strict=True)}
    found = {number: textwrap.dedent(text).strip("\n") for number, text in texts.items()}
    if not found:
        raise UnreadableReplyError(
            "the reply holds no fenced code under a line `# assertion NUMBER`"
        )
    return found
