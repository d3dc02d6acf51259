"""Modules that cannot be built are left out of an evaluation, and named with why."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from tests.languages.java.broken_modules import POMS
from tests.languages.java.repository import Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(1800),
]

CODE = """\
package words;

public class {name} {{
    public int size() {{
        return {size};
    }}
}}
"""
TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class {name}Test {{
    @Test
    void testSize() {{
        assertEquals(1, new {name}().size());
    }}
}}
"""
SIZES = {"Core": "1", "Wrong": "missing", "User": "1", "Lost": "1"}
FILES = {
    **POMS,
    **{
        f"{name.lower()}/src/main/java/words/{name}.java": CODE.format(name=name, size=size)
        for name, size in SIZES.items()
    },
    **{
        f"{name.lower()}/src/test/java/words/{name}Test.java": TEST.format(name=name)
        for name in SIZES
    },
}
WHY = {
    "lost": "example:nowhere:jar:7",
    "user": "wrong/src/main/java/words/Wrong.java:5: cannot find symbol",
    "wrong": "wrong/src/main/java/words/Wrong.java:5: cannot find symbol",
}

Command = Callable[..., Result]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository(tmp_path_factory.mktemp("repositories") / "o" / "words")
    repository.replace_sources(FILES)
    return repository


@pytest.fixture(scope="module")
def tests4j(repository: Repository, java_cache: Path) -> Command:
    template = str(repository.path.parent.parent / "{owner}" / "{name}")
    places = ["--repos", template, "--cache", str(java_cache), "--sandbox", "bubblewrap"]

    def run(name: str, *arguments: str) -> Result:
        done = CliRunner().invoke(main, ["tests4j", name, *arguments, *places])
        assert done.exit_code == 0, done.output
        return done

    return run


@pytest.fixture(scope="module")
def dataset(
    repository: Repository, tests4j: Command, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    place = tmp_path_factory.mktemp("dataset") / "dataset.json"
    tests4j("map", f"o/words@{repository.base}", "--out", str(place))
    return place


@pytest.fixture(scope="module")
def evaluated(
    dataset: Path, tests4j: Command, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Result]:
    """The human tests, with a reply that is no test beside that of `Wrong`."""
    out = tmp_path_factory.mktemp("out")
    (repository,) = json.loads(dataset.read_bytes())["repositories"]
    rows = [
        {
            "method": each["id"],
            "model": "scripted",
            "replies": [test["source"] for test in each["tests"] for _ in range(2)]
            + ["no test"] * ("Wrong" in each["id"]),
        }
        for each in repository["methods"]
    ]
    replies = out / "replies.jsonl"
    replies.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return out, tests4j(
        "evaluate", str(dataset), "--predictions", str(replies), "--out", str(out), "--mutants"
    )


def document(out: Path) -> Any:
    return json.loads((out / "tests4j.json").read_bytes())


def words(text: str) -> str:
    return " ".join(text.split())


def test_each_test_says_what_is_left_out_and_why(evaluated: tuple[Path, Result]) -> None:
    found: Mapping[str, list[tuple[str, str]]] = {}
    for test in document(evaluated[0])["tests"]:
        module = test["method"].partition(":")[2].partition("/")[0]
        found.setdefault(module, []).append((test["fate"], test["reason"]))  # type: ignore[attr-defined]
    assert found["core"] == [("correct", ""), ("duplicate", "the same as in reply 0")]
    for module, why in WHY.items():
        (fate, reason), _, *more = found[module]
        assert fate == "left out"
        assert reason.startswith(f"the repository is built without {module}: ")
        assert why in reason
        assert more == [(fate, reason)] * (module == "wrong")


def test_the_repository_says_so_too(evaluated: tuple[Path, Result]) -> None:
    found = document(evaluated[0])["left_out"]["o/words"]
    assert {each["place"]: (each["methods"], each["tests"]) for each in found} == {
        "lost": (1, 1),
        "user": (1, 1),
        "wrong": (1, 2),
    }
    assert all(WHY[each["place"]] in each["reason"] for each in found)


def test_figures_are_of_what_is_built(evaluated: tuple[Path, Result]) -> None:
    (figures,) = document(evaluated[0])["repositories"].values()
    assert (figures["methods"], figures["unique"]) == (1, 1)
    assert (figures["compilable"], figures["correct"], figures["milc"]) == (1, 1, 1)


def test_the_terminal_and_the_pages_name_it(evaluated: tuple[Path, Result], tmp_path: Path) -> None:
    out, done = evaluated
    report = CliRunner().invoke(main, ["tests4j", "report", str(out), "--out", str(tmp_path)])
    assert report.exit_code == 0, report.output
    shown = [
        words(done.output),
        (out / "report.html").read_text(),
        (tmp_path / "tests4j-report.html").read_text(),
    ]
    for text in shown:
        for module, why in WHY.items():
            assert f"without {module}" in text
            assert why in text


def test_calls_of_other_modules_are_recorded(
    repository: Repository, tests4j: Command, tmp_path: Path
) -> None:
    out = tmp_path / "calls.json"
    done = tests4j("map", f"o/words@{repository.base}", "--mapping", "calls", "--out", str(out))
    (found,) = json.loads(out.read_bytes())["repositories"]
    assert [each["focal_class"] for each in found["methods"]] == ["words.Core"]
    for module, why in WHY.items():
        assert (
            f"o/words is built without {module}, whose tests are mapped to nothing: " in done.output
        )
        assert why in done.output


def test_a_collection_drops_what_does_not_compile_as_a_whole(
    repository: Repository, tests4j: Command, tmp_path: Path
) -> None:
    candidates = tmp_path / "list.json"
    candidates.write_text(json.dumps([{"repo": "o/words", "commit": repository.base}]))
    arguments = ["--metadata", "clones", "--as-of", "2021-01-01", "--fewest-tests", "1"]
    tests4j("collect", str(candidates), *arguments, "--out", str(tmp_path / "out"))
    (row,) = json.loads((tmp_path / "out" / "collect.json").read_bytes())["candidates"]
    assert row["dropped_by"] == "compiles"
    assert all(
        f"{module}: " in row["reason"] and why in row["reason"] for module, why in WHY.items()
    )
