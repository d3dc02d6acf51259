"""The client of a channel: its stream of events, and the webhooks in it as GitHub signed them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import GitHubError
from bot.github.channel import messages, new_channel, webhook_of
from tests.web.smee import SmeeChannel

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def lines(text: str) -> list[bytes]:
    return text.encode().split(b"\n")


def test_events_are_read_as_the_specification_says() -> None:
    stream = (
        "event: ready\ndata: {}\n\n: a comment\nid: 7\ndata: one\ndata:two\n\nevent:ping\n"
        "data: {}\n\ndata: three\n\ndata: cut off"
    )
    assert list(messages(lines(stream))) == ["", "one\ntwo", "", "three"]


@given(
    body=JSON, before=st.dictionaries(st.text(), JSON, max_size=2), indent=st.sampled_from([0, 2])
)
def test_the_body_stays_as_it_is_written(
    body: object, before: dict[str, object], indent: int
) -> None:
    before.pop("body", None)
    written = json.dumps(body, indent=indent or None)
    others = "".join(
        f"{json.dumps(name)} : {json.dumps(value)},\n" for name, value in before.items()
    )
    found = webhook_of(f'{{ {others}"body":{written}, "timestamp": 1}}')
    assert found.body == written.encode()


def test_only_what_github_says_of_a_webhook_is_passed_on() -> None:
    told = {
        "x-github-event": "issues",
        "x-hub-signature-256": "sha256=0",
        "content-type": "application/json",
        "host": "smee.example",
        "authorization": "Basic x",
        "x-forwarded-for": "192.0.2.1",
        "body": {},
        "query": {},
    }
    headers = webhook_of(json.dumps(told)).headers
    assert set(headers) == {"x-github-event", "x-hub-signature-256", "content-type"}


@pytest.mark.parametrize("message", ["", "[]", "3", '{"query": {}}', "{"])
def test_what_is_no_webhook_is_refused(message: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        webhook_of(message)


def test_a_channel_is_made() -> None:
    with SmeeChannel() as smee:
        assert new_channel(smee.site) == smee.address


def test_a_site_that_makes_no_channels_is_named() -> None:
    with SmeeChannel() as smee, pytest.raises(GitHubError, match="leads to no channel"):
        new_channel(f"{smee.site}/elsewhere")
