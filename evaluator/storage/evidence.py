"""What an evaluation rests on, as files that a person can read and repeat."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from evaluator.model import Evaluation, Run
from evaluator.storage.evaluations import to_json
from evaluator.storage.files import write_whole

FOLDER = "evidence"
_UNENCODABLE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates that no undecodable byte stands behind; JSON from a model can hold them."""


def evidence_path(evaluation: Evaluation) -> Path:
    """Where the evidence of an evaluation lies, relative to the directory of the report."""
    return evidence_folder(evaluation.prediction, evaluation.instance_id)


def evidence_folder(prediction: str, instance_id: str) -> Path:
    """The same by the names of the prediction and the instance."""
    return Path(FOLDER, _component(prediction), _component(instance_id))


def _component(name: str) -> str:
    return quote(name, safe="", errors="replace")


def write_evidence(directory: Path, evaluation: Evaluation, runs: Mapping[str, Run]) -> None:
    """Write the patches, each run's log and outcomes, and the commands that repeat the runs.

    The files are `evaluation.json`, `prediction.diff`, `golden.diff`, `commands.txt` and, for each
    run, `NAME.log` and `NAME.json`. Bytes that were no UTF-8 come back as they were; what cannot
    be encoded at all becomes a question mark.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in _files(evaluation, runs):
        write_whole(directory / name, _bytes(text))


def _bytes(text: str) -> bytes:
    return _UNENCODABLE.sub("?", text).encode("utf-8", errors="surrogateescape")


def _files(evaluation: Evaluation, runs: Mapping[str, Run]) -> Iterator[tuple[str, str]]:
    yield "evaluation.json", _pretty(to_json(evaluation))
    yield "prediction.diff", evaluation.patch
    yield "golden.diff", evaluation.golden_patch
    commands = {**evaluation.commands, **{name: run.command for name, run in runs.items()}}
    yield "commands.txt", "".join(f"# {name}\n{line}\n\n" for name, line in commands.items())
    for name, run in runs.items():
        stem = _component(name)
        yield f"{stem}.log", run.output
        yield f"{stem}.json", _pretty(_outcomes(run))


def _outcomes(run: Run) -> Mapping[str, object]:
    return {
        "ending": run.ending,
        "exit_code": run.exit_code,
        "wall_seconds": run.wall_seconds,
        "outcomes": {name: dataclasses.asdict(o) for name, o in run.outcomes.items()},
        "hits": run.hits,
    }


def _pretty(document: Mapping[str, object]) -> str:
    return json.dumps(document, indent=1, sort_keys=True) + "\n"
