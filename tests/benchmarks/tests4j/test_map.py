"""Tests are assigned to methods by paths, names and calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluator.benchmarks.tests4j.dataset import load_dataset
from evaluator.benchmarks.tests4j.mapping import without_test
from tests.benchmarks.tests4j.projects import project
from tests.command_line import fixgate
from tests.mirrors import mirror_of, mirror_templates

THESIS = {"tests": 2471, "repositories": 13}
OTHERS = {"Domo42/saga-lib", "eclipse/winery", "intuit/CloudRaider"}
"""Repositories that the thesis names and that are not in its test split."""


def mapped(folder: Path, *arguments: str) -> tuple[int, str]:
    places = ["--repos", f"{folder}/{{owner}}+{{name}}/repo", "--cache", str(folder / "cache")]
    done = fixgate(["tests4j", "map", *arguments, *places, "--out", str(folder / "out.json")])
    return done.returncode, done.stdout + done.stderr


def test_a_repository_becomes_a_dataset(tmp_path: Path) -> None:
    _, commit = project(tmp_path)
    status, shown = mapped(tmp_path, f"acme/app@{commit[:9]}", "--name", "boxes")
    assert (status, "1 repositories, 3 methods, 3 tests" in shown) == (0, True)
    dataset = load_dataset(tmp_path / "out.json")
    (snapshot,) = dataset.repositories
    assert (dataset.name, dataset.mapping, snapshot.commit) == ("boxes", "heuristic", commit)
    assert (snapshot.framework, snapshot.java_level, snapshot.split) == ("jupiter", "11", None)
    assert {method.id.rpartition(":")[2]: names(method.tests) for method in snapshot.methods} == {
        "acme.Box.getSize()": ["testGetSize"],
        "acme.Box.put(int)": ["onlyOneCall"],
        "acme.Shelf.add(int)": ["testAdd"],
    }
    size = snapshot.methods[0]
    assert size.source == "public int getSize() { return size; }"
    assert size.tests[0].source.startswith("@Test\n    void testGetSize()")
    assert "box = new Box(1);" in size.test_context
    assert "onlyOneCall" not in size.test_context
    assert size.test_class == "acme.BoxTest"


def names(tests: object) -> list[str]:
    assert isinstance(tests, tuple)
    return [test.name for test in tests]


def test_tokens_are_counted_by_any_tokenizer(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    made.save(str(tmp_path / "tokenizer.json"))
    _, commit = project(tmp_path)
    status, _ = mapped(
        tmp_path, f"acme/app@{commit}", "--tokenizer", str(tmp_path / "tokenizer.json")
    )
    assert status == 0
    (snapshot,) = load_dataset(tmp_path / "out.json").repositories
    for method in snapshot.methods:
        assert method.tokens == len(method.source.split())
        assert [test.tokens for test in method.tests] == [
            len(test.source.split()) for test in method.tests
        ]


def test_what_is_no_tokenizer_is_named(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    status, shown = mapped(
        tmp_path, f"a/b@{'0' * 40}", "--tokenizer", str(tmp_path / "tokenizer.json")
    )
    assert status == 2
    assert "is no tokenizer.json" in shown


def test_what_is_excluded_does_not_count(tmp_path: Path) -> None:
    _, commit = project(tmp_path)
    listed = tmp_path / "list.json"
    row = {"repo": "acme/app", "commit": commit, "exclude": ["src/test/java/acme/Box"], "date": 1}
    listed.write_text(json.dumps([row]))
    assert mapped(tmp_path, str(listed))[0] == 0
    (snapshot,) = load_dataset(tmp_path / "out.json").repositories
    assert {method.test_class for method in snapshot.methods} == {
        "acme.TestBox",
        "acme.ShelfTest",
    }
    assert snapshot.exclude == ("src/test/java/acme/Box",)


def test_a_repository_that_is_not_there_harms_no_other(tmp_path: Path) -> None:
    _, commit = project(tmp_path)
    arguments = [f"acme/none@{commit}", f"acme/app@{commit}", f"acme/app@{commit}"]
    status, shown = mapped(tmp_path, *arguments)
    assert status == 1
    assert "acme/none is nowhere to be found" in shown
    assert len(load_dataset(tmp_path / "out.json").repositories) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "list.json is no JSON"),
        ('{"repo": 1}', "list.json is no list of repositories"),
        ('[{"repo": "a/b", "commit": "main"}]', "[0].commit: String should match"),
        ('[{"repo": "a/b"}]', "[0].commit: Field required"),
    ],
)
def test_a_list_that_is_wrong_is_named(tmp_path: Path, content: str, message: str) -> None:
    listed = tmp_path / "list.json"
    listed.write_text(content)
    status, shown = mapped(tmp_path, str(listed))
    assert status == 2
    assert message in shown


def test_an_argument_that_is_neither_is_named(tmp_path: Path) -> None:
    status, shown = mapped(tmp_path, "acme/app")
    assert status == 2
    assert "'acme/app' is neither a file nor OWNER/NAME@COMMIT" in shown


@pytest.mark.parametrize(
    ("path", "focal"),
    [
        ("core/src/test/java/a/BoxTest.java", "core/src/main/java/a/box.java"),
        ("src/test/java/a/TestBoxTests.java", "src/main/java/a/boxs.java"),
        ("kit-test/src/test/java/BoxTest.java", "kit-/src/main/java/box.java"),
    ],
)
def test_every_test_goes_from_the_path(path: str, focal: str) -> None:
    assert without_test(path) == focal


@pytest.mark.mirrors
@pytest.mark.dataset
def test_the_test_split_has_about_as_many_tests_as_the_thesis_counts(
    data: Path, tmp_path: Path
) -> None:
    rows = json.loads((data / "tests4j_repositories.json").read_bytes())
    split = [row for row in rows if row["repo"] not in OTHERS]
    for row in split:
        mirror_of(row["repo"])
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps(split))
    out = tmp_path / "out.json"
    places = ["--repos", mirror_templates()[0], "--cache", str(tmp_path / "cache")]
    done = fixgate(["tests4j", "map", str(listed), *places, "--out", str(out)])
    assert done.returncode == 0, done.stderr
    made = load_dataset(out).repositories
    assert len(made) == THESIS["repositories"]
    tests = sum(each.test_count for each in made)
    # The thesis leaves out pairs of more than 1850 tokens: 3.5 % of all.
    assert 0.97 < 0.965 * tests / THESIS["tests"] < 1.03
