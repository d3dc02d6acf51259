"""Models mend tests that do not compile or pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.benchmarks.tests4j.dataset import save_dataset
from tests.command_line import fixgate

from .examples import dataset, method, repository
from .project import OF, focal

GOOD = '@Test public void dogs() { assertEquals("dogs", Plural.of("dog")); }'
BROKEN = "@Test public void dogs() { assertEquals(1, Plurals.off()); }"
FARTHER = '@Test public void cows() { assertEquals("cows", Plural.of("cow")); }'


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(1800)
def test_a_model_mends_what_does_not_compile(
    project: str, tmp_path: Path, java_cache: Path
) -> None:
    script, path, out = tmp_path / "script.json", tmp_path / "words.json", tmp_path / "out.jsonl"
    plural = focal("of", ("String",), "Plural", OF)
    save_dataset(dataset(repository(plural, commit=project)), path)
    lines = {
        "cannot find symbol": [GOOD],
        "Write a unit test": [BROKEN, FARTHER],
    }
    script.write_text(json.dumps(lines))
    arguments = [
        *("tests4j", "generate", str(path), "--method", "endpoint", "--no-reply-cache"),
        *("--model", f"scripted:{script}", "--samples", "2", "--temperature", "0.2"),
        *("--repair-rounds", "1", "--out", str(out)),
        *("--repos", str(tmp_path / "repos" / "acme+words" / "repo")),
        *("--cache", str(java_cache), "--sandbox", "bubblewrap"),
    ]
    done = fixgate(arguments)
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, out.read_text().splitlines())
    assert (row["problem"], row["end"], row["calls"]) == ("", "complete", 3)
    assert row["replies"] == [GOOD, FARTHER]


def test_continued_text_cannot_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    save_dataset(dataset(repository(method())), path)
    begin = ["tests4j", "generate", str(path), "--method", "endpoint", "--model", "m"]
    rounds = ["--continue-text", "--repair-rounds", "1", "--out", str(tmp_path / "out.jsonl")]
    done = fixgate([*begin, *rounds])
    assert done.returncode == 2
    assert "--repair-rounds needs a conversation" in done.stderr
