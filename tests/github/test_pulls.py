from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import NotFoundError
from bot.github.issues import keywords
from tests.github.conftest import Room, check


def test_a_pull_of_a_branch(room: Room) -> None:
    number = room.studio.pull(body="Fixes #1")
    found = room.repository().pull(number)
    assert (found.title, found.text, found.user.login) == ("Fix add", "Fixes #1", "bob")
    assert (found.head.ref, found.base.ref, found.base.sha) == ("fix", "main", room.head())
    assert (found.from_fork, found.draft, found.is_open) == (False, False, True)
    with pytest.raises(NotFoundError):
        room.repository().pull(number + 1)


def _forked(room: Room, branch: str = "patch") -> tuple[int, str]:
    carol = room.github.add_user("carol")
    room.github.grant("alice/calc", "carol", "read")
    fork = carol.fork("alice/calc")
    sha = carol.push(fork, branch, {"calc.py": "fixed\n"})
    return carol.open_pull("alice/calc", branch, "Fix", fork=fork, draft=True), sha


def test_a_pull_of_a_fork(room: Room) -> None:
    number, sha = _forked(room)
    found = room.repository().pull(number)
    assert (found.from_fork, found.draft, found.head.sha) == (True, True, sha)
    assert room.repository().pulls_of(sha) == (number,)


def test_the_open_pulls_of_a_commit(room: Room) -> None:
    number = room.studio.pull()
    repository = room.repository()
    head = repository.pull(number).head.sha
    room.studio.bob.push("alice/calc", "release", {"x": "y"})
    second = room.studio.bob.open_pull("alice/calc", "fix", "Backport", base="release")
    assert repository.pulls_of(head) == (number, second)
    room.studio.bob.close_pull("alice/calc", second)
    assert repository.pulls_of(head) == (number,)
    assert repository.pulls_of(room.head()) == ()


def test_issues_closed_by_keyword_and_by_hand(room: Room) -> None:
    studio, repository = room.studio, room.repository()
    issues = [studio.bob.open_issue("alice/calc", f"Issue {at}") for at in range(4)]
    body = f"Fixes #{issues[2]}, closes alice/calc#{issues[0]}, fixes bob/other#{issues[1]}, see #4"
    number = studio.pull(body=body)
    assert repository.issues_closed_by(number) == (issues[0], issues[2])
    studio.bob.link_issue("alice/calc", number, issues[3])
    assert repository.issues_closed_by(number) == (issues[0], issues[2], issues[3])


def test_keywords_do_not_count_off_the_default_branch(room: Room) -> None:
    issue = room.studio.bob.open_issue("alice/calc", "It breaks")
    room.studio.bob.push("alice/calc", "release", {"x": "y"})
    room.studio.bob.push("alice/calc", "fix", {"calc.py": "fixed\n"})
    number = room.studio.bob.open_pull(
        "alice/calc", "fix", "Fix", f"Fixes #{issue}", base="release"
    )
    assert room.repository().issues_closed_by(number) == ()


def test_numbers_that_are_no_issue_here_are_left_out(room: Room) -> None:
    first = room.studio.pull()
    room.studio.bob.push("alice/calc", "second", {"calc.py": "else\n"})
    body = f"Fixes #{first}. Fixes #99. Fixes #0"
    number = room.studio.bob.open_pull("alice/calc", "second", "Fix", body)
    assert room.repository().issues_closed_by(number) == ()


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("close #1 closes #2 closed #3", (1, 2, 3)),
        ("fix #1 fixes #2 FIXED #3", (1, 2, 3)),
        ("resolve #1 Resolves: #2 resolved #3", (1, 2, 3)),
        ("Fixes Alice/Calc#7", (7,)),
        ("Closes https://github.com/alice/calc/issues/12.", (12,)),
        ("Closes https://github.com/alice/other/issues/12", ()),
        ("fixes bob/calc#7", ()),
        ("fixes #1, #2", (1,)),
        ("fixes #1 and fixes #1", (1,)),
        ("prefixes #1, bugfix #2, hot-fix #3", ()),
        ("fixes 1", ()),
        ("fixes #12a", ()),
        ("fixing #1", ()),
        ("<!-- Fixes #1 -->\nFixes #2", (2,)),
        ("<!-- Fixes #1", ()),
        ("`fixes #1` fixes #2", (2,)),
        ("```\nfixes #1\n```\nfixes #2", (2,)),
        ("~~~ text\nfixes #1", ()),
        ("fixes\n#4", (4,)),
        ("", ()),
    ],
)
def test_keywords(text: str, numbers: tuple[int, ...]) -> None:
    assert keywords(text, "alice/calc") == numbers


@given(st.text(alphabet="fixes #12`~<!->\n "), st.integers(1, 99))
def test_keywords_of_any_text(text: str, number: int) -> None:
    found = keywords(text, "alice/calc")
    assert len(set(found)) == len(found)
    assert keywords(f"<!-- {text.replace('-->', '')} fixes #{number} -->", "alice/calc") == ()


def test_many_backticks_take_no_time() -> None:
    assert keywords("`" * 20_000 + "a" + "``a" * 10_000 + "<!--" * 10_000, "alice/calc") == ()


def test_a_check_on_the_head_of_a_fork(room: Room) -> None:
    _, sha = _forked(room)
    ids = {room.repository().put_check(check(sha)) for _ in "ab"}
    assert {run.id for run in room.github.check_runs("alice/calc", sha)} == ids
