"""OpenTelemetry's SDK, with its exporter for OTLP over HTTP."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator, Mapping
from importlib import metadata
from typing import Final

from opentelemetry import context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_FLUSH_SECONDS: Final = 2.0
"""A collector that is away holds no task up for longer."""
_HEADER: Final = "traceparent"


class SpanSender:
    """Makes spans and sends them in batches, as OTEL_* variables say. Forked processes may use it.

    Spans of failures name the type of the error alone: messages may hold text of repositories.
    """

    def __init__(self, service: str) -> None:
        os.environ.setdefault("OTEL_SERVICE_NAME", service)
        self._provider = TracerProvider(shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("fixgate", metadata.version("fixgate"))
        self._format = TraceContextTextMapPropagator()
        atexit.register(self.flush)

    @contextlib.contextmanager
    def begin(self, name: str, attributes: Mapping[str, str]) -> Iterator[None]:
        """A span, inside of the one in hand."""
        with self._tracer.start_as_current_span(
            name, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as made:
            try:
                yield
            except Exception as error:
                made.set_attribute("error.type", type(error).__name__)
                made.set_status(StatusCode.ERROR)
                raise

    def trace_context(self) -> str:
        """The span in hand as a header; "" without one."""
        carrier: dict[str, str] = {}
        self._format.inject(carrier)
        return carrier.get(_HEADER, "")

    @contextlib.contextmanager
    def continued(self, trace_context: str) -> Iterator[None]:
        """What begins meanwhile belongs to that span; one that cannot be read is none."""
        token = context.attach(self._format.extract({_HEADER: trace_context}))
        try:
            yield
        finally:
            context.detach(token)

    def flush(self) -> None:
        """Send what waits, for two seconds at most; OpenTelemetry's own way takes no time limit."""
        sending = threading.Thread(target=self._provider.force_flush, daemon=True)
        sending.start()
        sending.join(_FLUSH_SECONDS)
