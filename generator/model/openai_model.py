"""Any model behind the protocol of OpenAI: vendors, brokers and servers on the own machine."""

from __future__ import annotations

import functools
import json
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from generator.errors import ModelError, ModelRefusedError
from generator.model.chat import JsonObject, ReplyParts, message_json, tool_json
from generator.model.endpoint import Endpoint
from generator.model.patience import Patience, persist
from generator.model.protocol import Message, Parameters, Reply, Tool
from generator.model.refusals import garbage, refusal, unreachable
from generator.model.stream import Stream, watched

if TYPE_CHECKING:  # loading the package takes most of a second, and most commands need no model
    import openai
    from openai.types.chat import ChatCompletionChunk

_NO_KEY = "no-key"
"""Sent where there is no key: the package does not go without, and local servers ignore it."""

_CONNECT_SECONDS = 20.0


class OpenAIModel:
    """One model of one endpoint. Safe to call from several threads.

    Raises, from `reply`: ModelRefusedError, ContextTooLongError, ModelUnavailableError, and
    LimitReachedError where a deadline passes meanwhile.
    """

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
        self._endpoint = endpoint
        self._patience = patience or Patience()
        self._client_lock = threading.Lock()
        self._dialect = _Dialect()

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask, again where that helps, for one whole reply."""
        request = _request(self.name, messages, parameters, tools)
        parts = persist(lambda: self._parts(request), self._patience)
        return parts.reply(messages)

    def _parts(self, request: JsonObject) -> ReplyParts:
        """One attempt; a request that is refused for a parameter is put in other words first."""
        import openai

        while True:
            worded, version = self._dialect.put(request)
            try:
                return self._streamed(worded)
            except openai.APIStatusError as error:
                refused = self._refused(error)
                if not (
                    isinstance(refused, ModelRefusedError)
                    and isinstance(error, openai.BadRequestError)
                    and self._dialect.learn(error.body, version)
                ):
                    raise refused from None
            except openai.APIConnectionError as error:
                raise unreachable(self._endpoint, error) from None
            except openai.APIError as error:
                raise self._told_in_stream(error) from None
            except (AttributeError, TypeError, ValueError) as error:
                raise garbage(self._endpoint, f"what cannot be read ({error})") from None

    def _streamed(self, request: JsonObject) -> ReplyParts:
        parts = ReplyParts()
        opened: list[openai.Stream[ChatCompletionChunk]] = []

        def begin() -> Stream[ChatCompletionChunk]:
            stream: Any = self._client().chat.completions.create(**request)
            opened.append(stream)
            return opened[0]

        for chunk in watched(begin, self._patience):
            parts.add(chunk)
        if not parts.complete:
            kind = opened[0].response.headers.get("content-type", "no content type")
            raise garbage(self._endpoint, f"half a reply ({kind})")
        return parts

    def _refused(self, error: openai.APIStatusError) -> ModelError:
        body = error.body if error.body is not None else error.message
        return refusal(self._endpoint, self.name, error.status_code, body, error.response.headers)

    def _told_in_stream(self, error: openai.APIError) -> ModelError:
        """An error object in a stream, after the status had promised that all was well."""
        body, code = error.body or error.message, error.code or ""
        status = int(code) if code.isdigit() else 500
        return refusal(self._endpoint, self.name, status, body, {})

    def _client(self) -> openai.OpenAI:
        with self._client_lock:
            return self._made_client

    @functools.cached_property
    def _made_client(self) -> openai.OpenAI:
        import openai

        return openai.OpenAI(
            api_key=self._endpoint.key.reveal() if self._endpoint.key else _NO_KEY,
            base_url=self._endpoint.base_url,
            timeout=openai.Timeout(self._patience.stall_seconds, connect=_CONNECT_SECONDS),
            max_retries=0,
            http_client=_http_client(self._endpoint),
        )


def _http_client(endpoint: Endpoint) -> Any:
    import openai

    if endpoint.ca_bundle is None:
        return openai.DefaultHttpxClient()
    trusted = ssl.create_default_context()
    trusted.load_verify_locations(cafile=endpoint.ca_bundle)
    return openai.DefaultHttpxClient(verify=trusted)


def _request(
    name: str, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
) -> JsonObject:
    request: JsonObject = {
        "model": name,
        "messages": [message_json(message) for message in messages],
        "max_tokens": parameters.max_tokens,
        "temperature": parameters.temperature,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if tools:
        request["tools"] = [tool_json(tool) for tool in tools]
    return request


def _rename_max_tokens(request: JsonObject) -> None:
    """Models that reason count hidden tokens too, and have another name for the bound."""
    request["max_completion_tokens"] = request.pop("max_tokens")


_OTHER_WORDS: Mapping[str, Callable[[JsonObject], object]] = {
    "max_tokens": _rename_max_tokens,
    "temperature": lambda request: request.pop("temperature"),
    "stream_options": lambda request: request.pop("stream_options"),
}


class _Dialect:
    """What an endpoint turned out not to take; each parameter is put in other words once."""

    def __init__(self) -> None:
        self._refused: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def put(self, request: JsonObject) -> tuple[JsonObject, int]:
        """The request in the endpoint's words, and a number that tells how much was learned."""
        worded, refused = dict(request), self._refused
        for parameter in refused:
            _OTHER_WORDS[parameter](worded)
        return worded, len(refused)

    def learn(self, body: object, version: int) -> bool:
        """Whether a refusal taught something, so that the request is worth putting again."""
        text = json.dumps(body, default=str)
        with self._lock:
            for parameter in _OTHER_WORDS:
                if parameter in text and parameter not in self._refused:
                    self._refused += (parameter,)
                    break
            return len(self._refused) > version
