"""Reads sentences that say what an expression gives, and what it should give."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Iterator, Sequence

from generator.report_text.notation import Notation
from generator.report_text.types import Claim, IssuePart, PartForm


class _Cue(enum.Enum):
    """What the words before a value say of it."""

    GIVES = "gives"
    SHOULD = "should"
    INSTEAD = "instead"
    RAISES = "raises"


_CUES = {
    _Cue.INSTEAD: r"instead of|rather than|but not|and not|, not",
    _Cue.SHOULD: r"should(?:n't)?|expect\w*|would (?:be|yield|give|return)|supposed to|ought to",
    _Cue.RAISES: r"(?:rais|throw|fail|crash|trigger)\w*|(?:with|an?) (?:exception|error)",
    _Cue.GIVES: (
        r"giv(?:es?|en|ing)|gave|return(?:s|ed|ing)?|yield(?:s|ed|ing)?|prints?|outputs?|"
        r"produc(?:es?|ed|ing)|evaluates? to|results? in|becomes?|equals?|output is|"
        r"is (?:currently|wrongly|incorrectly)|(?:i )?gets?|got"
    ),
}
_CUE = re.compile(
    "|".join(rf"(?P<{cue.name}>\b(?:{words})\b)" for cue, words in _CUES.items()).replace(
        r"\b(?:instead", r"(?:\binstead"
    ),
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:`[^`\n]*`|[^.!?\n`]|[.!?](?!\s|$)|\n(?=[a-z`(]))+")
_QUOTED = re.compile(r"`([^`\n]+)`")
_CALL = re.compile(r"[\w\])]\(")


_ANSWER = re.compile(
    r"\b(?:it|this|that|output|answer|result|value)\b[^`.\n]{0,20}"
    r"\b(?:should|would|must|expected)\b[^`.\n]{0,30}\b(?:be|return|give|yield|print|is)\b"
    r"[^`.\n]{0,10}`(?P<value>[^`\n]+)`",
    re.IGNORECASE,
)
_HEADED = re.compile(
    r"\bexpect(?:ed|ing)?(?: (?:output|result|answer|value))?"
    r"(?: (?:is|was|would be|to (?:get|see)))?\s*:?\**\s*"
    r"`(?P<value>[^`\n]+)`",
    re.IGNORECASE,
)
_NAME = re.compile(r"[a-z_]\w*", re.IGNORECASE)
_OTHER = re.compile(r"\s*(?:or|and|to)\b")


@dataclasses.dataclass(frozen=True)
class _Value:
    """A piece of code in a sentence, with the words between the piece before it and this one."""

    code: str
    words: str


def claims(parts: Sequence[IssuePart], notation: Notation) -> tuple[Claim, ...]:
    """The claims that sentences of the prose and the headings make, in their order."""
    prose = [part for part in parts if part.kind is not PartForm.BLOCK]
    return tuple(claim for part in prose for claim in _of_part(part, notation))


def _of_part(part: IssuePart, notation: Notation) -> Iterator[Claim]:
    for match in _SENTENCE.finditer(part.text):
        sentence = match.group()
        claim = (
            _claim(_quoted(sentence), notation)
            or _claim(_unquoted(sentence), notation)
            or _answer(sentence, notation)
        )
        if claim is not None:
            line = part.line + part.text.count("\n", 0, match.start())
            yield dataclasses.replace(claim, line=line)


def _quoted(sentence: str) -> list[_Value]:
    pieces = _QUOTED.split(sentence)
    return [
        _Value(code.strip(), words) for words, code in zip(pieces[::2], pieces[1::2], strict=False)
    ]


def _unquoted(sentence: str) -> list[_Value]:
    """`f(x) should be 1 rather than 2`: code with nothing but a cue between its pieces."""
    pieces = re.split(r"\s+(should (?:be|return|give)|rather than|instead of)\s+", sentence.strip())
    words = ["", *pieces[1::2]]
    return [_Value(code, said) for code, said in zip(pieces[::2], words, strict=False)]


def _claim(values: Sequence[_Value], notation: Notation) -> Claim | None:
    """What is said of the first call among the pieces."""
    calls = (index for index, value in enumerate(values) if _is_call(value.code, notation))
    subject = next(calls, None)
    if subject is None:
        return None
    nothing = claim = Claim(values[subject].code, 0)
    for value in values[subject + 1 :]:
        if notation.is_code(value.code) or notation.exception.match(value.code):
            claim = _with(claim, value, notation)
    return None if claim == nothing else claim


def _answer(sentence: str, notation: Notation) -> Claim | None:
    """`The answer should be `1``, `Expected: `1``: what was just shown should have given."""
    found = _ANSWER.search(sentence) or _headed(sentence, notation)
    if found is None or _OTHER.match(sentence[found.end() :]):
        return None
    value = found["value"]
    if notation.exception.match(value) or not notation.is_code(value):
        return None
    return Claim("", 0, expected=value)


def _headed(sentence: str, notation: Notation) -> re.Match[str] | None:
    """A value after `Expected:`, which is more than a name."""
    for found in _HEADED.finditer(sentence):
        value = found["value"]
        if not _NAME.fullmatch(value) or value.lower() in notation.constants:
            return found
    return None


def _with(claim: Claim, value: _Value, notation: Notation) -> Claim:
    """The claim with one more value; the cue nearest before it says what it is."""
    cues = [_Cue[str(match.lastgroup)] for match in _CUE.finditer(value.words)]
    cue = cues[-1] if cues else None
    raised = notation.exception.match(value.code)
    if raised:
        wanted = _Cue.SHOULD in cues
        return _filled(claim, "wanted_exception" if wanted else "exception", raised.group())
    if cue is _Cue.INSTEAD:
        other = "actual" if claim.expected else "expected"
        return _filled(claim, other, value.code)
    if cue is _Cue.GIVES and (_Cue.SHOULD not in cues or _turns(value.words)):
        return _filled(claim, "actual", value.code)
    return _filled(claim, "expected", value.code) if cue else claim


def _turns(words: str) -> bool:
    """Whether what should be ends before the cue: `should be infinite, but the output is`."""
    return re.search(r"\bshould\b.*\b(?:but|however|while|whereas)\b", words) is not None


def _filled(claim: Claim, field: str, value: str) -> Claim:
    if getattr(claim, field):
        return claim
    return Claim(**{**dataclasses.asdict(claim), field: value})


def _is_call(code: str, notation: Notation) -> bool:
    return notation.is_statement(code) and _CALL.search(code) is not None
