"""One trace from a delivery to its check, through all processes, where OTEL_* variables ask for it.

https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
Without them, nothing of OpenTelemetry is imported. A delivery takes its context along in the store.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bot.errors import ConfigurationError
from evaluator import extra_needed
from evaluator.steps import JudgingStep, Step

if TYPE_CHECKING:
    from bot.telemetry.exporting import SpanSender

_ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_UNHEARD: Final = contextlib.nullcontext()
_running: list[SpanSender] = []


def start_telemetry(service: str, environment: Mapping[str, str]) -> None:
    """Have the spans of this process sent, as a service of this name unless one is set.

    Raises ConfigurationError, or ExtraMissingError without the extra `telemetry`.
    """
    if not _is_wanted(environment):
        return
    with extra_needed("telemetry", "what OTEL_* variables ask for", "unset them"):
        from bot.telemetry.exporting import SpanSender
    # The SDK reads its settings from here, where those of --env-file are not.
    os.environ.update({name: v for name, v in environment.items() if name.startswith("OTEL_")})
    _running[:] = [SpanSender(service)]


def _is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether spans are to be sent; raises ConfigurationError where they cannot be so."""
    exporter = environment.get("OTEL_TRACES_EXPORTER", "").strip()
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter == "none":
        return False
    if exporter not in ("", "otlp"):
        raise ConfigurationError(f"OTEL_TRACES_EXPORTER is {exporter!r}: write otlp or none")
    wanted = exporter == "otlp" or any(environment.get(name) for name in _ENDPOINTS)
    name = next((name for name in _PROTOCOLS if environment.get(name)), "")
    if wanted and name and environment[name] != "http/protobuf":
        raise ConfigurationError(f"{name} is {environment[name]!r}: write http/protobuf")
    return wanted


def span(name: str, attributes: Mapping[str, str] = _NONE) -> AbstractContextManager[None]:
    """A span, from `with` to its end.

    Attributes hold no secrets, and no text of repositories, issues or models.
    """
    return _running[0].begin(name, attributes) if _running else _UNHEARD


def observe(step: Step) -> AbstractContextManager[None]:
    """The span of a step; what `evaluator` calls."""
    return span(step.name.lower().replace("_", " ") if isinstance(step, JudgingStep) else "build")


def sends_spans() -> bool:
    """Whether spans of this process are sent at all."""
    return bool(_running)


def trace_context() -> str:
    """The span in hand, as a `traceparent` (https://www.w3.org/TR/trace-context); "" without."""
    return _running[0].trace_context() if _running else ""


def continued(trace_context: str) -> AbstractContextManager[None]:
    """Have spans belong to the one that `trace_context` gave, in whatever process that was."""
    if _running and trace_context:
        return _running[0].continued(trace_context)
    return _UNHEARD


def flush() -> None:
    """Send what waits; a collector that does not answer is waited for, for a moment."""
    if _running:
        _running[0].flush()
