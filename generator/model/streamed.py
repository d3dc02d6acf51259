"""What asking has in common for both vendors' packages, which are of one make.

Both raise `APIStatusError`, `APIConnectionError` and `APIError`. Both would retry by themselves,
but only until a stream begins, and with no regard to deadlines; that is turned off, so that one set
of rules holds for everything that goes wrong.

The reading happens in a thread of its own: only so do bounds hold whatever the reader is stuck in,
be it name resolution, the handshake, or comment lines that keep a connection warm and say nothing.
"""

from __future__ import annotations

import abc
import contextlib
import queue
import ssl
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from generator.errors import ModelError, ModelRefusedError
from generator.model.endpoint import Endpoint
from generator.model.protocol import JsonObject, Message, Parameters, Reply, Tool
from generator.model.retries import (
    ModelRetryPolicy,
    TransientError,
    garbage,
    refusal,
    seconds_left,
    time_is_up,
    timed_out_reading,
    unreachable,
    with_retries,
)

Chunk = TypeVar("Chunk", covariant=True)


class Stream(Protocol[Chunk]):
    """What both vendors' packages return for a streamed reply."""

    def __iter__(self) -> Iterator[Chunk]:
        """The chunks as they come."""
        ...

    def close(self) -> None:
        """Give the connection up."""
        ...


@dataclass(frozen=True)
class _Ended:
    """The last thing in the queue; `error` is what the reader died of, if it did."""

    error: Exception | None = None


def watched(begin: Callable[[], Stream[Chunk]], retry_policy: ModelRetryPolicy) -> Generator[Chunk]:
    """The chunks of the stream that `begin` requests, each within the bounds.

    Raises what reading raises, TransientError on a stall, and LimitReachedError at a deadline. The
    connection is given up whenever iteration ends before the stream does.
    """
    reader = _Reader(begin)
    end = time.monotonic() + retry_policy.reply_seconds
    try:
        while not isinstance(item := _next(reader, retry_policy, end), _Ended):
            yield item
    finally:
        reader.give_up()
    if item.error is not None:
        raise item.error


class _Reader(Generic[Chunk]):
    def __init__(self, begin: Callable[[], Stream[Chunk]]) -> None:
        self._begin = begin
        self._stream: Stream[Chunk] | None = None
        self._unwanted = threading.Event()
        self.queue: queue.SimpleQueue[Chunk | _Ended] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="model reply", daemon=True).start()

    def give_up(self) -> None:
        """Let the thread end at its next byte, or by its own read timeout."""
        self._unwanted.set()
        if (stream := self._stream) is not None:
            with contextlib.suppress(Exception):
                stream.close()

    def _read(self) -> None:
        try:
            with contextlib.closing(self._begin()) as self._stream:
                for chunk in self._stream:
                    if self._unwanted.is_set():
                        return
                    self.queue.put(chunk)
        except Exception as error:  # raised where the reply is waited for
            # What its frames hold of the packages' generators ends now. The collector would end it
            # at any moment, such as while another package is being imported.
            traceback.clear_frames(error.__traceback__)
            self.queue.put(_Ended(error))
        else:
            self.queue.put(_Ended())


def stalled(retry_policy: ModelRetryPolicy) -> TransientError:
    """The error for a reply of which nothing came for too long."""
    return TransientError(f"the reply stalled: nothing came for {retry_policy.stall_seconds:g} s")


def _next(reader: _Reader[Chunk], retry_policy: ModelRetryPolicy, end: float) -> Chunk | _Ended:
    whole = end - time.monotonic()
    left = seconds_left()
    try:
        return reader.queue.get(timeout=max(min(retry_policy.stall_seconds, whole, left), 0.0))
    except queue.Empty:
        pass
    if left <= min(retry_policy.stall_seconds, whole):
        raise time_is_up()
    if whole <= retry_policy.stall_seconds:
        raise TransientError(f"no whole reply came within {retry_policy.reply_seconds:g} s")
    raise stalled(retry_policy)


OtherWords = Mapping[str, Callable[[JsonObject], object]]
"""For each parameter that may be refused, what puts a request in other words, in place."""


class Dialect:
    """What an endpoint turned out not to take; each parameter is put in other words once.

    Safe for several threads.
    """

    def __init__(self, other_words: OtherWords) -> None:
        self._other_words = other_words
        self._refused: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def put(self, request: JsonObject) -> tuple[JsonObject, int]:
        """The request in the endpoint's words, and how many parameters were learned."""
        worded, refused = dict(request), self._refused
        for parameter in refused:
            self._other_words[parameter](worded)
        return worded, len(refused)

    def learn(self, refusal: str, version: int) -> bool:
        """Whether a refusal taught something, so that the request is worth putting again.

        `version` is the number that came with the request that was refused.
        """
        with self._lock:
            for parameter in self._other_words:
                if parameter in refusal and parameter not in self._refused:
                    self._refused += (parameter,)
                    break
            return len(self._refused) > version


NO_KEY = "no-key"
"""Sent where there is no key: the packages do not go without, and local servers ignore it."""

CONNECT_SECONDS = 20.0
_SEEMED_WELL = 200


class Parts(Protocol):
    """Puts the chunks of one streamed reply together."""

    @property
    def complete(self) -> bool:
        """Whether the endpoint said that it was done."""
        ...

    def add(self, chunk: Any) -> None:
        """Take in a chunk; raises AttributeError, LookupError or TypeError where it is none."""
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
        retry_policy: ModelRetryPolicy | None = None,
    ) -> None:
        self.name = name
        self.calls_tools = calls_tools
        self.endpoint = endpoint
        self.retry_policy = retry_policy or ModelRetryPolicy()
        self._dialect = Dialect(self.other_words)
        self._create: Callable[..., Stream[Any]] | None = None
        self._making = threading.Lock()

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask, again where that helps, for one whole reply."""
        request = self.request(messages, parameters, tools)
        return with_retries(lambda: self._attempt(request), self.retry_policy).reply(messages)

    @abc.abstractmethod
    def package(self) -> Any:
        """The vendor's package, loaded now if need be: that takes most of a second."""

    def connection_errors(self) -> tuple[type[Exception], ...]:
        """What is raised where a connection fails or breaks."""
        return (self.package().APIConnectionError,)

    @abc.abstractmethod
    def make_create(self) -> Callable[..., Stream[Any]]:
        """The `create` of a client of the package that does not retry."""

    @abc.abstractmethod
    def request(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> JsonObject:
        """The arguments of the package's call."""

    @abc.abstractmethod
    def parts(self) -> Parts:
        """Something to put this vendor's chunks into."""

    def http_client(self) -> Any:
        """An HTTP client of the package that trusts the endpoint, closed when this model goes."""
        client = self.package().DefaultHttpxClient(verify=_trusted(self.endpoint))
        weakref.finalize(self, client.close)
        return client

    def _created(self) -> Callable[..., Stream[Any]]:
        """Made when first needed, before the clock runs: loading takes its time."""
        with self._making:
            if self._create is None:
                self._create = self.make_create()
            return self._create

    def _attempt(self, request: JsonObject) -> Parts:
        """One attempt; a request that is refused for a parameter is put in other words first."""
        while True:
            worded, version = self._dialect.put(request)
            try:
                with self.our_errors():
                    return self._streamed(worded)
            except ModelRefusedError as error:
                if not self._dialect.learn(str(error), version):
                    raise

    @contextlib.contextmanager
    def our_errors(self) -> Iterator[None]:
        """Raise our errors in place of the package's, whose texts and requests may hold the key."""
        package = self.package()
        try:
            yield
        except package.APIStatusError as error:
            raise self._refused(error) from None
        except self.connection_errors() as error:
            if timed_out_reading(error):
                raise stalled(self.retry_policy) from None
            raise unreachable(self.endpoint, error) from None
        except package.APIError as error:  # sent in a stream, after a status of success
            body = error.body or error.message
            raise refusal(self.endpoint, self.name, _SEEMED_WELL, body, {}) from None
        except ValueError as error:  # what came is no JSON, or no text at all
            raise garbage(self.endpoint, f"what cannot be read ({error})") from None

    def _streamed(self, request: JsonObject) -> Parts:
        parts, create = self.parts(), self._created()
        if not self._read_into(parts, lambda: create(**request)):
            parts = self.unstreamed(request)
        if not parts.complete:
            raise garbage(self.endpoint, "half a reply")
        return parts

    def unstreamed(self, _request: JsonObject) -> Parts:
        """What to do about a stream that ended before it began."""
        raise garbage(self.endpoint, "a stream with nothing in it")

    def whole(self, request: JsonObject) -> Parts:
        """Ask for the reply in one piece."""
        parts, create = self.parts(), self._created()
        self._read_into(parts, lambda: _OnePiece(create(**request)))
        return parts

    def _read_into(self, parts: Parts, begin: Callable[[], Stream[Any]]) -> int:
        """Take in all chunks of a stream; returns how many there were.

        The connection is given up at once where one is not taken.
        """
        count = 0
        with contextlib.closing(watched(begin, self.retry_policy)) as chunks:
            for chunk in chunks:
                self._add(parts, chunk)
                count += 1
        return count

    def _add(self, parts: Parts, chunk: Any) -> None:
        """Take in a chunk, of which the packages check no shapes."""
        try:
            parts.add(chunk)
        except (AttributeError, LookupError, TypeError) as error:
            raise garbage(self.endpoint, f"a chunk of a shape of its own ({error})") from None

    def _refused(self, error: Any) -> ModelError:
        body = error.message if error.body is None else error.body
        return refusal(self.endpoint, self.name, error.status_code, body, error.response.headers)


class _OnePiece:
    """A whole reply as a stream of one chunk."""

    def __init__(self, reply: object) -> None:
        self._reply = reply

    def __iter__(self) -> Iterator[object]:
        return iter((self._reply,))

    def close(self) -> None:
        """Nothing is left open."""


def _trusted(endpoint: Endpoint) -> ssl.SSLContext | bool:
    """What to verify certificates by; True stands for the system's and SSL_CERT_FILE."""
    if endpoint.ca_bundle is None:
        return True
    trusted = ssl.create_default_context()
    trusted.load_verify_locations(cafile=endpoint.ca_bundle)
    return trusted
