"""Retrieval on public repositories, with their real history."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.checkout import Repositories, Trees
from evaluator.diff import ChangedLines, Changes, split
from evaluator.execution import Subject
from evaluator.languages import is_test_file
from evaluator.swtbench.dataset import load_instances
from generator.retrieval import Retrieval
from generator.task import Task
from tests.mirrors import mirror_of, mirror_templates

pytestmark = [pytest.mark.dataset, pytest.mark.mirrors]


@pytest.mark.parametrize("instance_id", ["pallets__flask-5063", "psf__requests-3362"])
def test_golden_files_are_among_the_first(instance_id: str, data: Path, tmp_path: Path) -> None:
    loaded = load_instances(str(data / "lite_dev.jsonl")).instances
    instance = next(one for one in loaded if one.instance_id == instance_id)
    repo, commit = instance.repo, instance.base_commit
    mirror_of(repo)
    repositories = Repositories(mirror_templates(), tmp_path)
    tree, mirror = (
        Trees(repositories, tmp_path).pristine(repo, commit),
        repositories.find(repo, commit),
    )
    subject = Subject(
        repo, commit, tree, mirror.source(commit), Changes(), ChangedLines({}, {}), {}
    )
    retrieval = Retrieval(Task(instance_id, instance.problem_statement, subject, mirror), tmp_path)
    sources = {file.path for file in retrieval.source_files(5)}
    tests = {file.path for file in retrieval.test_files(5)}
    assert sources & set(split(instance.patch, is_test_file).code_files)
    assert tests & set(split(instance.test_patch, is_test_file).test_files)
    assert retrieval.context(4000).tokens <= 4000
