"""The dashboard for Grafana and the alerts for Prometheus: they name metrics that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from bot.github.types import RepositoryId
from bot.jobs.types import JobKind, JobRequest, JobState
from tests.conftest import RedisServer
from tests.web.conftest import Site, site_with

DEPLOY = Path(__file__).parents[2] / "deploy"
ALERTS, DASHBOARD = DEPLOY / "prometheus" / "alerts.yml", DEPLOY / "grafana" / "fixgate.json"
_METRIC = re.compile(r"\bfixgate_\w+")


def _alerts() -> list[dict[str, object]]:
    (group,) = yaml.safe_load(ALERTS.read_text("utf-8"))["groups"]
    rules: list[dict[str, object]] = group["rules"]
    return rules


def _expressions() -> list[str]:
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    return [*shown, *(str(rule["expr"]) for rule in _alerts())]


@pytest.fixture
def site(tmp_path: Path, redis_server: RedisServer) -> Iterator[Site]:
    with site_with(tmp_path, redis_server.url) as made:
        yield made


@pytest.mark.redis
def test_every_metric_that_is_named_is_given(site: Site) -> None:
    request = JobRequest(JobKind.VERIFY, RepositoryId(1, "a/b"), 1, "a" * 40)
    site.store.jobs.plan(request)
    site.store.jobs.begin(request.key)
    site.store.jobs.finish(request.key, JobState.DONE)
    site.store.verdicts.add(request, "accept", "Fixes", "{}")
    site.deliver("d-1")
    site.deliver("d-2", **{"X-Hub-Signature-256": "sha256=0"})
    lines = site.get("/metrics").text.splitlines()
    given = {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}
    named = set(_METRIC.findall(" ".join(_expressions())))
    assert named <= given
    # What is given and shown nowhere: nobody would look at it.
    unshown = {name for name in given - named if name.startswith("fixgate_")}
    assert {re.sub(r"_(count|sum|created)$", "", name) for name in unshown} <= {
        "fixgate_webhook_seconds",
        "fixgate_deliveries",
        "fixgate_refused_deliveries",
    }


def test_panels_do_not_overlap_and_say_what_they_show() -> None:
    told = json.loads(DASHBOARD.read_text("utf-8"))
    places = [panel["gridPos"] for panel in told["panels"]]
    cells = [
        (x, y)
        for at in places
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    assert len({panel["title"] for panel in told["panels"]}) == len(places)


def test_each_alert_says_what_is_wrong_and_how_bad() -> None:
    for rule in _alerts():
        assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}
        assert rule["labels"] in ({"severity": "critical"}, {"severity": "warning"})
        assert set(rule["annotations"]) == {"summary", "description"}  # type: ignore[call-overload]


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is missing: apt-get install prometheus"
)
def test_prometheus_reads_the_alerts_and_the_queries(tmp_path: Path) -> None:
    shown = {"groups": [{"name": "shown", "rules": []}]}
    for number, expression in enumerate(_expressions()):
        shown["groups"][0]["rules"].append({"record": f"shown:{number}", "expr": expression})  # type: ignore[attr-defined]
    (tmp_path / "shown.yml").write_text(yaml.safe_dump(shown))
    for rules in (ALERTS, tmp_path / "shown.yml"):
        done = subprocess.run(
            ["promtool", "check", "rules", rules], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
