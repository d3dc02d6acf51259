"""Pull requests that cannot be judged here: they are told so, and a required gate holds them."""

from __future__ import annotations

import pytest

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
