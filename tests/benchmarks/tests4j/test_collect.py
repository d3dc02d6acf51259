"""Candidates are filtered, resumably, and one that is broken harms no other."""

from __future__ import annotations

import datetime
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.collecting.candidates import ListedRepository, read_candidates
from evaluator.benchmarks.tests4j.collecting.filters import (
    CandidateResult,
    FilterName,
    Thresholds,
    drop_by_metadata,
    filter_table,
    sampled,
    without_long_pairs,
)
from evaluator.benchmarks.tests4j.collecting.github import GitHubMetadata, GitHubUnavailableError
from evaluator.benchmarks.tests4j.collecting.metadata import Existence, RepositoryMetadata, to_line
from evaluator.benchmarks.tests4j.dataset import RepositorySnapshot, load_dataset
from evaluator.errors import InputError
from tests.benchmarks.tests4j.projects import project
from tests.benchmarks.tests4j.strategies import snapshots
from tests.checkout.conftest import new_origin
from tests.command_line import fixgate
from tests.languages.java.repository import CODE, FIXED, OLD_TESTS, POM, TESTS

AS_OF = datetime.date(2023, 1, 1)
THRESHOLDS = Thresholds(AS_OF)
GOOD = RepositoryMetadata(
    repo="acme/app",
    kilobytes=300_000,
    commit="0" * 40,
    committed_at=datetime.datetime(2021, 1, 2, tzinfo=datetime.UTC),
    root_files=("pom.xml", "src"),
)


@pytest.mark.parametrize(
    ("changes", "dropped_by", "reason"),
    [
        ({}, None, ""),
        ({"repo": "Acme/Leaked"}, FilterName.LEAKAGE, "a list of training data names it"),
        ({"full_name": "acme/leaked"}, FilterName.LEAKAGE, "a list of training data names it"),
        ({"existence": Existence.GONE, "root_files": ()}, FilterName.EXISTENCE, "gone"),
        ({"existence": Existence.BLOCKED}, FilterName.EXISTENCE, "blocked"),
        ({"kilobytes": 300_001}, FilterName.SIZE, "300 MB"),
        ({"root_files": ("build.gradle.kts",)}, FilterName.BUILD, "gradle"),
        ({"root_files": ("README.md",)}, FilterName.BUILD, "other"),
        (
            {"committed_at": datetime.datetime(2020, 12, 1, tzinfo=datetime.UTC)},
            FilterName.AGE,
            "2.1 years ago",
        ),
    ],
)
def test_metadata_drop_a_repository(
    changes: dict[str, object], dropped_by: FilterName | None, reason: str
) -> None:
    drop = drop_by_metadata(GOOD.model_copy(update=changes), {"acme/leaked"}, THRESHOLDS)
    assert (drop.filter if drop else None, drop.reason if drop else "") == (dropped_by, reason)


@given(
    results=st.lists(st.sampled_from([None, *FilterName])),
    last=st.sampled_from(FilterName),
)
def test_the_table_is_a_chain(results: list[FilterName | None], last: FilterName) -> None:
    listed = [CandidateResult(repo="a/b", metadata=GOOD, dropped_by=each) for each in results]
    rows = filter_table(listed, last)
    assert [row.filter for row in rows] == list(FilterName)[: len(rows)]
    assert rows[-1].filter is last
    assert rows[0].before == len(listed)
    assert all(one.after == other.before for one, other in itertools.pairwise(rows))


@given(repository=snapshots(), most=st.integers(0, 6), seed=st.integers())
def test_a_sample_is_seeded_and_as_large_as_it_may_be(
    repository: RepositorySnapshot, most: int, seed: int
) -> None:
    made = sampled(repository, most, seed)
    assert made == sampled(repository, most, seed)
    assert made.test_count == min(repository.test_count, most)
    tests = {(m.id, t) for m in repository.methods for t in m.tests}
    assert all((m.id, t) in tests for m in made.methods for t in m.tests)


@given(repository=snapshots(), most=st.integers(0, 10_000))
def test_no_pair_that_is_left_is_too_long(repository: RepositorySnapshot, most: int) -> None:
    for method in without_long_pairs(repository, most).methods:
        assert method.tests
        assert all((method.tokens or 0) + (test.tokens or 0) <= most for test in method.tests)


def test_candidates_are_names_addresses_and_rows(tmp_path: Path) -> None:
    lines = tmp_path / "list.txt"
    lines.write_text("a/b\n\nhttps://github.com/c/d.git\na/b\n")
    assert read_candidates(lines) == (ListedRepository("a/b"), ListedRepository("c/d"))
    rows = tmp_path / "list.json"
    rows.write_text(json.dumps(["a/b", {"repo": "c/d", "commit": "0123456", "date": "2020"}]))
    assert read_candidates(rows) == (
        ListedRepository("a/b"),
        ListedRepository("c/d", "0123456"),
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "a/b\nnothing\n", r"a\.txt, line 2: 'nothing' is no repository"),
        ("a.json", '[{"repo": "a/b", "commit": "main"}]', r"a\.json, row 1: .* is no repository"),
        ("a.json", "{}", r"a\.json is no JSON list"),
        ("a.json", "[", r"a\.json cannot be read"),
    ],
)
def test_what_is_no_candidate_is_named(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        read_candidates(tmp_path / name)


class Answers(BaseHTTPRequestHandler):
    """A few paths of GitHub's API; `asked` lists what was asked for."""

    asked: list[str]
    repository: ClassVar = {"full_name": "acme/app", "size": 123, "default_branch": "main"}
    commit: ClassVar = {"sha": "c" * 40, "commit": {"committer": {"date": "2022-05-06T07:08:09Z"}}}
    tree: ClassVar = {"sha": "c" * 40, "tree": [{"path": "src"}, {"path": "pom.xml"}]}

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status, body = self._answer(self.path.partition("?")[0])
        content = json.dumps(body).encode()
        self.send_response(status)
        if status == 301:
            self.send_header("Location", f"http://{self.headers['Host']}/repos/acme/app")
        if status == 403:
            self.send_header("X-RateLimit-Remaining", "0")
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _answer(self, path: str) -> tuple[int, Any]:
        repository = {**self.repository, "url": f"http://{self.headers['Host']}/repos/acme/app"}
        known: dict[str, tuple[int, Any]] = {
            "/repos/acme/app": (200, repository),
            "/repos/acme/app/commits": (200, [self.commit]),
            f"/repos/acme/app/git/trees/{'c' * 40}": (200, self.tree),
            "/repos/acme/renamed": (301, {"message": "Moved Permanently"}),
            "/repos/acme/blocked": (451, {"message": "Repository access blocked"}),
            "/repos/acme/limited": (403, {"message": "API rate limit exceeded for 192.0.2.1."}),
        }
        return known.get(path, (404, {"message": "Not Found"}))

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def api() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (Answers,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def test_github_says_what_a_repository_is_like() -> None:
    with api() as (address, asked):
        source = GitHubMetadata(AS_OF, api=address)
        found = source.find("acme/app")
        assert (found.kilobytes, found.commit, found.root_files) == (
            123,
            "c" * 40,
            ("pom.xml", "src"),
        )
        assert found.committed_at == datetime.datetime(2022, 5, 6, 7, 8, 9, tzinfo=datetime.UTC)
        assert any("until=2023-01-01T00%3A00%3A00Z" in path for path in asked)
        assert source.find("acme/none").existence is Existence.GONE
        assert source.find("acme/blocked").existence is Existence.BLOCKED
        assert source.find("acme/renamed").full_name == "acme/app"


def collected(folder: Path, *arguments: str) -> tuple[int, str]:
    places = ["--repos", f"{folder}/{{owner}}+{{name}}/repo", "--cache", str(folder / "cache")]
    common = ["tests4j", "collect", str(folder / "list.json"), "--as-of", "2021-01-01"]
    done = fixgate([*common, *places, "--out", str(folder / "out"), *arguments])
    return done.returncode, done.stdout + done.stderr


def test_a_limit_of_requests_ends_it_and_what_was_found_is_kept(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('["acme/app", "acme/limited"]')
    with api() as (address, asked):
        arguments = ["--github-api", address, "--last-filter", "last commit"]
        status, shown = collected(tmp_path, *arguments)
        assert (status, "limit of requests is used up" in shown) == (2, True)
        assert (tmp_path / "out" / "metadata" / "acme" / "app.json").is_file()
        asked.clear()
        assert collected(tmp_path, *arguments)[0] == 2
        assert not any("acme/app" in path for path in asked)


def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(GitHubUnavailableError, match="does not answer for acme/app"):
        GitHubMetadata(AS_OF, api="http://127.0.0.1:1").find("acme/app")


def test_clones_are_filtered_and_mapped(tmp_path: Path) -> None:
    _, commit = project(tmp_path)
    (tmp_path / "list.json").write_text(
        json.dumps(["acme/none", {"repo": "acme/app", "commit": commit}, "acme/leaked"])
    )
    (tmp_path / "leaked.txt").write_text("ACME/leaked\n")
    arguments = ["--metadata", "clones", "--leaked", str(tmp_path / "leaked.txt")]
    arguments += ["--last-filter", "mapped tests"]
    status, shown = collected(tmp_path, *arguments, "--fewest-tests", "4")
    assert status == 0, shown
    assert "exists: 2 -> 1 (50.0% dropped)" in shown
    assert "mapped tests: 1 -> 0 (100.0% dropped)" in shown
    status, shown = collected(tmp_path, *arguments, "--fewest-tests", "2", "--most-tests", "2")
    assert "mapped tests: 1 -> 1 (0.0% dropped)" in shown
    (kept,) = load_dataset(tmp_path / "out" / "dataset.json").repositories
    assert (kept.name, kept.test_count) == ("acme/app", 2)
    document = json.loads((tmp_path / "out" / "collect.json").read_bytes())
    assert [row["dropped_by"] for row in document["candidates"]] == [
        "exists",
        None,
        "no training data",
    ]
    assert "Figure 3.4" in (tmp_path / "out" / "collect.html").read_text()


def test_metadata_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('["acme/app", "acme/other"]')
    (tmp_path / "metadata.jsonl").write_text(to_line(GOOD) + "\n")
    arguments = ["--metadata", str(tmp_path / "metadata.jsonl")]
    status, shown = collected(tmp_path, *arguments, "--last-filter", "clone can be read")
    assert status == 0, shown
    assert "exists: 2 -> 1" in shown
    assert "clone can be read: 1 -> 0" in shown


def test_metadata_that_are_wrong_are_named(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text('["acme/app"]')
    (tmp_path / "metadata.jsonl").write_text('{"repo": "acme/app", "kilobytes": -1}\n')
    status, shown = collected(tmp_path, "--metadata", str(tmp_path / "metadata.jsonl"))
    assert status == 2
    assert "metadata.jsonl, line 1, kilobytes: Input should be greater" in shown


def java_project(folder: Path, name: str, files: dict[str, str]) -> dict[str, str]:
    """The row of a Maven project with one class and its tests."""
    origin = new_origin(folder / name.replace("/", "+") / "repo")
    known = {"pom.xml": POM, CODE: FIXED, TESTS: OLD_TESTS, **files}
    commit = origin.commit({path: text.encode("latin-1") for path, text in known.items()})
    return {"repo": name, "commit": commit}


@pytest.mark.java
@pytest.mark.maven_central
@pytest.mark.bubblewrap
@pytest.mark.timeout(900)
def test_what_does_not_compile_or_pass_is_dropped(tmp_path: Path) -> None:
    rows = [
        java_project(tmp_path, "acme/good", {}),
        java_project(tmp_path, "acme/broken", {CODE: FIXED.replace("return word", "return wort")}),
        java_project(tmp_path, "acme/failing", {TESTS: OLD_TESTS.replace("cats", "dogs")}),
    ]
    (tmp_path / "list.json").write_text(json.dumps(rows))
    arguments = ["--metadata", "clones", "--fewest-tests", "1", "--sandbox", "bubblewrap"]
    status, shown = collected(tmp_path, *arguments)
    assert status == 0, shown
    assert "compiles: 3 -> 2" in shown
    assert "tests pass: 2 -> 1" in shown
    assert [each.name for each in load_dataset(tmp_path / "out" / "dataset.json").repositories] == [
        "acme/good"
    ]
    logs = tmp_path / "out" / "logs"
    assert "wort" in (logs / "acme+broken.compile.log").read_text()
    assert "[dog]s" in (logs / "acme+failing.test.log").read_text()
    assert "passed" in (logs / "acme+good.test.log").read_text()
