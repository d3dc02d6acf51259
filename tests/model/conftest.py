"""A provider that plays: a real HTTP server that answers each request by the next act."""

from __future__ import annotations

import contextlib
import json
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from generator.model.endpoint import Endpoint
from generator.model.openai_model import OpenAIModel
from generator.model.retries import ModelRetryPolicy
from generator.model.secret import Secret

KEY = "sk-test-0123456789-do-not-tell"
QUICK = ModelRetryPolicy(
    stall_seconds=1.5, reply_seconds=20, attempts=3, first_wait=0.01, longest_wait=2
)


@dataclass(frozen=True)
class Act:
    """What to answer with. `parts` are sent one by one; a number among them is a pause."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    parts: Sequence[bytes | float] = ()
    content_type: str = "text/event-stream"


def event(document: object) -> bytes:
    return b"data: " + json.dumps(document).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def delta(finish: str | None = None, **content: Any) -> bytes:
    choice = {"index": 0, "delta": content, "finish_reason": finish}
    return event({"id": "1", "object": "chat.completion.chunk", "choices": [choice]})


def usage(read: int = 10, wrote: int = 2, cached: int = 0) -> bytes:
    counts = {
        "prompt_tokens": read,
        "completion_tokens": wrote,
        "total_tokens": read + wrote,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    return event({"id": "1", "object": "chat.completion.chunk", "choices": [], "usage": counts})


def says(text: str, *, finish: str = "stop") -> Act:
    halves = [text[: len(text) // 2], text[len(text) // 2 :]]
    parts = [delta(role="assistant", content=half) for half in halves]
    return Act(parts=[*parts, delta(finish), usage(), DONE])


def refuses(status: int, message: str, *, code: str = "", **headers: str) -> Act:
    body = json.dumps({"error": {"message": message, "code": code}}).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Act(status, named, [body], "application/json")


class Provider:
    """Plays acts in their order, the last one again and again; keeps what it was asked.

    `names` is what it answers when it is asked for its models, b"" for not at all.
    """

    names = b""
    scheme = "http"

    def __init__(self, acts: Sequence[Act | Callable[[dict[str, Any]], Act]]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.times: list[float] = []
        self._acts = list(acts)
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def speak_tls(self, certificate: Path) -> None:
        """From now on, under a certificate (with its key) that nobody trusts by itself."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.scheme = "https"

    def act(self, path: str, headers: dict[str, str], request: dict[str, Any]) -> Act:
        with self._lock:
            self.times.append(time.monotonic())
            self.paths.append(path)
            self.headers.append(headers)
            self.requests.append(request)
            act = self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]
        return act(request) if callable(act) else act

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers.get("content-length", 0))
                request = json.loads(self.rfile.read(length))
                act = provider.act(self.path, _lower(self.headers), request)
                with contextlib.suppress(OSError):
                    self._play(act)
                self.close_connection = True

            def do_GET(self) -> None:
                wanted = self.path.endswith("/models") and provider.names
                self.send_response(200 if wanted else 404)
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(provider.names)
                self.close_connection = True

            def _play(self, act: Act) -> None:
                self.send_response(act.status)
                self.send_header("content-type", act.content_type)
                for name, value in act.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                for part in act.parts:
                    if isinstance(part, bytes):
                        self.wfile.write(part)
                        self.wfile.flush()
                    else:
                        time.sleep(part)

            def log_message(self, *_: object) -> None:
                pass

        return Handler


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


Play = Callable[..., Provider]


@pytest.fixture
def play() -> Iterator[Play]:
    """Start a provider that plays the acts it is given."""
    with contextlib.ExitStack() as stack:

        def start(*acts: Act | Callable[[dict[str, Any]], Act]) -> Provider:
            provider = Provider(acts)
            stack.callback(provider.close)
            return provider

        yield start


def endpoint(url: str) -> Endpoint:
    return Endpoint(url, Secret(KEY, "FIXGATE_API_KEY"))


def model_at(url: str, **settings: Any) -> OpenAIModel:
    return OpenAIModel("gpt-test", endpoint(url), **{"retry_policy": QUICK, **settings})


@dataclass(frozen=True)
class Untrusted:
    """A provider behind a certificate of its own, and the file that makes one trust it."""

    url: str
    bundle: str


@pytest.fixture
def untrusted(play: Play, tmp_path: Path) -> Untrusted:
    """A provider that says "ready" behind a certificate of its own."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: apt-get install openssl")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=fixgate test", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", *kind, *name, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    both = tmp_path / "both.pem"
    both.write_bytes(certificate.read_bytes() + key.read_bytes())
    provider = play(says("ready"))
    provider.speak_tls(both)
    return Untrusted(provider.url, str(certificate))
