"""Mirrors of the repositories of SWT-Bench: every commit is found, trees are what git says."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.checkout import Repositories, Trees
from evaluator.diff import Changes
from evaluator.model import Instance
from evaluator.swtbench.dataset import load_instances
from tests.mirrors import SWE_BENCH, mirror_of, mirror_templates

pytestmark = [pytest.mark.dataset, pytest.mark.mirrors]


@pytest.fixture
def instances(data: Path) -> Mapping[str, Instance]:
    names = ("lite_dev", "verified_dev")
    loaded = [load_instances(str(data / f"{name}.jsonl")).instances for name in names]
    return {instance.instance_id: instance for part in loaded for instance in part}


@pytest.fixture
def repositories(cache: Path) -> Repositories:
    return Repositories(mirror_templates(), cache)


@pytest.mark.parametrize("repo", SWE_BENCH)
def test_every_base_commit_is_found(
    instances: Mapping[str, Instance], repositories: Repositories, repo: str
) -> None:
    mirror_of(repo)
    wanted = [each.base_commit for each in instances.values() if each.repo == repo]
    assert wanted
    assert repositories.find(repo, wanted[0]).lacking(wanted) == ()


@pytest.mark.parametrize("name", ["django__django-10924", "astropy__astropy-14598"])
def test_a_tree_is_what_git_says(
    instances: Mapping[str, Instance],
    repositories: Repositories,
    cache: Path,
    tmp_path: Path,
    name: str,
) -> None:
    instance = instances[name]
    mirror_of(instance.repo)
    trees = Trees(repositories, cache)
    pristine = trees.pristine(instance.repo, instance.base_commit)
    mirror = repositories.find(instance.repo, instance.base_commit)
    git = ["git", f"--git-dir={mirror.git_directory}", f"--work-tree={pristine}"]
    git = [*git, "-c", "core.autocrlf=false", "-c", "core.fileMode=true"]
    index = {"GIT_INDEX_FILE": str(tmp_path / "index"), "PATH": "/usr/bin:/bin"}
    subprocess.run([*git, "read-tree", instance.base_commit], env=index, check=True)
    compare = [*git, "ls-files", "--others", "--modified", "--deleted"]
    told = subprocess.run(compare, env=index, check=True, capture_output=True, text=True)
    assert sorted(set(told.stdout.split())) == sorted(trees.absent(pristine))
    with trees.work_tree(pristine, (), Changes()) as tree:
        assert subprocess.run(["diff", "-r", pristine, tree], check=False).returncode == 0
