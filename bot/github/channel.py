"""Receives webhooks through a channel of smee.io, for an App that GitHub cannot reach.

The channel sends each webhook as a message of a stream of events: a JSON object with the headers
and, as JSON too, the body. https://html.spec.whatwg.org/multipage/server-sent-events.html
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NoReturn

import requests

from bot.errors import ConfigurationError, GitHubError

DEFAULT_SITE: Final = "https://smee.io"
LONGEST_SILENCE: Final = 90.0
"""Seconds; a channel says every thirty that it is there."""
LONGEST_OUTAGE: Final = 600.0
_WAITS: Final = (1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between attempts to connect; the last one again and again."""
_PASSED_ON: Final = re.compile(r"x-(?:github|hub)-[a-z0-9-]+|content-type|user-agent")
_BETWEEN: Final = re.compile(r"[\s,:]*")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ChannelWebhook:
    """A webhook as GitHub sent it to the channel."""

    headers: Mapping[str, str]
    body: bytes


def new_channel(site: str = DEFAULT_SITE) -> str:
    """The address of a channel that nobody else knows. Raises GitHubError."""
    try:
        answer = requests.get(f"{site}/new", allow_redirects=False, timeout=LONGEST_SILENCE)
    except requests.RequestException as error:
        raise GitHubError(f"{site} does not answer: {type(error).__name__}") from error
    place = answer.headers.get("Location", "")
    if not place.startswith(f"{site}/"):
        raise GitHubError(f"{site}/new leads to no channel ({answer.status_code})")
    return place


def receive(channel: str, target: str) -> NoReturn:
    """Hand the webhooks of a channel to an address, until the process is ended.

    Raises ConfigurationError where the channel cannot be reached for ten minutes.
    """
    heard, failures = time.monotonic(), 0
    while True:
        try:
            for message in _messages(channel):
                heard, failures = time.monotonic(), 0
                if message:
                    _hand_over(webhook_of(message), target)
        except (requests.RequestException, ValueError) as error:
            _log.warning("%s is interrupted: %s", channel, error)
        if time.monotonic() - heard > LONGEST_OUTAGE:
            raise ConfigurationError(f"{channel} cannot be reached: is the address right?")
        time.sleep(_WAITS[min(failures, len(_WAITS) - 1)])
        failures += 1


def messages(lines: Iterable[bytes]) -> Iterator[str]:
    """The data of each event of a stream; "" for events that are no message."""
    data: list[str] = []
    kind = "message"
    for line in lines:
        name, _, value = line.decode("utf-8", "replace").partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name == "event":
            kind = value.removeprefix(" ")
        elif not line:
            yield "\n".join(data) if kind == "message" else ""
            data, kind = [], "message"


def webhook_of(message: str) -> ChannelWebhook:
    """The webhook in a message. Raises ValueError where there is none.

    GitHub's signature is over each character of the body, so that it is not written anew.
    """
    found = json.loads(message)
    if not isinstance(found, dict) or "body" not in found:
        raise ValueError("the channel sent something that is no webhook")
    headers = {
        name: value
        for name, value in found.items()
        if isinstance(value, str) and _PASSED_ON.fullmatch(name)
    }
    return ChannelWebhook(headers, _text_of(message, "body").encode())


def _text_of(message: str, wanted: str) -> str:
    """The value of a key of a JSON object, as it is written there."""
    decoder, at = json.JSONDecoder(), message.index("{") + 1
    while True:
        name, at = decoder.raw_decode(message, _behind(message, at))
        begin = _behind(message, at)
        _, at = decoder.raw_decode(message, begin)
        if name == wanted:
            return message[begin:at]


def _behind(message: str, at: int) -> int:
    """Where the next key or value begins."""
    between = _BETWEEN.match(message, at)
    assert between is not None  # it may be empty
    return between.end()


def _messages(channel: str) -> Iterator[str]:
    accepted = {"Accept": "text/event-stream"}
    timeout = (LONGEST_SILENCE, LONGEST_SILENCE)
    with requests.get(channel, headers=accepted, stream=True, timeout=timeout) as stream:
        stream.raise_for_status()
        _log.info("listening to %s", channel)
        yield from messages(stream.iter_lines(chunk_size=None))


def _hand_over(webhook: ChannelWebhook, target: str) -> None:
    """Errors are logged: GitHub takes the channel's word that all has arrived."""
    try:
        answer = requests.post(target, webhook.body, headers=webhook.headers, timeout=30)
    except requests.RequestException as error:
        _log.warning("%s did not take a webhook: %s", target, error)
        return
    event = webhook.headers.get("x-github-event", "")
    _log.info("%s was answered by %d", event, answer.status_code)
