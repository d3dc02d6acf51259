from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.demo.simulator import ApiLimits, GitHubSimulator
from tests.demo.simulator.conftest import EVENTS, PERMISSIONS, Client, Receiver, Studio, build


def test_deliveries_are_signed(studio: Studio) -> None:
    studio.bob.open_issue("alice/calc", "Ünïcödé 🐞")
    studio.github.settle()
    hook = studio.receiver.hooks[0]
    assert hook.signed_with("s3cret")
    assert not hook.signed_with("other")
    assert hook.headers["User-Agent"].startswith("GitHub-Hookshot/")
    assert hook.headers["X-GitHub-Hook-Installation-Target-ID"] == str(studio.app.app_id)
    assert hook.headers["X-GitHub-Hook-Installation-Target-Type"] == "integration"
    assert hook.payload["installation"]["id"] == studio.installation
    assert hook.payload["repository"]["full_name"] == "alice/calc"
    assert "organization" not in hook.payload


def test_events_of_organisations_name_them(studio: Studio) -> None:
    studio.github.add_organization("acme")
    studio.github.add_repository("acme/tool")
    studio.github.grant("acme/tool", "bob", "write")
    studio.alice.install(studio.app.app_id, "acme")
    studio.bob.open_issue("acme/tool", "It breaks")
    studio.github.settle()
    assert studio.receiver.hooks[-1].payload["organization"]["login"] == "acme"
    assert studio.receiver.hooks[-1].payload["issue"]["author_association"] == "MEMBER"


def test_a_failed_delivery_is_not_tried_again(studio: Studio) -> None:
    studio.receiver.status = 503
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert len(studio.receiver.hooks) == 1
    last = studio.github.deliveries[-1]
    assert (last.status_code, last.status) == (503, "Invalid HTTP Response: 503")
    assert not last.succeeded


def test_redelivery_keeps_the_name(studio: Studio) -> None:
    studio.receiver.status = 500
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    studio.receiver.status = 202
    listed = studio.as_app("GET", "/app/hook/deliveries?status=failure").json()
    failed = [one for one in listed if one["status_code"] == 500]
    assert [(one["event"], one["action"], one["redelivery"]) for one in failed] == [
        ("issues", "opened", False)
    ]
    path = f"/app/hook/deliveries/{failed[0]['id']}/attempts"
    assert studio.as_app("POST", path).status_code == 202
    studio.github.settle()
    first, second = studio.receiver.hooks
    assert (first.guid, first.body) == (second.guid, second.body)
    newest = studio.as_app("GET", "/app/hook/deliveries?per_page=1").json()[0]
    assert (newest["guid"], newest["redelivery"], newest["status"]) == (first.guid, True, "OK")


def test_deliveries_are_listed_behind_a_cursor(studio: Studio) -> None:
    for number in range(5):
        studio.bob.open_issue("alice/calc", f"Issue {number}")
    studio.github.settle()
    page = studio.as_app("GET", "/app/hook/deliveries?per_page=3")
    seen = [one["id"] for one in page.json()]
    while "next" in page.links:
        page = studio.as_app("GET", page.links["next"]["url"])
        seen += [one["id"] for one in page.json()]
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == len(set(seen)) == len(studio.github.deliveries)
    studio.github.advance(4 * 86_400)
    assert studio.as_app("GET", "/app/hook/deliveries").json() == []


def test_a_slow_answer_is_a_failure(receiver: Receiver) -> None:
    with GitHubSimulator(limits=ApiLimits(webhook_seconds=0.3)) as github:
        studio = build(github, receiver)
        receiver.delay = 1.0
        studio.bob.open_issue("alice/calc", "It breaks")
        github.settle()
        assert (github.deliveries[-1].status, github.deliveries[-1].status_code) == ("timed out", 0)


def test_nobody_answers(studio: Studio) -> None:
    studio.github.change_app(studio.app.app_id, webhook_url="http://127.0.0.1:9/")
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert studio.github.deliveries[-1].status == "failed to connect to host"


def test_only_what_was_subscribed_to_is_sent(studio: Studio) -> None:
    studio.github.change_app(studio.app.app_id, events=["issues"])
    studio.alice.accept_permissions(studio.installation)
    studio.pull()
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert studio.receiver.names() == [
        "installation.new_permissions_accepted",
        "check_suite.requested",
        "issues.opened",
    ]


INSTALLATION: list[tuple[Callable[[Studio], object], str]] = [
    (lambda s: s.alice.suspend(s.installation), "installation.suspend"),
    (lambda s: s.alice.unsuspend(s.installation), "installation.unsuspend"),
    (lambda s: s.alice.uninstall(s.installation), "installation.deleted"),
]


@pytest.mark.parametrize(("act", "name"), INSTALLATION)
def test_the_app_hears_of_its_installation(
    studio: Studio, act: Callable[[Studio], object], name: str
) -> None:
    act(studio)
    studio.github.settle()
    assert studio.receiver.names() == [name]


def test_nothing_is_sent_while_suspended(studio: Studio) -> None:
    studio.alice.suspend(studio.installation)
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.github.settle()
    assert studio.receiver.names() == ["installation.suspend"]


def test_a_new_app_is_pinged(receiver: Receiver) -> None:
    with GitHubSimulator() as github:
        studio = build(github, receiver)
        pings = [one for one in github.deliveries if one.parcel.event == "ping"]
        assert pings[0].parcel.payload["hook"]["app_id"] == studio.app.app_id


def test_nobody_waits_for_the_app(studio: Studio) -> None:
    studio.receiver.gate.clear()
    studio.bob.open_issue("alice/calc", "It breaks")
    studio.bob.comment("alice/calc", 1, "/fixgate reproduce")
    assert studio.receiver.hooks == []
    with pytest.raises(TimeoutError, match="2 webhooks"):
        studio.github.settle(0.1)
    studio.receiver.gate.set()
    studio.github.settle()
    assert studio.receiver.names() == ["issues.opened", "issue_comment.created"]


def test_apps_do_not_hear_of_each_other(studio: Studio) -> None:
    other = studio.github.create_app(
        "other",
        PERMISSIONS,
        EVENTS,
        owner="alice",
        webhook_url=studio.receiver.url,
        secret="other",
        private_key=studio.app.private_key,
    )
    studio.alice.install(other.app_id)
    head = studio.github.repository("alice/calc").git.resolve("main")
    studio.repo().create_check_run("fixgate", head, status="queued")
    studio.github.settle()
    runs = studio.receiver.named("check_run", "created")
    assert [run.signed_with("s3cret") for run in runs] == [True]
    listed = Client(studio.github.api_url, studio.jwt(iss=other.client_id))
    events = {one["event"] for one in listed("GET", "/app/hook/deliveries").json()}
    assert events == {"ping", "installation"}
