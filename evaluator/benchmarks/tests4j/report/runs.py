"""Evaluations that are compared, by the names under which tables show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.document import EvaluationDocument, read_document
from evaluator.errors import InputError

DOCUMENT = "tests4j.json"
TRUTH = "truth"


@dataclass(frozen=True)
class EvaluatedRun:
    """One evaluation. `loss` is that of the model on validation data, where somebody gives it."""

    name: str
    document: EvaluationDocument
    loss: float | None = None

    @property
    def is_truth(self) -> bool:
        """Whether these are the human tests themselves."""
        return self.document.model == TRUTH


def load_runs(directories: Sequence[Path], losses: Mapping[str, float]) -> tuple[EvaluatedRun, ...]:
    """The evaluations in directories; a model's name, and the directory's where two have one.

    Raises InputError for a directory without an evaluation, and for the loss of an unknown run.
    """
    documents = [(path, read_document(path / DOCUMENT)) for path in directories]
    models = [document.model for _, document in documents]
    names = [
        f"{model} ({path.name})" if models.count(model) > 1 else model or path.name
        for (path, _), model in zip(documents, models, strict=True)
    ]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise InputError(f"two directories hold {', '.join(sorted(twice))}; name one of them")
    unknown = losses.keys() - set(names)
    if unknown:
        known = ", ".join(names)
        raise InputError(f"losses of {', '.join(sorted(unknown))}: no such run (there are {known})")
    return tuple(
        EvaluatedRun(name, document, losses.get(name))
        for name, (_, document) in zip(names, documents, strict=True)
    )
