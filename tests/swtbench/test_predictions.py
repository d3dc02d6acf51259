"""Predictions read from files, and the golden ones."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.model import Instance, Prediction
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.predictions import load_predictions

INSTANCES = tuple(
    Instance(f"o__n-{number}", "o/n", "a" * 40, "the code", f"the tests {number}")
    for number in range(1, 4)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.jsonl"


def lines(*rows: object) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def row(number: int = 1, **fields: object) -> dict[str, object]:
    return {
        "instance_id": f"o__n-{number}",
        "model_name_or_path": "a model",
        "model_patch": f"patch {number}",
        **fields,
    }


def problems(path: Path, *, by: str | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_predictions([str(path)], INSTANCES, by=by)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return [line.strip() for line in message.splitlines()[1:]]


def test_gold_is_the_golden_tests() -> None:
    loaded = load_predictions(["gold"], INSTANCES)
    gold = Prediction("o__n-2", "gold", "the tests 2", model="gold")
    assert loaded.predictions["gold"]["o__n-2"] == gold
    assert list(loaded.predictions["gold"]) == ["o__n-1", "o__n-2", "o__n-3"]
    assert loaded.unknown_ids == {"gold": ()}


def test_a_file_is_named_by_its_stem(path: Path) -> None:
    path.write_text(lines(row(2, full_output="said much", reference_verdict="resolved"), row(1)))
    loaded = load_predictions([str(path), "gold"], INSTANCES)
    assert list(loaded.predictions) == ["mine", "gold"]
    assert list(loaded.predictions["mine"].values()) == [
        Prediction("o__n-2", "mine", "patch 2", "a model", "resolved"),
        Prediction("o__n-1", "mine", "patch 1", "a model", ""),
    ]


@pytest.mark.parametrize(
    "content",
    [
        [row(1), row(2)],
        {"o__n-1": row(1), "o__n-2": row(2)},
        {
            "o__n-1": {"model_patch": "patch 1", "model_name_or_path": "a model"},
            "o__n-2": {"model_patch": "patch 2", "model_name_or_path": "a model"},
        },
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_json_forms(tmp_path: Path, content: object, indent: int | None) -> None:
    path = tmp_path / "preds.json"
    path.write_text(json.dumps(content, indent=indent))
    found = load_predictions([str(path)], INSTANCES).predictions["preds"]
    assert found == {
        f"o__n-{n}": Prediction(f"o__n-{n}", "preds", f"patch {n}", "a model") for n in (1, 2)
    }


def test_patches_under_their_ids(tmp_path: Path) -> None:
    path = tmp_path / "preds.json"
    path.write_text(json.dumps({"o__n-1": "patch", "o__n-2": None, "o__n-3": ""}))
    found = load_predictions([str(path)], INSTANCES).predictions["preds"]
    assert [prediction.patch for prediction in found.values()] == ["patch", "", ""]


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_prediction_is_one(path: Path, empty: object) -> None:
    path.write_text(lines(row(model_patch=empty, model_name_or_path=None, reference_verdict=None)))
    (found,) = load_predictions([str(path)], INSTANCES).predictions["mine"].values()
    assert (found.patch, found.model, found.reference_verdict) == ("", "", "")


def test_unknown_ids_are_listed(path: Path) -> None:
    path.write_text(lines(row(9), row(1), row(8)))
    loaded = load_predictions([str(path)], INSTANCES)
    assert loaded.unknown_ids == {"mine": ("o__n-9", "o__n-8")}
    assert list(loaded.predictions["mine"]) == ["o__n-1"]


def test_a_field_tells_several_runs_apart(path: Path) -> None:
    rows = [row(1, run="lite/x"), row(1, run=2), row(2, run="lite/x"), row(9, run=2)]
    path.write_text(lines(*rows))
    loaded = load_predictions([str(path)], INSTANCES, by="run")
    assert {name: list(found) for name, found in loaded.predictions.items()} == {
        "lite/x": ["o__n-1", "o__n-2"],
        "2": ["o__n-1"],
    }
    assert loaded.predictions["lite/x"]["o__n-1"].name == "lite/x"
    assert loaded.unknown_ids == {"lite/x": (), "2": ("o__n-9",)}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "is null"),
        ("", "is empty"),
        (["x"], "expected text, found a list"),
        ("..", "'..' cannot name predictions"),
    ],
)
def test_a_run_without_a_name(path: Path, value: object, said: str) -> None:
    path.write_text(lines(row(1, run="a"), row(2, run=value)))
    assert problems(path, by="run") == [f'line 2, field "run": {said}']
    path.write_text(lines(row(1)))
    assert problems(path, by="run") == ['line 1, field "run": is missing']


def test_duplicates_name_both_lines(path: Path) -> None:
    path.write_text(lines(row(1), row(2), row(1)))
    assert problems(path) == ["line 3, field \"instance_id\": 'mine' has o__n-1 already (line 1)"]


def test_an_unknown_id_twice_is_a_duplicate_too(path: Path) -> None:
    path.write_text(lines(row(9), row(9)))
    assert "already (line 1)" in problems(path)[0]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"model_patch": "x"}, 'line 2, field "instance_id": is missing'),
        (row(instance_id=3), 'line 2, field "instance_id": expected text, found a number'),
        (row(model_patch=["x"]), 'line 2, field "model_patch": expected text, found a list'),
        (row(model_patch="\udc80"), 'line 2, field "model_patch": holds half of a surrogate pair'),
        ({"instance_id": "o__n-1"}, 'line 2, field "model_patch": is missing; an empty prediction'),
        ("patch", "line 2: expected an object with fields, found text"),
    ],
)
def test_bad_rows(path: Path, bad: object, said: str) -> None:
    path.write_text(lines(row(2), bad))
    (only,) = problems(path)
    assert only.startswith(said)


def test_a_truncated_file(path: Path) -> None:
    path.write_text(lines(row(1), row(2))[:-10])
    assert problems(path) == ["line 2: is cut off; was the file copied whole?"]


def test_one_name_from_two_sources(path: Path, tmp_path: Path) -> None:
    path.write_text(lines(row(1)))
    other = tmp_path / "other" / "mine.json"
    other.parent.mkdir()
    other.write_text(lines(row(2)))
    with pytest.raises(InputError) as caught:
        load_predictions([str(path), str(other)], INSTANCES)
    said = f"{path} and {other} both give predictions named 'mine'; rename one of the files"
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ([], "no predictions are given; name a file, or gold"),
        (
            ["nope.jsonl"],
            "nope.jsonl: no such file; name a file with predictions",
        ),
        (["gold", "gold"], "both give predictions named 'gold'"),
    ],
)
def test_sources_that_do_not_do(sources: Sequence[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_predictions(sources, INSTANCES)


def test_a_file_without_predictions(path: Path) -> None:
    path.write_text("\n")
    with pytest.raises(InputError, match="holds no predictions"):
        load_predictions([str(path)], INSTANCES)


def test_a_large_patch(path: Path) -> None:
    path.write_text(lines(row(1, model_patch="+" * 50_000_000)))
    found = load_predictions([str(path)], INSTANCES).predictions["mine"]
    assert len(found["o__n-1"].patch) == 50_000_000


def test_large_files_are_not_held_in_memory(path: Path) -> None:
    with path.open("w") as stream:
        for number in range(40):
            stream.write(lines(row(number, full_output="x" * 4_000_000)))
    script = (
        "import sys; from evaluator.swtbench.predictions import load_predictions;"
        "load_predictions([sys.argv[1]], []);"
        "print(*(line.split()[1] for line in open('/proc/self/status') if 'VmHWM' in line))"
    )
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) * 1024 < path.stat().st_size


_TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


@settings(deadline=None, max_examples=60)
@given(patches=st.dictionaries(_TEXT.filter(bool), st.none() | _TEXT, min_size=1, max_size=5))
def test_patches_come_through_as_they_are(
    patches: dict[str, str | None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    instances = [Instance(name, "o/n", "a" * 40, "", "") for name in patches]
    listed = tmp_path_factory.getbasetemp() / "listed.jsonl"
    keyed = tmp_path_factory.getbasetemp() / "keyed.json"
    listed.write_text(lines(*({"instance_id": k, "model_patch": v} for k, v in patches.items())))
    keyed.write_text(json.dumps({key: {"model_patch": v} for key, v in patches.items()}))
    loaded = load_predictions([str(listed), str(keyed)], instances).predictions
    expected = {name: patch or "" for name, patch in patches.items()}
    for found in loaded.values():
        assert {name: prediction.patch for name, prediction in found.items()} == expected


@pytest.mark.dataset
def test_public_predictions(data: Path) -> None:
    instances = {
        instance.instance_id: instance
        for name in ("lite_dev", "verified_dev")
        for instance in load_instances(str(data / f"{name}.jsonl")).instances
    }
    runs = str(data / "predictions_with_reference_verdicts_dev.jsonl")
    loaded = load_predictions([runs], tuple(instances.values()), by="run")
    assert len(loaded.predictions) == 8
    assert sum(map(len, loaded.predictions.values())) == 1136
    assert not any(loaded.unknown_ids.values())
    verdicts = {p.reference_verdict for rows in loaded.predictions.values() for p in rows.values()}
    assert verdicts == {"resolved", "unresolved", "error"}
    single = str(data / "predictions_frontier_lite_dev.jsonl")
    loaded = load_predictions([single], tuple(instances.values()))
    found = loaded.predictions["predictions_frontier_lite_dev"]
    assert len(found) == 140
    assert sum(not prediction.patch for prediction in found.values()) == 21
