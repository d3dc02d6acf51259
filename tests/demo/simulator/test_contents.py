from __future__ import annotations

import base64

import github as pygithub
import pytest

from tests.demo.simulator.conftest import FILES, Studio


def test_reading_files(studio: Studio) -> None:
    repo = studio.repo()
    assert repo.get_contents("calc.py").decoded_content.decode() == FILES["calc.py"]
    assert [one.path for one in repo.get_contents("docs")] == ["docs/guide.md"]


def test_a_commit_from_blobs_and_trees(studio: Studio) -> None:
    studio.bob.push("alice/calc", "tests", {"a": "1"})
    repo = studio.repo()
    head = repo.get_git_ref("heads/tests").object.sha
    base = repo.get_git_commit(head)
    blob = repo.create_git_blob(base64.b64encode(b"\x00\x01").decode(), "base64")
    elements = [
        pygithub.InputGitTreeElement("data.bin", "100644", "blob", sha=blob.sha),
        pygithub.InputGitTreeElement("tests/test_a.py", "100644", "blob", content="\n"),
        pygithub.InputGitTreeElement("docs/guide.md", "100644", "blob", sha=None),
    ]
    tree = repo.create_git_tree(elements, base.tree)
    commit = repo.create_git_commit("Tests", tree, [base])
    repo.get_git_ref("heads/tests").edit(commit.sha)
    names = [one.path for one in repo.get_git_tree("tests").tree]
    assert names == ["a", "calc.py", "data.bin", "tests"]
    assert repo.get_contents("data.bin", ref="tests").decoded_content == b"\x00\x01"
    branches = studio.github.repository("alice/calc").git.branches()
    assert branches["tests"] == commit.sha
    studio.github.settle()
    told = studio.receiver.named("push")[-1].payload
    assert told["head_commit"]["added"] == ["data.bin", "tests/test_a.py"]
    assert told["commits"][0]["removed"] == ["docs/guide.md"]
    assert told["pusher"]["name"] == "fixgate[bot]"


def test_branches_move_forward_only(studio: Studio) -> None:
    studio.bob.push("alice/calc", "side", {"a": "1"})
    tree = studio.github.repository("alice/calc").git
    head = tree.resolve("side")
    ref = studio.repo().get_git_ref("heads/side")
    with pytest.raises(pygithub.GithubException, match="not a fast forward"):
        ref.edit(tree.resolve("main"))
    ref.edit(tree.resolve("main"), force=True)
    studio.github.settle()
    push = studio.receiver.named("push")[-1].payload
    assert (push["forced"], push["before"], push["after"]) == (True, head, tree.resolve("main"))
