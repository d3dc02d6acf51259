"""What a ticket shows of the value of a step: what came out, what should, and how it is judged."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.issue_only.django.reading import Statement

_LABEL = re.compile(
    r"^(?:#\s*)*(?P<label>(?:out\w*|result|returns?|gives?|prints?|actual|expected|got|>>>|->|=>)"
    r"(?: (?:output|result|value|sql))?\b(?: is \w+)?)?\s*(?:\[\d+\])?[:>]*\s*(?P<text>.*)$",
    re.IGNORECASE,
)
_RIGHT = re.compile(r"\b(?:correct|good|valid|works?|fine|expected)\b", re.IGNORECASE)
_WRONG = re.compile(
    r"\b(?:not (?:correct|work)\w*|incorrect|wrong|invalid|bad|actual|bug|broken|instead)\b",
    re.IGNORECASE,
)
_EXPECTING = re.compile(r"\bexpect(?:ing|ed)?:? +(?P<text>b?['\"\[({].*|\d+)$")
_TEXT = re.compile(r"^(?:SELECT|INSERT|UPDATE|CREATE|DELETE|<)|^\(.*\)$")
_DIES = re.compile(r"Traceback|File \"|Exception Type")
_NEAR = 3
"""Lines under a step in which words judge its value."""
_LABELLED = 8
"""Lines under a step in which a label tells its value."""
_LONGEST = 30
"""Lines of a value."""
_FEW = 4


@dataclass(frozen=True)
class Shown:
    """`actual` is what came out, `expected` what should, `part` a remark that may name parts.

    `wrong` and `right` tell how words beside it judge what came out.
    """

    actual: str = ""
    expected: str = ""
    part: str = ""
    wrong: bool = False
    right: bool = False


def shown_under(step: Statement) -> Iterator[Shown]:
    """What stands beside and under a step, one at most."""
    lines = [*([f"# {step.comment}"] if step.comment else []), *step.after]
    lines = [line.strip() for line in lines if line.strip()]
    lines = list(itertools.takewhile(lambda line: not _DIES.match(line), lines))
    actual = _typed(lines) if step.typed else _remarked(lines, expected=False)
    expected = _remarked(lines, expected=True) or _expecting(lines)
    judged = " ".join(lines[:_NEAR])
    wrong = bool(_WRONG.search(judged))
    if actual or expected or "should be" in step.comment:
        yield Shown(
            actual, expected, step.comment, wrong, bool(_RIGHT.search(judged)) and not wrong
        )


def _typed(lines: Sequence[str]) -> str:
    """What a session printed: the longest literal at the beginning, else the first line."""
    for count in range(min(len(lines), _LONGEST), 0, -1):
        text = " ".join(lines[:count])
        if _is_literal(text):
            return text
    first = lines[0] if lines else ""
    return "" if re.match(r"Traceback|#", first) else first


def _remarked(lines: Sequence[str], *, expected: bool) -> str:
    """The first value that a label says to be expected, or that has another label or none."""
    values = (
        text
        for label, text in _labelled(lines[:_LABELLED])
        if label.startswith("expected") == expected and _is_value(text, labelled=bool(label))
    )
    return next(values, "")


def _labelled(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each text with its label, in lower case, which may stand on the line before it."""
    waiting = ""
    for line in lines:
        found = _LABEL.match(line)
        label = ((found["label"] or "") if found else "").lower()
        text = found["text"].strip() if found else line
        if label and not text:
            waiting = label
        else:
            yield label or waiting, text
            waiting = ""


def _is_value(text: str, *, labelled: bool) -> bool:
    """Whether text is a literal or a query, or, behind a label, a few words and no sentence."""
    bare = text.lstrip("# ").strip()
    plain = labelled and 0 < len(bare.split()) <= _FEW and not bare.endswith((":", "."))
    return _is_literal(bare) or bool(_TEXT.match(bare)) or plain


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return False
    return True


def _expecting(lines: Sequence[str]) -> str:
    """The value that a sentence says was expected."""
    for line in lines[:_NEAR]:
        found = _EXPECTING.search(line)
        if found and _is_literal(found["text"].rstrip(".")):
            return found["text"].rstrip(".")
    return ""
