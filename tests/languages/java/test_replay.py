"""Java predictions are graded by running them: whatever tests do, each has its own result."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli import main
from evaluator.storage.once import make_once
from tests.languages.java.repository import BOX, CODE, FIXED, NEW_TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

METHOD = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() throws Exception {
        STATEMENT
    }
}
"""


def statement(text: str) -> str:
    return METHOD.replace("STATEMENT", text)


GUESSES = {
    "passing": statement('assertEquals("dogs", Plural.of("dog"));'),
    "wrong": statement('assertEquals("boxen", Plural.of("box"));'),
    "not_compiling": statement("Plural.none();"),
    "leaving": statement("System.exit(0);"),
    "hanging": statement("Thread.sleep(1000000);"),
    "writing": statement("char[] many = new char[1 << 20]; while (true) System.out.println(many);"),
    "pretending": statement(
        'new ProcessBuilder("sh", "-c", "echo nonsense >&0; echo \\"{}\\" >&0")'
        ".inheritIO().start().waitFor();"
    ),
    "reading": statement("assertEquals(-1, System.in.read());"),
}


@pytest.fixture(scope="module")
def ends(java_cache: Path) -> Mapping[str, Any]:
    """How each prediction ended; one of the processes that run tests finds out for all."""
    shelf = java_cache.parent / "replayed"
    place = make_once(shelf, "words", functools.partial(replayed, java_cache))
    report = json.loads((place / "out" / "report.json").read_text())["predictions"]
    return {name: each["instances"]["o__words-1"] for name, each in report.items()}


def replayed(cache: Path, place: Path) -> None:
    repository = Repository(place / "o" / "words")
    row = {
        "instance_id": "o__words-1",
        "repo": "o/words",
        "base_commit": repository.base,
        "patch": repository.patch({CODE: FIXED}),
        "test_patch": repository.patch({NEW_TESTS: BOX}),
        "problem_statement": "The plural of box is boxes, not boxs.",
    }
    predictions = [
        {
            "instance_id": "o__words-1",
            "model_name_or_path": name,
            "model_patch": repository.patch({NEW_TESTS: text}),
        }
        for name, text in GUESSES.items()
    ]
    instances, written = place / "rows.jsonl", place / "predictions.jsonl"
    instances.write_text(json.dumps(row))
    written.write_text("\n".join(map(json.dumps, predictions)))
    options = ("--sandbox", "bubblewrap", "--cache", str(cache), "--timeout", "60")
    sources = ("--predictions", "gold", str(written), "--by", "model_name_or_path")
    where = ("--repos", str(place / "{owner}" / "{name}"), "--out", str(place / "out"))
    result = CliRunner().invoke(main, ["replay", str(instances), *sources, *where, *options])
    assert result.exit_code == 0, result.output


def test_only_the_test_that_reproduces_succeeds(ends: Mapping[str, Any]) -> None:
    assert {name for name, end in ends.items() if end.get("success")} == {"gold"}
    assert ends["gold"]["change_coverage"] == 1.0
    assert {end["state"] for end in ends.values()} == {"graded"}


def transitions(end: Mapping[str, Any]) -> Mapping[str, tuple[str, str]]:
    return {
        each["test"].removeprefix(f"{NEW_TESTS}::"): (
            each["before"]["status"],
            each["after"]["status"],
        )
        for each in end["transitions"]
    }


@pytest.mark.parametrize(
    ("name", "statuses"),
    [
        ("leaving", ("crashed", "crashed")),
        ("hanging", ("timeout", "timeout")),
        ("writing", ("crashed", "crashed")),
        ("pretending", ("passed", "passed")),
        ("reading", ("passed", "passed")),
    ],
)
def test_whatever_a_test_does_is_its_own_result(
    ends: Mapping[str, Any], name: str, statuses: tuple[str, str]
) -> None:
    assert transitions(ends[name]) == {"BoxTest::box": statuses}


def test_a_test_that_does_not_compile_fails_with_the_first_error(ends: Mapping[str, Any]) -> None:
    (end,) = ends["not_compiling"]["transitions"]
    failure = end["before"]["failure"]
    assert (end["test"], end["before"]["phase"]) == (f"{NEW_TESTS}::BoxTest::box", "collection")
    assert failure["message"].startswith(f"{NEW_TESTS}:10: cannot find symbol")


def test_each_method_has_an_outcome_on_both_sides(ends: Mapping[str, Any]) -> None:
    assert transitions(ends["gold"]) == {
        "BoxTest::box": ("failed", "passed"),
        "BoxTest::shelf": ("failed", "passed"),
    }
