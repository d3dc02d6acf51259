from __future__ import annotations

from dataclasses import replace

import pytest

from bot.demo.simulator import Faults
from bot.errors import ForbiddenError, NotFoundError
from bot.github.types import Permission
from tests.github.conftest import Room

MARKER = "<!-- fixgate:issue:1 -->"


def _issue(room: Room) -> int:
    return room.studio.bob.open_issue("alice/calc", "It breaks", "With a traceback.")


def test_an_issue(room: Room) -> None:
    number = room.studio.bob.open_issue("alice/calc", "It breaks", "Help", ["bug"])
    issue = room.repository().issue(number)
    assert (issue.number, issue.title, issue.text) == (number, "It breaks", "Help")
    assert (issue.user.login, issue.label_names, issue.is_open) == ("bob", ("bug",), True)
    room.studio.bob.close_issue("alice/calc", number)
    assert not room.repository(write=False).issue(number).is_open


def test_there_is_no_such_issue(room: Room) -> None:
    with pytest.raises(NotFoundError, match="/repos/alice/calc/issues/9: 404"):
        room.repository().issue(9)
    pull = room.studio.pull()
    with pytest.raises(NotFoundError, match="is a pull request, not an issue"):
        room.repository().issue(pull)


def test_one_comment_is_edited_in_place(room: Room) -> None:
    number, repository = _issue(room), room.repository()
    first = repository.put_comment(number, MARKER, f"{MARKER}\nWorking on it")
    again = room.repository().put_comment(number, MARKER, f"{MARKER}\nDone")
    assert first == again
    (shown,) = room.github.repository("alice/calc").issues[number].comments
    assert shown.body == f"{MARKER}\nDone"


def test_the_marker_is_added_where_it_is_missing(room: Room) -> None:
    number, repository = _issue(room), room.repository()
    ids = {repository.put_comment(number, MARKER, "Done") for _ in "ab"}
    assert len(ids) == 1
    assert room.asked("PATCH", f"/comments/{ids.pop()}") == 0


def test_a_second_comment_of_a_request_that_was_late_goes_away(room: Room) -> None:
    number, repository = _issue(room), room.repository()
    first = repository.put_comment(number, MARKER, f"{MARKER}\nWorking on it")
    comments = room.github.repository("alice/calc").issues[number].comments
    late = replace(comments[0], id=room.github.world.new_id())
    comments.append(late)
    assert repository.put_comment(number, MARKER, f"{MARKER}\nDone") == first
    (shown,) = room.github.repository("alice/calc").issues[number].comments
    assert (shown.id, shown.body) == (first, f"{MARKER}\nDone")


def test_others_cannot_take_the_comment_over(room: Room) -> None:
    number = _issue(room)
    fake = room.studio.bob.comment("alice/calc", number, f"{MARKER} mine")
    mine = room.repository().put_comment(number, MARKER, "Done")
    assert mine != fake
    bodies = [one.body for one in room.github.repository("alice/calc").issues[number].comments]
    assert bodies == [f"{MARKER} mine", f"{MARKER}\nDone"]


def test_a_comment_that_quotes_a_marker_is_another_one(room: Room) -> None:
    number, repository = _issue(room), room.repository()
    other = MARKER.replace("fixgate:", "fixgate:other:")
    quoting = repository.put_comment(number, other, f"{other}\nsomebody wrote {MARKER}")
    assert repository.put_comment(number, MARKER, "Done") != quoting
    bodies = [one.body for one in room.github.repository("alice/calc").issues[number].comments]
    assert bodies == [f"{other}\nsomebody wrote {MARKER}", f"{MARKER}\nDone"]


def test_a_comment_is_found_behind_many(room: Room) -> None:
    number = _issue(room)
    for _ in range(130):
        room.studio.bob.comment("alice/calc", number, "+1")
    first = room.repository().put_comment(number, MARKER, "a")
    for _ in range(80):
        room.studio.bob.comment("alice/calc", number, "+1")
    assert room.repository().put_comment(number, MARKER, "b") == first


@pytest.mark.parametrize("seed", range(3))
def test_faults_leave_one_comment(room: Room, seed: int) -> None:
    number, repository = _issue(room), room.repository()
    room.github.use(Faults(seed=seed, errors=0.1, limited=0.1, dropped=0.1, lost=0.3))
    for text in ("a", "b", "c"):
        repository.put_comment(number, MARKER, text)
    (shown,) = room.github.repository("alice/calc").issues[number].comments
    assert shown.body == f"{MARKER}\nc"


def test_comments_on_pulls(room: Room) -> None:
    number = room.studio.pull()
    room.repository().put_comment(number, MARKER, "a")
    assert len(room.github.repository("alice/calc").issues[number].comments) == 1


def test_reactions_are_kept_once(room: Room) -> None:
    number = _issue(room)
    comment = room.studio.bob.comment("alice/calc", number, "/fixgate verify")
    for _ in "ab":
        room.repository().react(comment, "eyes")
    (shown,) = room.github.repository("alice/calc").issues[number].comments
    assert [one.content for one in shown.reactions] == ["eyes"]
    with pytest.raises(NotFoundError):
        room.repository().react(1, "eyes")


def test_labels_come_and_go(room: Room) -> None:
    number, repository = _issue(room), room.repository()
    for present in (True, True, False, False, True):
        repository.set_label(number, "area/needs: reproduction? é", present=present)
        expected = ("area/needs: reproduction? é",) if present else ()
        assert repository.issue(number).label_names == expected


def test_readers_may_not_write(room: Room) -> None:
    number = _issue(room)
    with pytest.raises(ForbiddenError, match="the App may not do this"):
        room.repository(write=False).put_comment(number, MARKER, "a")


def test_permissions(room: Room) -> None:
    room.github.add_user("carol")
    for role in ("read", "triage", "write", "maintain", "admin"):
        room.github.grant("alice/calc", "carol", role)
        found = room.repository().permission("carol")
        assert found is Permission(role)
        assert found.may_write == (role in ("write", "maintain", "admin"))


def test_strangers_may_do_nothing(room: Room) -> None:
    assert room.repository().permission("eve") is Permission.NONE
    assert room.repository().permission("nobody/../at all") is Permission.NONE
