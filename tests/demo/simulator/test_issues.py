from __future__ import annotations

import github as pygithub
import pytest
import requests

from bot.demo.simulator.errors import RefusedError
from tests.demo.simulator.conftest import Studio


def test_the_life_of_an_issue(studio: Studio) -> None:
    number = studio.bob.open_issue("alice/calc", "add is wrong", "1 + 1 = 0", ["bug"])
    issue = studio.repo().get_issue(number)
    assert (issue.title, issue.body, issue.user.login) == ("add is wrong", "1 + 1 = 0", "bob")
    assert [label.name for label in issue.labels] == ["bug"]
    issue.add_to_labels("reproduced")
    studio.bob.edit_issue("alice/calc", number, body="1 + 1 gives 0")
    studio.bob.close_issue("alice/calc", number)
    again = studio.repo().get_issue(number)
    assert (again.state, again.body, again.closed_by.login) == ("closed", "1 + 1 gives 0", "bob")
    studio.github.settle()
    assert studio.receiver.names() == [
        "issues.opened",
        "issues.labeled",
        "issues.labeled",
        "issues.edited",
        "issues.closed",
    ]
    edited = studio.receiver.named("issues", "edited")[0].payload
    assert edited["changes"] == {"body": {"from": "1 + 1 = 0"}}
    labeled = studio.receiver.named("issues", "labeled")[1].payload
    assert labeled["sender"]["login"] == "fixgate[bot]"
    assert labeled["sender"]["type"] == "Bot"


def test_one_comment_edited_in_place(studio: Studio) -> None:
    number = studio.bob.open_issue("alice/calc", "add is wrong")
    issue = studio.repo().get_issue(number)
    comment = issue.create_comment("working on it")
    comment.edit("here is a test")
    listed = list(studio.repo().get_issue(number).get_comments())
    assert [(one.body, one.user.login) for one in listed] == [("here is a test", "fixgate[bot]")]
    studio.github.settle()
    told = studio.receiver.named("issue_comment", "created")[0].payload
    assert told["comment"]["performed_via_github_app"]["slug"] == "fixgate"
    comment.delete()
    assert studio.repo().get_issue(number).comments == 0


def test_the_app_edits_only_its_own_comments(studio: Studio) -> None:
    number = studio.bob.open_issue("alice/calc", "add is wrong")
    identity = studio.bob.comment("alice/calc", number, "/fixgate help")
    (comment,) = studio.repo().get_issue(number).get_comments()
    assert comment.id == identity
    with pytest.raises(pygithub.GithubException) as refused:
        comment.edit("x")
    assert refused.value.status == 403
    assert comment.create_reaction("eyes").content == "eyes"
    assert comment.create_reaction("eyes").id == comment.create_reaction("eyes").id


def test_labels(studio: Studio) -> None:
    number = studio.bob.open_issue("alice/calc", "add is wrong")
    issue = studio.repo().get_issue(number)
    issue.add_to_labels("needs-reproduction", "bug")
    issue.remove_from_labels("bug")
    again = studio.repo().get_issue(number)
    assert [label.name for label in again.labels] == ["needs-reproduction"]
    assert set(studio.github.repository("alice/calc").labels) == {"needs-reproduction", "bug"}


def test_lists_come_in_pages(studio: Studio) -> None:
    issue = studio.bob.open_issue("alice/calc", "It breaks")
    for number in range(1, 8):
        studio.bob.comment("alice/calc", issue, f"Comment {number}")

    def told(page: requests.Response) -> list[str]:
        return [one["body"].removeprefix("Comment ") for one in page.json()]

    call = studio.call()
    first = call("GET", f"/repos/alice/calc/issues/{issue}/comments?per_page=2")
    assert told(first) == ["1", "2"]
    assert set(first.links) == {"next", "last"}
    second = call("GET", first.links["next"]["url"])
    assert told(second) == ["3", "4"]
    assert set(second.links) == {"next", "last", "prev", "first"}
    assert told(call("GET", first.links["last"]["url"])) == ["7"]
    assert len(list(studio.repo().get_issue(issue).get_comments())) == 7


def test_people_need_the_right_role(studio: Studio) -> None:
    number = studio.bob.open_issue("alice/calc", "add is wrong")
    for refused in (
        lambda: studio.eve.open_issue("alice/calc", "I see nothing"),
        lambda: studio.eve.comment("alice/calc", number, "hello"),
        lambda: studio.eve.push("alice/calc", "main", {"a": "b"}),
    ):
        with pytest.raises(RefusedError, match="Must have"):
            refused()
    studio.github.grant("alice/calc", "eve", "read")
    studio.eve.comment("alice/calc", number, "hello")
    with pytest.raises(RefusedError, match="triage"):
        studio.eve.label("alice/calc", number, "bug")


def test_permissions_are_told_in_old_and_new_words(studio: Studio) -> None:
    expected = {
        "alice": ("admin", "admin"),
        "bob": ("write", "write"),
        "eve": ("none", "none"),
        "mia": ("write", "maintain"),
        "tom": ("read", "triage"),
    }
    for login, role in (("mia", "maintain"), ("tom", "triage")):
        studio.github.add_user(login)
        studio.github.grant("alice/calc", login, role)
    call = studio.call(permissions={"metadata": "read"})
    for login, told in expected.items():
        got = call("GET", f"/repos/alice/calc/collaborators/{login}/permission").json()
        assert (got["permission"], got["role_name"]) == told
