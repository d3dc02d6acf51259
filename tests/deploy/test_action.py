"""The GitHub Action: its steps, run as a runner runs them, on a pull request of the sample."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from evaluator.demo.sample import commit_patch, lay_sample, patch

ROOT = Path(__file__).parents[2]
ACTION = ROOT / "deploy" / "action"
DESCRIPTION = yaml.safe_load((ACTION / "action.yml").read_text())
INSTALL, VERIFY = DESCRIPTION["runs"]["steps"]


class Job:
    """A checked-out pull request, and what the runner offers to its steps."""

    def __init__(self, folder: Path, cache: Path) -> None:
        lay_sample(folder / "sample")
        self.repository = folder / "sample" / "repository"
        self.temporary = folder / "temporary"
        (self.temporary / "fixgate").mkdir(parents=True)
        (self.temporary / "fixgate" / "bin").symlink_to(Path(sys.executable).parent)
        self.output, self.summary = folder / "output", folder / "summary.md"
        self.tests = self.temporary / "t.patch"
        self.tests.write_text(patch("predictions/careful.shorten.patch"))
        self.cache = cache

    def run(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """The step that verifies, its inputs filled in as GitHub does."""
        arguments = f"--offline\n--sandbox=process\n--quick\n--cache={self.cache}"
        given = {
            "base": "main",
            "head": "fix",
            "tests": str(self.tests),
            "arguments": arguments,
            **inputs,
        }
        env = {name: self._filled(text, given) for name, text in VERIFY["env"].items()}
        runner = {
            "RUNNER_TEMP": str(self.temporary),
            "GITHUB_ACTION_PATH": str(ACTION),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", VERIFY["run"]],
            cwd=self.repository,
            env={**os.environ, **runner, **env},
            capture_output=True,
            text=True,
            check=False,
        )

    def _filled(self, text: str, given: dict[str, str]) -> str:
        name = re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", text)
        assert name is not None, text
        return given.get(name[1], str(DESCRIPTION["inputs"][name[1]]["default"]))

    @property
    def outputs(self) -> dict[str, str]:
        return dict(line.split("=", 1) for line in self.output.read_text().splitlines())


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def job(tmp_path: Path, cache: Path) -> Job:
    return Job(tmp_path, cache)


def test_a_right_fix_passes(job):
    commit_patch(job.repository, "fix", "fixes/shorten.patch")
    done = job.run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert job.outputs["verdict"] == "accept"
    assert "::error" not in done.stdout
    assert job.summary.read_text().startswith("## ✅ fixgate accepts this change")


@pytest.mark.parametrize(("gate", "code"), [("reject", 1), ("nothing", 0)])
def test_a_wrong_fix_fails_the_job_where_it_should(job, gate, code):
    commit_patch(job.repository, "fix", "fixes/shorten-wrong.patch")
    done = job.run(**{"fail-on": gate})
    assert done.returncode == code, done.stderr
    assert job.outputs["verdict"] == "reject"
    (line,) = [one for one in done.stdout.splitlines() if one.startswith("::error ")]
    assert line.startswith("::error file=tests/test_shorten.py,line=14,endLine=14,title=fixgate::")
    assert Path(job.outputs["sarif"]).is_file()
    assert Path(job.outputs["junit"]).is_file()


@pytest.mark.parametrize(("gate", "code"), [("reject", 0), ("cannot-tell", 3)])
def test_cannot_tell_passes_unless_the_gate_is_strict(job, gate, code):
    commit_patch(job.repository, "fix", "fixes/shorten.patch")
    done = job.run(tests="", **{"fail-on": gate})
    assert done.returncode == code, done.stderr
    assert job.outputs["verdict"] == "cannot-tell"


def test_what_cannot_be_used_fails_with_its_message(job):
    done = job.run(head="nowhere")
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert "::error::fixgate could not judge this change" in done.stdout
    assert job.outputs["verdict"] == "unusable"


def test_a_gate_that_is_unknown_is_named(job):
    done = job.run(**{"fail-on": "all"})
    assert (done.returncode, "fail-on is 'all'; write one of" in done.stdout) == (2, True)


def test_inputs_are_never_read_as_shell():
    for step in (INSTALL, VERIFY):
        assert "${{" not in step["run"]
    assert {"bash"} == {step["shell"] for step in (INSTALL, VERIFY)}


def test_the_action_installs_the_package_that_it_comes_with():
    """The default of `package` is the root of this repository."""
    default = DESCRIPTION["inputs"]["package"]["default"]
    place = default.replace("${{ github.action_path }}", str(ACTION))
    assert (Path(place).resolve() / "pyproject.toml").is_file()
