"""What is judged: instances, predictions and fixes."""

from __future__ import annotations

import datetime
from dataclasses import dataclass


@dataclass(frozen=True)
class Instance:
    """One bug of a benchmark: a repository at a commit, the issue, the golden fix and golden tests.

    The fields are those of SWE-bench (https://www.swebench.com), with the JSON strings decoded.
    `repo` is `owner/name`; `patch` is the golden code patch and `test_patch` the golden tests,
    both unified diffs against `base_commit`. `version` is empty where the dataset leaves it so;
    `language` names the one of the code and the tests (see `evaluator.languages`).
    """

    instance_id: str
    repo: str
    base_commit: str
    patch: str
    test_patch: str
    problem_statement: str = ""
    hints_text: str = ""
    created_at: datetime.datetime | None = None
    version: str = ""
    fail_to_pass: tuple[str, ...] = ()
    pass_to_pass: tuple[str, ...] = ()
    environment_setup_commit: str = ""
    language: str = "python"


@dataclass(frozen=True)
class Prediction:
    """Tests that somebody proposes for an instance: a unified diff or block-format text."""

    instance_id: str
    name: str
    patch: str
    model: str = ""
    reference_verdict: str = ""
