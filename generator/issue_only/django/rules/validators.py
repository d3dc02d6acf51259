"""Values that a validator takes, or refuses, against what the ticket says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.outcome import Failure
from generator.issue_only.django.attempt import Attempt
from generator.issue_only.django.material import Material
from generator.issue_only.django.steps import written

_VALUE = r"(?P<value>https?://\S*[\w/]|[`'\"][^`'\"\n]+[`'\"])"
_REFUSE = (
    re.compile(
        rf"\b(?:should|must)(?: not be (?:valid|accepted|allowed)"
        rf"| be (?:invalid|rejected|refused)) (?:is |are )?:? ?{_VALUE}"
    ),
    re.compile(
        rf"{_VALUE} (?:should|must)(?: not be (?:valid|accepted|allowed)"
        r"| be (?:invalid|rejected|refused))"
    ),
)
_NEWLINE = re.compile(r"\b(?:allow|accept|match)\w*\b[^.\n]*\btrailing newlines?\b", re.IGNORECASE)
_SAMPLES = {"URL": "http://www.example.com/", "Email": "joe@example.com", "IP": "127.0.0.1"}
_SAMPLE = "joe"
_MENTIONED = re.compile(r"\b\w+Validator\b")
_FAILED_VALUE = re.compile(r"\[(?P<name>\w+Validator)\] \(value=(?P<value>'[^'\n]*')\)")


def refused_values(material: Material, tree: Path) -> Iterator[Attempt]:
    """A validator takes a value that it should refuse."""
    for validator in _validators(material):
        values = list(dict.fromkeys(_unwanted(material.ticket.text, validator)))
        if not values:
            continue
        sample = next((v for k, v in _SAMPLES.items() if validator.startswith(k)), _SAMPLE)
        refusals = [
            f"with self.assertRaises(ValidationError):\n    validate({value})" for value in values
        ]
        lines = [f"validate = {validator}()", f"validate({sample!r})", *refusals]
        imports = ["from django.core.exceptions import ValidationError"]
        module = written(material, tree, lines, imports=imports)
        if module is not None:
            words = f"{validator} takes {', '.join(values)}"
            yield Attempt("validator", 0.8, module, _not_raised, words)


def _validators(material: Material) -> list[str]:
    """The validators of Django that the ticket names."""
    named = dict.fromkeys(_MENTIONED.findall(material.ticket.text))
    return [name for name in named if "validators" in material.import_of(name)]


def _unwanted(text: str, validator: str) -> Iterator[str]:
    """The values, as Python spells them, that a validator should refuse."""
    if _NEWLINE.search(text):
        sample = next((v for k, v in _SAMPLES.items() if validator.startswith(k)), _SAMPLE)
        yield repr(f"{sample}\n")
    for pattern in _REFUSE:
        for match in pattern.finditer(text):
            yield repr(match["value"].strip("`'\""))
    for match in _FAILED_VALUE.finditer(text):
        if match["name"] == validator and "ValidationError not raised" in text:
            yield match["value"]


def _not_raised(failure: Failure) -> bool:
    return "ValidationError not raised" in failure.message
