"""Whether what an issue shows is what happened: values, printed text and exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from generator.languages.python.issue_only.replaying import Raised, StepResult
from generator.report_text import ReportedError, Statement

VALUE = "value"
STDOUT = "stdout"

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LEAD = re.compile(
    r"^(?:[-=]*>+|#+|\.\.\.|(?:out(?:put)?|prints?|returns?|gives?|results?|raises|this (?:gives|"
    r"returns|prints|raises|is)|-->)\b:?)\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s+(?:#|<-|\(|//|--|but\b|instead\b|which\b|\.\.\.).*$", re.DOTALL)
_SAYS = (
    r"\b(?:is|are|was|gives?|giving|returns?|returned|got|gets?|obtain(?:ed)?|yields?|outputs?|"
    r"prints?|shows?|result(?:s in)?|evaluates to|produces?)\b:?"
)
_LONGEST_MENTION = 200
_DATABASE_ERRORS = frozenset(
    {"DatabaseError", "DataError", "IntegrityError", "OperationalError", "ProgrammingError"}
)
"""Of PEP 249: which of them stands for a mistake is up to each database."""
_ALIKE = 0.6
"""The share of a message's words that must be the same: paths, sizes and class names differ."""


def normal(text: str) -> str:
    """Text without what terminals, trackers and versions change: spaces, addresses, marks."""
    text = _ADDRESS.sub("0x", text)
    text = re.sub(r"\bu(?=['\"])", "", text)
    return re.sub(r"\s+", "", text)


def shown_way(shown: str, outcome: StepResult) -> str:
    """The way in which a step's outcome shows what the issue does; "" where it does not.

    VALUE where only its value is the same, as code.
    """
    way = text_way(shown, outcome)
    return way or (VALUE if shown and outcome.same[:1] == (True,) else "")


def text_way(text: str, outcome: StepResult) -> str:
    """The way in which a step's outcome reads like a text, but for white space; "" if in none."""
    views = _views(outcome)
    for reading in _readings(text):
        for how, view in views.items():
            if reading and normal(reading) == normal(view):
                return how
    return ""


def remarked_way(statement: Statement, outcome: StepResult) -> str:
    """As `shown_way`, for comments that may be output with words around it."""
    views = _views(outcome)
    comments = [statement.remark, statement.below, f"{statement.remark}\n{statement.below}"]
    for text in (text for comment in comments for text in _remarks(comment)):
        for how, view in views.items():
            if text and normal(text) == normal(view):
                return how
    return ""


def mentioned_way(words: str, outcome: StepResult) -> str:
    """As `shown_way`, for a sentence that says what comes out: `but the answer is 0!`."""
    for how, view in _views(outcome).items():
        text = view.strip()
        if text and len(text) <= _LONGEST_MENTION and "\n" not in text:
            value = r"\s*".join(re.escape(piece) for piece in text.split())
            if re.search(rf"{_SAYS}\W{{0,3}}{value}(?![\w.(*/+-]\w)", words, re.IGNORECASE):
                return how
    return ""


def _views(outcome: StepResult) -> Mapping[str, str]:
    printed = {STDOUT: outcome.stdout} if outcome.stdout.strip() else {}
    return {**printed, **{how: outcome.views[how] for how in _WAYS if how in outcome.views}}


_WAYS = ("repr", "str", "pretty")


def _readings(shown: str) -> Iterator[str]:
    yield shown
    yield shown.split("\n\n")[0]


def _remarks(remark: str) -> Iterator[str]:
    for text in (remark, remark.split("\n")[0]):
        yield text
        bare = _LEAD.sub("", text.strip())
        yield bare
        yield _TAIL.sub("", bare)


def raised_as_reported(raised: Raised, error: ReportedError) -> bool:
    """Whether an exception is the one shown, was caused by it, or names it in its message."""
    of_databases = {error.name, raised.name} <= _DATABASE_ERRORS
    if error.name in raised.names[:3] or of_databases:
        return similar(raised.message, error.message)
    if re.search(rf"\b{re.escape(error.name)}\b", raised.message):
        return True
    return any(
        error.name == name and similar(message, error.message) for name, message in raised.causes
    )


def similar(message: str, reported: str) -> bool:
    """Whether two messages say the same: all, the beginning of one, or most of their words."""
    first, second = normal(message), normal(reported.rstrip(". "))
    if first == second:
        return True
    if not second or not first:
        return False
    if len(second) > 8 and (first.startswith(second) or second.startswith(first)):
        return True
    ours, theirs = _words(message.split("\n")[0]), _words(reported)
    return len(ours & theirs) >= max(2, _ALIKE * max(len(ours), len(theirs)))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
