"""The evidence of one evaluation: complete, readable, and with names that stay in the folder."""

from __future__ import annotations

import dataclasses
import json

from evaluator.model import Evaluation, Failure, Run, State, Status, TestOutcome
from evaluator.storage.evaluations import from_json
from evaluator.storage.evidence import evidence_path, write_evidence

OUTCOME = TestOutcome("a.B.c", "a.py", Status.FAILED, failure=Failure("ValueError", "no"))
RUN = Run(
    outcomes={"a.B.c": OUTCOME},
    hits={"src.py": {3: 2}},
    exit_code=1,
    output="F\n1 failed, caf\udce9\n",
    wall_seconds=0.5,
    command="python -m unittest a",
)
EVALUATION = Evaluation(
    "b-1", "my/model", State.GRADED, patch="the tests\n", golden_patch="the fix\n"
)


def test_everything_is_there(tmp_path):
    folder = tmp_path / "deep" / "b-1"
    write_evidence(folder, EVALUATION, {"tests-base": RUN})
    assert from_json(json.loads((folder / "evaluation.json").read_text())) == EVALUATION
    assert (folder / "prediction.diff").read_text() == "the tests\n"
    assert (folder / "golden.diff").read_text() == "the fix\n"
    assert "python -m unittest a" in (folder / "commands.txt").read_text()
    assert (folder / "tests-base.log").read_bytes() == b"F\n1 failed, caf\xe9\n"
    run = json.loads((folder / "tests-base.json").read_text())
    assert run["outcomes"]["a.B.c"]["failure"]["exception_type"] == "ValueError"
    assert run["hits"] == {"src.py": {"3": 2}}
    assert (run["ending"], run["exit_code"]) == ("exited", 1)


def test_written_twice_it_is_the_same(tmp_path):
    write_evidence(tmp_path, EVALUATION, {"tests-base": RUN})
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    write_evidence(tmp_path, EVALUATION, {"tests-base": RUN})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_a_run_or_prediction_named_like_a_path_stays_inside(tmp_path):
    folder = tmp_path / "evidence"
    write_evidence(folder, EVALUATION, {"../../escape": RUN})
    assert [path.name for path in tmp_path.iterdir()] == ["evidence"]
    assert len(evidence_path(EVALUATION).parts) == 3


def test_text_that_cannot_be_encoded_harms_nothing(tmp_path):
    broken = dataclasses.replace(EVALUATION, patch="half of an emoji: \ud83d")
    write_evidence(tmp_path, broken, {})
    assert (tmp_path / "prediction.diff").read_text() == "half of an emoji: ?"
