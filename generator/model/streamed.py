"""What asking has in common for both vendors' packages, which are of one make.

Both raise `APIStatusError`, `APIConnectionError` and `APIError`, and both would retry by
themselves; they are told not to, so that one set of rules holds for everything that goes wrong.
"""

from __future__ import annotations

import abc
import threading
from collections.abc import Sequence
from typing import Any, Protocol

from generator.errors import ModelError, ModelRefusedError
from generator.model.dialect import Dialect, JsonObject, OtherWords
from generator.model.endpoint import Endpoint
from generator.model.patience import Patience, persist
from generator.model.protocol import Message, Parameters, Reply, Tool
from generator.model.refusals import garbage, refusal, unreachable
from generator.model.stream import Stream, watched

NO_KEY = "no-key"
"""Sent where there is no key: the packages do not go without, and local servers ignore it."""

CONNECT_SECONDS = 20.0
_BAD_REQUEST = 400
_SEEMED_WELL = 200


class Parts(Protocol):
    """Puts the chunks of one streamed reply together."""

    @property
    def complete(self) -> bool:
        """Whether the endpoint said that it was done."""
        ...

    def add(self, chunk: Any) -> None:
        """Take in a chunk; raises AttributeError, TypeError or ValueError where it is none."""
        ...

    def reply(self, asked: Sequence[Message]) -> Reply:
        """The whole reply."""
        ...


class StreamedModel(abc.ABC):
    """One model of one endpoint. Safe to call from several threads.

    Raises, from `reply`: ModelRefusedError, ContextTooLongError, ModelUnavailableError, and
    LimitReachedError where a deadline passes meanwhile.
    """

    other_words: OtherWords

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        *,
        calls_tools: bool = True,
        patience: Patience | None = None,
    ) -> None:
        self.name = name
        self.calls_tools = calls_tools
        self.endpoint = endpoint
        self.patience = patience or Patience()
        self._dialect = Dialect(self.other_words)
        self._client: Any = None
        self._client_lock = threading.Lock()

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask, again where that helps, for one whole reply."""
        request = self.request(messages, parameters, tools)
        return persist(lambda: self._attempt(request), self.patience).reply(messages)

    @abc.abstractmethod
    def package(self) -> Any:
        """The vendor's package, loaded now if need be: that takes most of a second."""

    def connection_errors(self) -> tuple[type[Exception], ...]:
        """What is raised where a connection fails or breaks."""
        return (self.package().APIConnectionError,)

    @abc.abstractmethod
    def make_client(self) -> Any:
        """A client of the package that does not retry."""

    @abc.abstractmethod
    def request(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> JsonObject:
        """The arguments of the package's call."""

    @abc.abstractmethod
    def begin(self, client: Any, request: JsonObject) -> Stream[Any]:
        """Send the request."""

    @abc.abstractmethod
    def parts(self) -> Parts:
        """Something to put this vendor's chunks into."""

    def client(self) -> Any:
        """The client, made when it is first needed."""
        with self._client_lock:
            if self._client is None:
                self._client = self.make_client()
            return self._client

    def _attempt(self, request: JsonObject) -> Parts:
        """One attempt; a request that is refused for a parameter is put in other words first."""
        package = self.package()
        while True:
            worded, version = self._dialect.put(request)
            try:
                return self._streamed(worded)
            except package.APIStatusError as error:
                refused, body, status = self._refused(error), error.body, error.status_code
            except self.connection_errors() as error:
                raise unreachable(self.endpoint, error) from None
            except package.APIError as error:
                raise self._told_in_stream(error) from None
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                raise garbage(self.endpoint, f"what cannot be read ({error})") from None
            learnable = status == _BAD_REQUEST and isinstance(refused, ModelRefusedError)
            if not (learnable and self._dialect.learn(body, version)):
                raise refused

    def _streamed(self, request: JsonObject) -> Parts:
        parts = self.parts()
        streams: list[Stream[Any]] = []

        def begin() -> Stream[Any]:
            streams.append(self.begin(self.client(), request))
            return streams[0]

        for chunk in watched(begin, self.patience):
            parts.add(chunk)
        if not parts.complete:
            raise garbage(self.endpoint, f"half a reply ({_content_type(streams[0])})")
        return parts

    def _refused(self, error: Any) -> ModelError:
        body = error.message if error.body is None else error.body
        return refusal(self.endpoint, self.name, error.status_code, body, error.response.headers)

    def _told_in_stream(self, error: Any) -> ModelError:
        """An error object in a stream, after the status had promised that all was well."""
        return refusal(self.endpoint, self.name, _SEEMED_WELL, error.body or error.message, {})


def _content_type(stream: Any) -> str:
    return str(stream.response.headers.get("content-type", "of no content type"))


def http_client(package: Any, endpoint: Endpoint) -> Any:
    """The HTTP client of a package, which trusts the endpoint's certificates."""
    import ssl

    if endpoint.ca_bundle is None:
        return package.DefaultHttpxClient()
    trusted = ssl.create_default_context()
    trusted.load_verify_locations(cafile=endpoint.ca_bundle)
    return package.DefaultHttpxClient(verify=trusted)
