"""The template for GitLab CI: its script, run as a runner runs it, and the note that it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluator.demo.sample import commit_patch, git, lay_sample, patch

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "deploy" / "gitlab" / "fixgate.gitlab-ci.yml"
JOB = yaml.safe_load(TEMPLATE.read_text())["fixgate"]
TOKEN = "glpat-the-token-of-a-test"
NOTES = "/api/v4/projects/7/merge_requests/3/notes"


class GitLabServer(ThreadingHTTPServer):
    """As much of a GitLab as a note needs; somebody else has copied the marker before."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        copied = {"id": 1, "body": "<!-- fixgate:gitlab -->\nmine", "author": {"id": 99}}
        self.notes: list[dict[str, Any]] = [copied]
        self.refuses = False


class _Handler(BaseHTTPRequestHandler):
    server: GitLabServer

    def do_GET(self) -> None:
        if self.path == "/api/v4/user":
            self._answer(200, {"id": 5, "username": "project_7_bot"})
        else:
            assert self.path.startswith(NOTES), self.path
            self._answer(200, self.server.notes)

    def do_POST(self) -> None:
        assert self.path == NOTES
        made = {"id": len(self.server.notes) + 1, "author": {"id": 5}, **self._body()}
        self.server.notes.append(made)
        self._answer(201, made)

    def do_PUT(self) -> None:
        (note,) = [one for one in self.server.notes if self.path == f"{NOTES}/{one['id']}"]
        note.update(self._body())
        self._answer(200, note)

    def _body(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        return found

    def _answer(self, status: int, data: object) -> None:
        known = self.headers["PRIVATE-TOKEN"] == TOKEN and not self.server.refuses
        text = json.dumps(data if known else {"message": "401 Unauthorized"}).encode()
        self.send_response(status if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def gitlab() -> Iterator[GitLabServer]:
    server = GitLabServer()
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


class Pipeline:
    """A merge request that is checked out, and what the runner offers to its job."""

    def __init__(self, folder: Path, cache: Path, gitlab: GitLabServer) -> None:
        lay_sample(folder / "sample")
        self.repository = folder / "sample" / "repository"
        (folder / "t.patch").write_text(patch("predictions/careful.shorten.patch"))
        self._tests, self._cache, self._gitlab = folder / "t.patch", cache, gitlab

    def run(self, fix: str = "", **more: str) -> subprocess.CompletedProcess[str]:
        """The job's script, after a change on a branch."""
        if fix:
            commit_patch(self.repository, "fix", fix)
        arguments = f"--offline --sandbox=process --quick --cache={self._cache}"
        given = {
            **JOB["variables"],
            "CI_SERVER_URL": self._gitlab.url,
            "CI_PROJECT_ID": "7",
            "CI_MERGE_REQUEST_IID": "3",
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": git(self.repository, "rev-parse", "main").strip(),
            "CI_COMMIT_SHA": git(self.repository, "rev-parse", "fix").strip(),
            "FIXGATE_ARGUMENTS": f"{arguments} --tests={self._tests}",
            "FIXGATE_GITLAB_TOKEN": TOKEN,
            **more,
        }
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", "\n".join(JOB["script"])],
            cwd=self.repository,
            env={**os.environ, "PATH": path, "NO_PROXY": "127.0.0.1", **given},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def pipeline(tmp_path: Path, cache: Path, gitlab: GitLabServer) -> Pipeline:
    return Pipeline(tmp_path, cache, gitlab)


def test_a_verdict_becomes_one_note_that_is_edited(pipeline, gitlab):
    wrong = pipeline.run("fixes/shorten-wrong.patch")
    assert wrong.returncode == 1, wrong.stdout + wrong.stderr
    copied, note = gitlab.notes
    assert note["body"].startswith("<!-- fixgate:gitlab -->\n## ❌ fixgate rejects this change")
    assert (pipeline.repository / "fixgate.xml").is_file()
    git(pipeline.repository, "branch", "-D", "fix")
    right = pipeline.run("fixes/shorten.patch")
    assert right.returncode == 0, right.stdout + right.stderr
    assert len(gitlab.notes) == 2
    assert "✅ fixgate accepts this change" in note["body"]
    assert copied["body"].endswith("mine")


def test_without_a_token_there_is_no_note(pipeline, gitlab):
    assert pipeline.run("fixes/shorten.patch", FIXGATE_GITLAB_TOKEN="").returncode == 0
    assert len(gitlab.notes) == 1


def test_a_note_that_is_refused_does_not_change_the_verdict(pipeline, gitlab):
    gitlab.refuses = True
    done = pipeline.run("fixes/shorten-wrong.patch")
    assert done.returncode == 1
    assert "does not take the note: 401" in done.stderr
    assert "the verdict stands" in done.stdout
    assert TOKEN not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("gate", "tests", "code"),
    [("nothing", True, 0), ("reject", False, 0), ("cannot-tell", False, 3), ("all", True, 2)],
)
def test_the_job_fails_by_its_gate(pipeline, gate, tests, code):
    """A wrong fix where its tests are given; without them, a fix that nothing shows."""
    more = (
        {}
        if tests
        else {"FIXGATE_ARGUMENTS": f"--offline --sandbox=process --quick --cache={pipeline._cache}"}
    )
    fix = "fixes/shorten-wrong.patch" if tests else "fixes/shorten.patch"
    done = pipeline.run(fix, FIXGATE_FAIL_ON=gate, FIXGATE_GITLAB_TOKEN="", **more)
    assert done.returncode == code, done.stdout + done.stderr


def test_what_cannot_be_used_fails_whatever_the_gate(pipeline):
    commit_patch(pipeline.repository, "fix", "fixes/shorten.patch")
    done = pipeline.run(CI_COMMIT_SHA="nowhere", FIXGATE_FAIL_ON="nothing")
    assert done.returncode == 2


def test_what_verifies_does_not_get_the_token(pipeline):
    """It runs code of the change."""
    script = "\n".join(JOB["script"])
    assert "env --unset=FIXGATE_GITLAB_TOKEN fixgate verify" in script
