"""What OpenTelemetry's exporter sends its spans to: a collector that keeps them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

NAMES_OF_ATTRIBUTES = {
    "error.type",
    "fixgate.decision",
    "fixgate.delivery",
    "fixgate.event",
    "fixgate.job",
    "fixgate.kind",
    "url.template",
}
"""All that spans may say."""


@dataclass(frozen=True)
class ReceivedSpan:
    name: str
    id: bytes
    parent: bytes
    service: str
    attributes: dict[str, str]
    events: int


@dataclass(frozen=True)
class Trace:
    spans: Sequence[ReceivedSpan]

    @property
    def names(self) -> set[str]:
        return {span.name for span in self.spans}

    @property
    def services(self) -> set[str]:
        return {span.service for span in self.spans}

    @property
    def roots(self) -> list[ReceivedSpan]:
        return [span for span in self.spans if not span.parent]

    @property
    def is_whole(self) -> bool:
        """Whether the parent of each span came too."""
        return {span.parent for span in self.spans} <= {b"", *(span.id for span in self.spans)}

    @property
    def delivery(self) -> str:
        return self.roots[0].attributes["fixgate.delivery"]


class Collector:
    """Takes OTLP over HTTP at `url`, from `with` to its end."""

    def __init__(self) -> None:
        self._spans: dict[bytes, list[ReceivedSpan]] = {}
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                collector._take(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Collector:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def traces(self) -> list[Trace]:
        return [Trace(spans) for spans in list(self._spans.values())]

    def _take(self, request: Any) -> None:
        for sent in request.resource_spans:
            about = _values(sent.resource.attributes)
            for span in (one for scope in sent.scope_spans for one in scope.spans):
                received = ReceivedSpan(
                    span.name,
                    span.span_id,
                    span.parent_span_id,
                    about["service.name"],
                    _values(span.attributes),
                    len(span.events),
                )
                self._spans.setdefault(span.trace_id, []).append(received)


def _values(attributes: Any) -> dict[str, str]:
    return {one.key: one.value.string_value for one in attributes}
