"""Pull requests that cannot be judged here: they are told so, and a required gate holds them."""

from __future__ import annotations

import dataclasses

import pytest

from bot.jobs.run import run_job

from .conftest import REPOSITORY

pytestmark = pytest.mark.bubblewrap

NO_SUCH_PYTHON = "environment:\n  python: ['3.2']\n  framework: unittest\n"
NO_SUCH_FRAMEWORK = "environment:\n  framework: abacus\n"


@pytest.mark.parametrize(
    ("configuration", "title"),
    [
        (NO_SUCH_PYTHON, "Cannot tell: the environment could not be built"),
        (NO_SUCH_FRAMEWORK, "Cannot tell: a file of this repository cannot be read"),
    ],
)
@pytest.mark.parametrize(
    ("gate", "conclusion"), [("advisory", "neutral"), ("required", "action_required")]
)
def test_what_cannot_run_is_as_open_as_the_gate_says(story, configuration, title, gate, conclusion):
    written = f"{configuration}verify:\n  gate: {gate}\n"
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": written})
    head = story.alice.push(REPOSITORY, "fix", {"wordtools/more.py": "x = 1\n"})
    story.alice.open_pull(REPOSITORY, "fix", "More")
    story.work()
    (check,) = story.checks(head)
    assert (check["title"], check["conclusion"]) == (title, conclusion)
    assert "`.github/fixgate.yml`" in str(check["summary"])


def test_the_page_of_the_job_keeps_why(story):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": NO_SUCH_PYTHON})
    story.alice.push(REPOSITORY, "fix", {"wordtools/more.py": "x = 1\n"})
    story.alice.open_pull(REPOSITORY, "fix", "More")
    (key,) = story.plan()
    services = dataclasses.replace(story.services, public_url="https://fixgate.example/")
    run_job(services, key)
    job = services.store.jobs.get(key)
    assert (job.state, "3.2" in job.message) == ("done", True)
    (check,) = story.checks(job.head_sha)
    assert job.message.splitlines()[0] in check["summary"]
    assert check["details_url"] == f"https://fixgate.example/jobs/{key}"
