"""Calls to GitHub's REST and GraphQL API: tried again after faults, limits obeyed, errors typed."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from github.Auth import Auth
from github.Requester import Requester
from pydantic import Field
from requests.utils import parse_header_links

from bot.errors import (
    ConflictError,
    ForbiddenError,
    GitHubError,
    NotFoundError,
    RateLimitedError,
)
from bot.github.models import Many, Model, Payload, PayloadError, checked
from bot.github.retrying import ApiRetryPolicy, is_limit, seconds_to_wait
from bot.telemetry import span
from generator.model.secret import Secret

DEFAULT_URL = "https://api.github.com"
_VERSION = "2022-11-28"
_PAGE = 100
_MOST_PAGES: Final = 100
_PART: Final = re.compile(
    r"|api|v3|graphql|repos|actions|branches|check-runs|check-suites|annotations|collaborators|"
    r"permission|comments|commits|contents|git|blobs|heads|issues|labels|pulls|refs?|trees"
)
"""Words of the API's own paths."""


class UncertainError(GitHubError):
    """GitHub failed, or the answer was lost: it may have done what it was asked for, or not."""


class UnauthorizedError(GitHubError):
    """GitHub does not take the key or the token (401), and did nothing."""


class InvalidError(GitHubError):
    """GitHub did not take what was sent (422)."""


@dataclass(frozen=True)
class Request:
    """What is asked of GitHub; `body` is sent as JSON."""

    verb: str
    path: str
    query: Mapping[str, str | int] = field(default_factory=dict)
    body: object = None


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
    """How GitHub is reached: the API's base URL (on Enterprise it ends in /api/v3), and retries.

    `timeout` is in seconds, for one request; `sleep` waits.
    """

    url: str = DEFAULT_URL
    retries: ApiRetryPolicy = field(default_factory=ApiRetryPolicy)
    timeout: int = 30
    sleep: Callable[[float], None] = time.sleep


class Api:
    """The API with one kind of token (None: without). Threads may share it.

    `refused` gets a token that GitHub does not take any more; then one more is asked for, once.
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
            # GithubRetry sleeps for as long as Retry-After says, and repeats every POST.
            retry=None,
            pool_size=None,
            api_version=_VERSION,
        )

    def get(self, model: type[Model], path: str, **query: str | int) -> Model:
        """The object at a path."""
        return checked(model, self.call(Request("GET", path, query)).data())

    def pages(
        self, model: type[Model], path: str, key: str = "", **query: str | int
    ) -> Iterator[Model]:
        """All objects of a list, page by page; `key` names the list where it is in an object."""
        answer = self.call(Request("GET", path, {"per_page": _PAGE, **query}))
        for _ in range(_MOST_PAGES):
            yield from _listed(model, answer.data(), key)
            following = answer.next_page()
            if not following:
                return
            answer = self.call(Request("GET", following))

    def post(
        self, model: type[Model], path: str, body: object = None, *, repeatable: bool = True
    ) -> Model:
        """Make something; what GitHub made. `repeatable` as for `send`."""
        return checked(model, self.send("POST", path, body, repeatable=repeatable).data())

    def send(self, verb: str, path: str, body: object = None, *, repeatable: bool = True) -> Answer:
        """Change something.

        Set `repeatable` only where doing it twice is the same as once: otherwise a fault raises
        UncertainError at once, for the caller to look whether it was done.
        """
        return self.call(Request(verb, path, body=body), repeatable=repeatable)

    def query(self, model: type[Model], text: str, **variables: str | int) -> Model:
        """The data of a GraphQL query (no mutation: it may be asked twice)."""
        body = {"query": text, "variables": variables}
        answer = self.send("POST", self._requester.graphql_url, body)
        found = checked(_QueryAnswer, answer.data())
        for error in found.errors:
            raise _query_error(error, answer)
        return checked(model, found.data)

    def call(self, request: Request, *, repeatable: bool = True) -> Answer:
        """One call, tried again within the bounds of the policy."""
        try:
            return self._retried(request, repeatable)
        except UnauthorizedError:
            if not self._give_back_token():
                raise
            return self._retried(request, repeatable)

    def _give_back_token(self) -> bool:
        """Whether there may be another one."""
        if self._refused is None or self._bearer is None or self._bearer.last is None:
            return False
        self._refused(self._bearer.last)
        return True

    def _retried(self, request: Request, repeatable: bool) -> Answer:
        policy = self._connection.retries
        for attempt in range(policy.attempts - 1):
            try:
                return self._attempt(request, attempt)
            except RateLimitedError as error:
                if error.seconds > policy.longest_wait:
                    raise
                self._connection.sleep(error.seconds)
            except UncertainError:
                if not repeatable:
                    raise
                self._connection.sleep(policy.after_fault(attempt))
        return self._attempt(request, policy.attempts - 1)

    def until_certain(self, do: Callable[[], int]) -> int:
        """Do something again, within the bounds of the policy, while it ends in UncertainError."""
        policy = self._connection.retries
        for attempt in range(policy.attempts - 1):
            try:
                return do()
            except UncertainError:
                self._connection.sleep(policy.after_fault(attempt))
        return do()

    def _attempt(self, request: Request, attempt: int) -> Answer:
        what = f"{request.verb} {request.path}"
        with span(f"GitHub {request.verb}", {"url.template": template(request.path)}):
            try:
                with self._lock:
                    got = self._requester.requestJson(
                        request.verb, request.path, dict(request.query), None, request.body
                    )
            except (requests.RequestException, RuntimeError) as error:
                # RuntimeError: redirected to another host, or to where it came from
                problem = f"{what}: GitHub cannot be reached: {type(error).__name__}"
                raise UncertainError(problem) from error
            answer = Answer(*got)
            if answer.status >= 300:
                raise _refusal(what, answer, attempt)
            return answer


def template(path: str) -> str:
    """A path of the API with `{}` for all names of people, repositories, branches and files."""
    plain = urlsplit(path).path
    return "/".join(part if _PART.fullmatch(part) else "{}" for part in plain.split("/"))


def _listed(model: type[Model], data: object, key: str) -> Iterator[Model]:
    if key:
        data = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(data, list):
        raise PayloadError(key, "should be a list")
    for one in data:
        yield checked(model, one)


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
    problem = f"{what}: {answer.status} {_message(answer)}"
    if is_limit(answer.status, answer.headers, answer.body):
        seconds = seconds_to_wait(answer.headers, attempt)
        return RateLimitedError(f"{problem}; come back in {seconds:.0f} s", seconds=seconds)
    if answer.status >= 500:
        return UncertainError(problem)
    kind, remedy = _ERRORS.get(answer.status, (GitHubError, "GitHub refused"))
    return kind(f"{problem} ({remedy})")


class _Refusal(Payload):
    message: str = ""
    errors: Any = None


def _message(answer: Answer) -> str:
    """GitHub's own words, with what it says about single fields."""
    try:
        found = checked(_Refusal, answer.data())
    except GitHubError:
        return answer.body[:200]
    return f"{found.message} {json.dumps(found.errors)[:500]}" if found.errors else found.message


class _QueryError(Payload):
    type: str = ""
    message: str = "no message"


class _QueryAnswer(Payload):
    errors: Many[_QueryError] = ()
    data: dict[str, Any] = Field(default_factory=dict)


_QUERY_ERRORS: Mapping[str, type[GitHubError]] = {
    "NOT_FOUND": NotFoundError,
    "FORBIDDEN": ForbiddenError,
}


def _query_error(error: _QueryError, answer: Answer) -> GitHubError:
    message = f"GraphQL: {error.message}"
    if error.type == "RATE_LIMITED":
        return RateLimitedError(message, seconds=seconds_to_wait(answer.headers, 0))
    return _QUERY_ERRORS.get(error.type, GitHubError)(message)
