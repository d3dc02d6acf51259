"""Traces are sent where OTEL_* variables ask for them; without, nothing of them is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.errors import ConfigurationError
from bot.github.api import template
from bot.telemetry import span, start_telemetry, trace_context
from evaluator import ExtraMissingError
from tests.ports import free_port
from tests.web.collector import Collector

OFF = [
    {},
    {"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
    {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"},
    {"OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
]
IMPORTED = """
import sys
import bot.commands.serve, bot.commands.worker, bot.assembly, bot.handlers, bot.jobs.run
from bot.telemetry import continued, flush, span, start_telemetry, trace_context
start_telemetry("web", {"FIXGATE_PORT": "1"})
with continued("00-" + "1" * 32 + "-" + "2" * 16 + "-01"), span("one"):
    assert trace_context() == ""
flush()
# redis imports what it finds of OpenTelemetry's metrics.
print({"opentelemetry.sdk.trace", "opentelemetry.exporter"} & set(sys.modules))
"""
SENDS = """
import os, time
from bot.telemetry import continued, flush, span, start_telemetry, trace_context
start_telemetry("web", {"OTEL_EXPORTER_OTLP_ENDPOINT": os.environ["TO"]})
with span("first", {"a": "b"}):
    given = trace_context()
if not os.fork():
    with continued(given), span("in another process"):
        pass
    flush()
    os._exit(0)
os.wait()
try:
    with continued("nonsense"), span("fails"):
        raise KeyError("a secret")
except KeyError:
    pass
began = time.monotonic()
flush()
print(time.monotonic() - began)
"""


def _said(program: str, **environment: str) -> str:
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_without_a_wish_nothing_is_imported() -> None:
    assert _said(IMPORTED) == "set()\n"


@pytest.mark.parametrize("environment", OFF, ids=str)
def test_it_is_off(environment: dict[str, str]) -> None:
    start_telemetry("web", environment)
    with span("one"):
        assert trace_context() == ""


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"OTEL_TRACES_EXPORTER": "console"}, "OTEL_TRACES_EXPORTER is 'console': write otlp or"),
        (
            {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
            "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc': write http/protobuf",
        ),
    ],
)
def test_what_cannot_be_done_is_said(environment: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        start_telemetry("web", environment)


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bot.telemetry.exporting", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(ExtraMissingError, match=r"pip install 'fixgate\[telemetry\]'"):
        start_telemetry("web", {"OTEL_TRACES_EXPORTER": "otlp"})


def test_a_trace_goes_on_in_a_process_that_was_forked() -> None:
    with Collector() as collector:
        _said(SENDS, TO=collector.url)
    together, alone = sorted(collector.traces(), key=lambda trace: -len(trace.spans))
    assert together.names == {"first", "in another process"}
    assert together.is_whole
    assert together.services == {"web"}
    (failed,) = alone.spans
    assert failed.attributes == {"error.type": "KeyError"}
    assert not failed.events


def test_a_collector_that_is_away_is_not_waited_for() -> None:
    assert float(_said(SENDS, TO=f"http://127.0.0.1:{free_port()}")) < 5


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/repos/alice/calc/issues/7/comments", "/repos/{}/{}/issues/{}/comments"),
        ("/repos/alice/calc/contents/a%2Fsecret?ref=x", "/repos/{}/{}/contents/{}"),
        ("https://ghe.example/api/graphql", "/api/graphql"),
        (
            "/repos/alice/calc/collaborators/bob/permission",
            "/repos/{}/{}/collaborators/{}/permission",
        ),
    ],
)
def test_paths_name_nobody(path: str, said: str) -> None:
    assert template(path) == said
