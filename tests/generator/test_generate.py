"""`fixgate generate` through the command, on the sample repository, with scripted models."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from evaluator.demo.sample import lay_sample, patch
from tests.command_line import fixgate
from tests.waiting import kill_once

IDS = [f"demo__wordtools-{bug}" for bug in ("ranges", "roman", "shorten")]
EXECUTABLE = str(Path(sys.executable).parent / "fixgate")


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


class Desk:
    def __init__(self, folder, cache):
        self.folder, self.cache = folder, cache
        lay_sample(folder / "sample")
        self.out = folder / "tests.jsonl"

    def command(self, *arguments, instances=True):
        sample = self.folder / "sample"
        source = [str(sample / "instances.jsonl")] if instances else []
        repos = ["--repos", str(sample / "repository" / ".git")] if instances else []
        shared = ("--sandbox", "process", "--offline", "--cache", str(self.cache))
        out = ("--out", str(self.out))
        return [EXECUTABLE, "generate", *source, *repos, *shared, *out, *map(str, arguments)]

    def run(self, *arguments, **options):
        return fixgate(self.command(*arguments, **options)[1:])

    def rows(self):
        lines = self.out.read_text().splitlines()
        return {row["instance_id"]: row for row in map(json.loads, lines)}

    def script(self, *replies):
        path = self.folder / "script.yaml"
        path.write_text(yaml.safe_dump(list(replies)))
        return f"scripted:{path}"


@pytest.fixture
def desk(tmp_path, cache):
    return Desk(tmp_path, cache)


def fenced(text):
    return f"Here it is:\n```diff\n{text}\n```\n"


GOOD = fenced(patch("predictions/careful.shorten.patch"))


def test_without_a_model_every_instance_ends_in_a_row(desk):
    done = desk.run()
    assert done.returncode == 0, done.stderr
    rows = desk.rows()
    assert sorted(rows) == sorted(IDS)
    for row in rows.values():
        assert row["method"] == "issue-only"
        assert row["cost_usd"] == 0
        assert bool(row["model_patch"]) is row["admitted"]
        assert row["reason"]


def test_every_test_of_every_rule_is_recorded_with_whether_it_is_right(desk):
    ids = ",".join(IDS)
    done = desk.run("--method", "issue-only-rules", "--instances", ids)
    assert done.returncode == 0, done.stderr
    rows = desk.rows()
    recorded = [one for row in rows.values() for one in row["candidates"]]
    assert all(one["rules"] and one["confidence"] for one in recorded)
    assert {one["verdict"] for one in recorded if one["admitted"]} == {"right"}
    assert {one["verdict"] for one in recorded if not one["admitted"]} <= {"unknown"}
    usual = {one["denies"] for one in recorded} - {"nothing"}
    assert usual, "what only denies is recorded, too"


def test_a_rule_that_is_not_known_is_refused(desk):
    done = desk.run("--without-rule", "guess")
    assert done.returncode == 2
    assert "--without-rule names guess; rules are" in done.stderr


def test_a_model_writes_a_test_that_is_admitted(desk):
    done = desk.run(
        *("--method", "zeroshot", "--model", desk.script(GOOD), "--instances", IDS[2]),
    )
    assert done.returncode == 0, done.stderr
    (row,) = desk.rows().values()
    assert row["admitted"], row
    assert row["model_name_or_path"].startswith("zeroshot+")
    assert row["calls"] == 1
    assert "tests/test_shorten.py" in row["model_patch"]
    trajectory = desk.folder / "tests.jsonl.trajectories" / f"{IDS[2]}.traj.json"
    told = json.loads(trajectory.read_text())
    assert told["info"]["exit_status"] == "submitted"
    assert told["info"]["submission"] == row["model_patch"]


@pytest.mark.parametrize(("submit", "submitted"), [("admitted", False), ("always", True)])
def test_what_passes_on_the_base_is_submitted_only_where_asked(desk, submit, submitted):
    passes = fenced(patch("predictions/hasty.shorten.patch"))
    model = desk.script(passes)
    desk.run(*("--method", "zeroshot", "--model", model, "--instances", IDS[2], "--submit", submit))
    (row,) = desk.rows().values()
    assert bool(row["model_patch"]) is submitted
    assert not row["admitted"]


def test_what_is_done_is_not_done_again_and_what_was_killed_goes_on(desk):
    desk.run("--instances", IDS[0])
    before = desk.rows()[IDS[0]]
    kill_once(desk.command(), lambda: len(desk.rows()) >= 2)
    assert desk.run().returncode == 0
    rows = desk.rows()
    assert sorted(rows) == sorted(IDS)
    assert rows[IDS[0]] == before


def test_limits_end_the_work_cleanly(desk):
    model = desk.script(GOOD)
    done = desk.run("--method", "zeroshot", "--model", model, "--max-calls", "0")
    assert done.returncode == 0, done.stderr
    for row in desk.rows().values():
        assert row["exit"] == "limit_reached"
        assert "calls" in row["reason"]
    desk.out.unlink()
    done = desk.run("--method", "zeroshot", "--model", model, "--total-minutes", "0")
    assert "3 were not begun" in done.stderr
    assert desk.rows() == {}


def test_one_broken_instance_harms_no_other(desk):
    instances = desk.folder / "sample" / "instances.jsonl"
    rows = [json.loads(line) for line in instances.read_text().splitlines()]
    rows[0]["base_commit"] = "f" * 40
    instances.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert desk.run().returncode == 0
    found = desk.rows()
    assert found[IDS[0]]["exit"] == "not_run"
    assert "ffff" in found[IDS[0]]["reason"]
    assert found[IDS[1]]["exit"] != "not_run"


def test_an_issue_of_a_local_repository(desk):
    issue = desk.folder / "issue.md"
    issue.write_text(patch("instances/shorten.issue.md"))
    repository = desk.folder / "sample" / "repository"
    done = desk.run(
        *("--repo", repository, "--issue", issue, "--method", "zeroshot"),
        *("--model", desk.script(GOOD)),
        instances=False,
    )
    assert done.returncode == 0, done.stderr
    assert "+++ b/tests/test_shorten.py" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--method", "nonsense"), "`nonsense` is not known; use one of "),
        (("--method", "zeroshot"), "needs a model: name one with --model"),
        (("--issue", __file__), "name either INSTANCES, or --repo and --issue"),
        (("--instances", "nobody__x-1"), "nobody__x-1"),
        (("--model", "scripted:missing.yaml"), "missing.yaml"),
        (("--given-patch", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_bad_options_are_told(desk, arguments, problem):
    done = desk.run(*arguments)
    assert done.returncode == 2
    assert problem in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_file_of_predictions_is_not_written_over(desk):
    desk.out.write_text("my notes\n")
    done = desk.run()
    assert done.returncode == 2
    assert "line 1" in done.stderr
    assert desk.out.read_text() == "my notes\n"


def test_every_method_is_listed():
    done = subprocess.run(
        [EXECUTABLE, "generate", "--help"], capture_output=True, text=True, check=True
    )
    for name in ("issue-only", "zeroshot", "libro", "agent", "ensemble", "pass-then-invert"):
        assert f"\n    {name} " in done.stdout
