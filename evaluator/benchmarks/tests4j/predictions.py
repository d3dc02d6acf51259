"""Predictions: what models replied for each method, or the human tests themselves.

A file has a JSON object a line: {"method": id of a FocalMethod, "model": name, "replies": [text]}.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluator.benchmarks.tests4j.dataset import FocalMethod, Tests4JDataset
from evaluator.errors import InputError
from evaluator.field_paths import field_path

TRUTH = "truth"
_SHOWN = 5


class MethodReplies(BaseModel):
    """What one model replied for one method."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)

    method: str
    model: str
    replies: list[str]


def truth(method: FocalMethod) -> MethodReplies:
    """The human tests in the form of predictions."""
    return MethodReplies(
        method=method.id, model=TRUTH, replies=[test.source for test in method.tests]
    )


def load_predictions(
    source: str, dataset: Tests4JDataset, model: str | None = None
) -> Mapping[str, MethodReplies]:
    """Predictions by the ids of their methods, from a file or the word `truth`.

    `model` chooses one where a file has several. Raises InputError, naming file and line, for a
    line that is no prediction, a method that the dataset has not, one that is predicted twice, and
    several models without a choice.
    """
    if source == TRUTH:
        return {method.id: truth(method) for _, method in dataset.methods()}
    path = Path(source)
    rows = [(line, row) for line, row in _rows(path) if model in (None, row.model)]
    _check_models(path, {row.model for _, row in rows}, model)
    known = {method.id for _, method in dataset.methods()}
    found: dict[str, MethodReplies] = {}
    for line, row in rows:
        place = f"{path}, line {line}"
        if row.method not in known:
            raise InputError(f"{place}: the dataset has no method {row.method!r}; remove the line")
        if row.method in found:
            raise InputError(f"{place}: {row.method!r} has a line before; join their replies")
        found[row.method] = row
    return found


def _rows(path: Path) -> Iterator[tuple[int, MethodReplies]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no UTF-8: {error}; write it as UTF-8") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield number, _row(line, f"{path}, line {number}")


def _row(line: str, place: str) -> MethodReplies:
    try:
        return MethodReplies.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = field_path(first["loc"]) or "the line"
        raise InputError(
            f"{place}: {field}: {first['msg']}; "
            'a line is {"method": ID, "model": NAME, "replies": [TEXT, ...]}'
        ) from error


def _check_models(path: Path, models: set[str], wanted: str | None) -> None:
    if not models:
        which = f" by {wanted!r}" if wanted is not None else ""
        raise InputError(f"{path} has no predictions{which}")
    if len(models) > 1:
        names = ", ".join(sorted(models)[:_SHOWN])
        raise InputError(f"{path} has predictions of several models ({names}); choose with --model")
