"""Calls to GitHub's REST and GraphQL API: tried again after faults, limits obeyed, errors typed."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import requests
from github.Auth import Auth
from github.Requester import Requester
from requests.utils import parse_header_links

from bot.errors import (
    ConflictError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.patience import Patience, is_limit, seconds_to_wait
from bot.github.reading import Fields
from generator.model.secret import Secret

DEFAULT_URL = "https://api.github.com"
_VERSION = "2022-11-28"
_PAGE = 100
_MOST_PAGES: Final = 100


class UncertainError(GitHubError):
    """GitHub failed, or the answer was lost: it may have done what it was asked for, or not."""


class UnauthorizedError(GitHubError):
    """GitHub does not take the key or the token (401), and did nothing."""


class InvalidError(GitHubError):
    """GitHub did not take what was sent (422)."""


@dataclass(frozen=True)
class Answer:
    """What GitHub answered. `headers` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    body: str

    def data(self) -> object:
        """The JSON in it. Raises GitHubError."""
        try:
            return json.loads(self.body)
        except ValueError:
            raise GitHubError(f"GitHub's answer is no JSON: {self.body[:200]!r}") from None

    def next_page(self) -> str:
        """The address of the next page, or ""."""
        links = parse_header_links(self.headers.get("link", ""))
        return next((link["url"] for link in links if link.get("rel") == "next"), "")


class Bearer(Auth):
    """Authorisation by a token that is asked for anew for every request, as tokens end.

    `last` is the one that was asked for last.
    """

    def __init__(self, token: Callable[[], Secret]) -> None:
        self._token = token
        self.last: Secret | None = None

    @property
    def token_type(self) -> str:
        """The scheme."""
        return "Bearer"

    @property
    def token(self) -> str:
        """The token as it is now. Raises GitHubError."""
        self.last = self._token()
        return self.last.reveal()


@dataclass(frozen=True)
class Connection:
    """How GitHub is reached: the API's base URL (on Enterprise it ends in /api/v3), and patience.

    `timeout` is in seconds, for one request; `sleep` waits.
    """

    url: str = DEFAULT_URL
    patience: Patience = field(default_factory=Patience)
    timeout: int = 30
    sleep: Callable[[float], None] = time.sleep


class Api:
    """The API with one kind of token (None: without). Threads may share it.

    `refused` is told a token that GitHub does not take any more; then one more is asked for, once.
    Every method raises GitHubError: RateLimitedError where a limit lasts too long, NotFoundError,
    ForbiddenError, ConflictError, InvalidError, or UncertainError after all attempts.
    """

    def __init__(
        self,
        connection: Connection,
        token: Callable[[], Secret] | None,
        refused: Callable[[Secret], None] | None = None,
    ) -> None:
        self._connection = connection
        self._refused = refused
        self._bearer = None if token is None else Bearer(token)
        self._lock = threading.Lock()  # a Requester keeps the request under way in itself
        self._requester = Requester(
            auth=self._bearer,
            base_url=connection.url.rstrip("/"),
            timeout=connection.timeout,
            user_agent="fixgate",
            per_page=_PAGE,
            verify=True,
            retry=None,
            pool_size=None,
            api_version=_VERSION,
        )

    def get(self, path: str, **query: str | int) -> Fields:
        """The object at a path."""
        return Fields(self.call("GET", path, query=query).data())

    def pages(self, path: str, key: str = "", **query: str | int) -> Iterator[Fields]:
        """All objects of a list, page by page; `key` names the list where it is in an object."""
        answer = self.call("GET", path, query={"per_page": _PAGE, **query})
        for _ in range(_MOST_PAGES):
            data = answer.data()
            yield from (Fields(data) if key else Fields({"": data})).objects(key)
            following = answer.next_page()
            if not following:
                return
            answer = self.call("GET", following)

    def send(self, verb: str, path: str, body: object = None, *, repeatable: bool = True) -> Fields:
        """Change something; what GitHub answers, if it is an object.

        Set `repeatable` only where doing it twice is the same as once: otherwise a fault raises
        UncertainError at once, for the caller to look whether it was done.
        """
        answer = self.call(verb, path, body=body, repeatable=repeatable)
        data = answer.data() if answer.body else {}
        return Fields(data if isinstance(data, dict) else {})

    def query(self, text: str, **variables: str | int) -> Fields:
        """The data of a GraphQL query (no mutation: it may be asked twice)."""
        url = self._requester.graphql_url
        answer = self.call("POST", url, body={"query": text, "variables": variables})
        fields = Fields(answer.data())
        for error in fields.objects("errors"):
            raise _query_error(error, answer)
        return fields.inside("data")

    def call(
        self,
        verb: str,
        path: str,
        *,
        query: Mapping[str, str | int] | None = None,
        body: object = None,
        repeatable: bool = True,
    ) -> Answer:
        """One call, tried again within the bounds of patience."""
        try:
            return self._patient(verb, path, query, body, repeatable)
        except UnauthorizedError:
            if not self._tell_refused():
                raise
            return self._patient(verb, path, query, body, repeatable)

    def _tell_refused(self) -> bool:
        """Whether there may be another token."""
        if self._refused is None or self._bearer is None or self._bearer.last is None:
            return False
        self._refused(self._bearer.last)
        return True

    def _patient(
        self,
        verb: str,
        path: str,
        query: Mapping[str, str | int] | None,
        body: object,
        repeatable: bool,
    ) -> Answer:
        patience = self._connection.patience
        for attempt in range(patience.attempts - 1):
            try:
                return self._attempt(verb, path, query, body, attempt)
            except RateLimitedError as error:
                if error.seconds > patience.longest_wait:
                    raise
                self._connection.sleep(error.seconds)
            except UncertainError:
                if not repeatable:
                    raise
                self._connection.sleep(patience.after_fault(attempt))
        return self._attempt(verb, path, query, body, patience.attempts - 1)

    def until_certain(self, do: Callable[[], int]) -> int:
        """Do something again, within the bounds of patience, while it ends in UncertainError."""
        patience = self._connection.patience
        for attempt in range(patience.attempts - 1):
            try:
                return do()
            except UncertainError:
                self._connection.sleep(patience.after_fault(attempt))
        return do()

    def _attempt(
        self,
        verb: str,
        path: str,
        query: Mapping[str, str | int] | None,
        body: object,
        attempt: int,
    ) -> Answer:
        try:
            with self._lock:
                got = self._requester.requestJson(verb, path, dict(query or {}), None, body)
        except (requests.RequestException, RuntimeError) as error:
            # RuntimeError: redirected to another host, or to where it came from
            told = f"{verb} {path}: GitHub cannot be reached: {type(error).__name__}"
            raise UncertainError(told) from error
        answer = Answer(*got)
        if answer.status >= 300:
            raise _refusal(f"{verb} {path}", answer, attempt)
        return answer


_ERRORS: Mapping[int, tuple[type[GitHubError], str]] = {
    # No ForbiddenError: it happens with tokens that are seconds old, and passes.
    401: (UnauthorizedError, "the key or the token is not taken; is the App's key still valid?"),
    403: (ForbiddenError, "the App may not do this; see its permissions and its installation"),
    404: (NotFoundError, "it is not there, or the App may not see it"),
    409: (ConflictError, "it has changed meanwhile"),
    410: (NotFoundError, "it is gone, or switched off for the repository"),
    422: (InvalidError, "GitHub does not take it as it is"),
}


def _refusal(what: str, answer: Answer, attempt: int) -> GitHubError:
    told = f"{what}: {answer.status} {_message(answer)}"
    if is_limit(answer.status, answer.headers, answer.body):
        seconds = seconds_to_wait(answer.headers, attempt)
        return RateLimitedError(f"{told}; come back in {seconds:.0f} s", seconds=seconds)
    if answer.status >= 500:
        return UncertainError(told)
    kind, remedy = _ERRORS.get(answer.status, (GitHubError, "GitHub refused"))
    return kind(f"{told} ({remedy})")


def _message(answer: Answer) -> str:
    """GitHub's own words, with what it tells about single fields."""
    try:
        fields = Fields(answer.data())
        told = fields.text("message", "")
    except GitHubError:
        return answer.body[:200]
    errors = fields.list_of_any("errors")
    return f"{told} {json.dumps(errors)[:500]}" if errors else told


_QUERY_ERRORS: Mapping[str, type[GitHubError]] = {
    "NOT_FOUND": NotFoundError,
    "FORBIDDEN": ForbiddenError,
}


def _query_error(error: Fields, answer: Answer) -> GitHubError:
    kind, told = error.text("type", ""), f"GraphQL: {error.text('message', 'no message')}"
    if kind == "RATE_LIMITED":
        return RateLimitedError(told, seconds=seconds_to_wait(answer.headers, 0))
    return _QUERY_ERRORS.get(kind, GitHubError)(told)
