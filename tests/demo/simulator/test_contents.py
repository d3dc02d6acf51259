from __future__ import annotations

import base64

import github as pygithub
import pytest

from tests.demo.simulator.conftest import FILES, Studio


def test_reading_files(studio: Studio) -> None:
    repo = studio.repo()
    assert repo.get_contents("calc.py").decoded_content.decode() == FILES["calc.py"]
    assert sorted(one.path for one in repo.get_contents("")) == ["calc.py", "docs"]
    assert [one.path for one in repo.get_contents("docs")] == ["docs/guide.md"]
    raw = {"Accept": "application/vnd.github.raw+json"}
    answer = studio.call()("GET", "/repos/alice/calc/contents/docs/guide.md", headers=raw)
    assert answer.text == FILES["docs/guide.md"]
    assert answer.headers["Content-Type"].startswith("application/vnd.github.raw")


def test_writing_files(studio: Studio) -> None:
    repo = studio.repo()
    repo.create_file("tests/test_calc.py", "Add a test", "assert True\n", branch="main")
    made = repo.get_contents("tests/test_calc.py")
    repo.update_file(made.path, "Better", "assert add(1, 1) == 2\n", made.sha)
    repo.delete_file("docs/guide.md", "Gone", repo.get_contents("docs/guide.md").sha)
    messages = [one.commit.message for one in repo.get_commits()]
    assert messages == ["Gone", "Better", "Add a test", "First commit"]
    studio.github.settle()
    pushes = [hook.payload for hook in studio.receiver.named("push")]
    assert [push["ref"] for push in pushes] == ["refs/heads/main"] * 3
    assert pushes[0]["head_commit"]["added"] == ["tests/test_calc.py"]
    assert pushes[2]["commits"][0]["removed"] == ["docs/guide.md"]
    assert pushes[0]["pusher"]["name"] == "fixgate[bot]"


def test_a_commit_from_blobs_and_trees(studio: Studio) -> None:
    repo = studio.repo()
    head = repo.get_git_ref("heads/main").object.sha
    base = repo.get_git_commit(head)
    blob = repo.create_git_blob(base64.b64encode(b"\x00\x01").decode(), "base64")
    elements = [
        pygithub.InputGitTreeElement("data.bin", "100644", "blob", sha=blob.sha),
        pygithub.InputGitTreeElement("tests/test_a.py", "100644", "blob", content="\n"),
        pygithub.InputGitTreeElement("docs/guide.md", "100644", "blob", sha=None),
    ]
    tree = repo.create_git_tree(elements, base.tree)
    commit = repo.create_git_commit("Tests", tree, [base])
    repo.create_git_ref("refs/heads/tests", commit.sha)
    names = [one.path for one in repo.get_git_tree("tests", recursive=True).tree]
    assert names == ["calc.py", "data.bin", "tests", "tests/test_a.py"]
    assert repo.get_contents("data.bin", ref="tests").decoded_content == b"\x00\x01"
    assert repo.get_branch("tests").commit.sha == commit.sha
    assert repo.compare("main", "tests").ahead_by == 1


def test_branches_move_forward_only(studio: Studio) -> None:
    studio.bob.push("alice/calc", "side", {"a": "1"})
    head = studio.github.repository("alice/calc").git.resolve("side")
    main = studio.github.repository("alice/calc").git.resolve("main")
    ref = studio.repo().get_git_ref("heads/side")
    with pytest.raises(pygithub.GithubException, match="not a fast forward"):
        ref.edit(main)
    ref.edit(main, force=True)
    studio.github.settle()
    push = studio.receiver.named("push")[-1].payload
    assert (push["forced"], push["before"], push["after"]) == (True, head, main)
    ref.delete()
    studio.github.settle()
    gone = studio.receiver.named("push")[-1].payload
    assert (gone["deleted"], gone["after"], gone["head_commit"]) == (True, "0" * 40, None)


def test_comparing(studio: Studio) -> None:
    studio.bob.push("alice/calc", "side", {"a": "1"})
    studio.alice.push("alice/calc", "main", {"b": "2"})
    told = studio.repo().compare("main", "side")
    assert (told.status, told.ahead_by, told.behind_by) == ("diverged", 1, 1)
    assert [file.filename for file in told.files] == ["a"]
    assert studio.repo().compare("side", "side").status == "identical"
