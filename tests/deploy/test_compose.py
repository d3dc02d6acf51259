import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.processes import MAY_KNOW, known_secrets, parses, probes

pytestmark = pytest.mark.network
OURS = {"web", "minter", "worker-quick", "worker-long", "sweeper"}
TOLD = {"FIXGATE_CLIENT_ID": "Iv23li", "FIXGATE_PUBLIC_URL": "https://fixgate.example"}
Services = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def composed(deploy: Path, tool: Any) -> Mapping[str, Any]:
    """The file as Docker Compose itself understands it."""
    file = deploy / "compose.yaml"
    environment = {**os.environ, **TOLD}
    done = tool("docker-compose", "-f", file, "config", "--format=json", environment=environment)
    assert not done.stderr  # the package's wrapper drops the exit code
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def services(composed: Mapping[str, Any]) -> Services:
    found: Services = composed["services"]
    return found


@pytest.mark.parametrize("missing", sorted(TOLD))
def test_says_what_is_not_set(missing: str, deploy: Path, tool: Any) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in TOLD}
    environment |= {name: value for name, value in TOLD.items() if name != missing}
    done = tool("docker-compose", "-f", deploy / "compose.yaml", "config", environment=environment)
    assert f"required variable {missing} is missing" in done.stderr
    assert not done.stdout


def test_web_and_workers_send_spans_where_they_are_told_to(deploy: Path, tool: Any) -> None:
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}
    environment = {**os.environ, **TOLD, **told}
    command = ("docker-compose", "-f", deploy / "compose.yaml", "config", "--format=json")
    found = json.loads(tool(*command, environment=environment).stdout)["services"]
    environments = {name: one.get("environment") or {} for name, one in found.items()}
    senders = {name for name, known in environments.items() if told.items() <= known.items()}
    assert senders == {"web", "worker-quick", "worker-long"}


def test_each_secret_is_a_file_that_its_reader_alone_gets(services: Services) -> None:
    readers: dict[str, set[str]] = {}
    for name, service in services.items():
        for secret in service.get("secrets", ()):
            readers.setdefault(secret["source"], set()).add(name)
    assert readers == {
        "private-key.pem": {"minter"},
        "webhook-secret": {"web"},
        "dashboard-token": {"web"},
        "client-secret": {"web"},
        "model.env": {"worker-long"},
        "minter-secret": {"minter", "worker-quick", "worker-long", "sweeper"},
        "pgpass": {"web", "worker-quick", "worker-long", "sweeper"},
        "postgres-password": {"postgres"},
    }


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_process_is_told_what_it_needs_and_no_more(
    name: str, services: Services, secret_files: Path, tmp_path: Path
) -> None:
    service = services[name]
    granted = {f"/run/secrets/{one['source']}" for one in service["secrets"]}
    environment = service["environment"]
    named = {value for value in environment.values() if value.startswith("/run/secrets/")}
    command = service["command"]
    assert named | {word for word in command if word.startswith("/run/")} == granted

    here = {key: _here(value, secret_files) for key, value in environment.items()}
    assert known_secrets(here, tmp_path) == MAY_KNOW[name]
    parses([_here(word, secret_files) for word in command])
    assert not [key for key in environment if key.endswith(("_SECRET", "_TOKEN", "_KEY"))]


@pytest.mark.parametrize("name", sorted(OURS))
def test_its_health_check_asks_what_it_serves(name: str, services: Services) -> None:
    service = services[name]
    command, address = service["command"][0], service["environment"].get("FIXGATE_MINTER", "")
    port = service["environment"].get("FIXGATE_PORT") or address.rpartition(":")[2]
    kind, program, *asked = service["healthcheck"]["test"]
    assert (kind, program) == ("CMD", "healthy")
    assert asked == ["http", port] if probes(command) else asked in (["worker"], ["redis"])
    assert (asked == ["worker"]) == (command == "worker")


def test_every_service_is_watched_bounded_and_without_privileges(services: Services) -> None:
    assert set(services) == OURS | {"redis", "postgres"}
    for name, service in services.items():
        assert service["healthcheck"]["test"][0] == "CMD", name
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert "cap_add" not in service, name
        assert "privileged" not in service, name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert int(service["mem_limit"]) > 0, name
        assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"]), name


def test_images_are_pinned(services: Services) -> None:
    assert {services[name]["image"] for name in OURS} == {"fixgate:0.1.0"}
    for name in ("redis", "postgres"):
        assert re.search(r"@sha256:[0-9a-f]{64}$", services[name]["image"])


def test_only_who_runs_code_of_repositories_may_make_namespaces(services: Services) -> None:
    opened = {
        name: {one for one in service["security_opt"] if one != "no-new-privileges:true"}
        for name, service in services.items()
    }
    assert opened.pop("worker-long") == {
        "apparmor=unconfined",
        "seccomp:seccomp.json",
        "systempaths=unconfined",
    }
    assert not any(opened.values())
    assert not [one for one in services.values() if "docker.sock" in json.dumps(one)]


def test_networks_part_who_has_no_need_to_meet(
    services: Services, composed: Mapping[str, Any]
) -> None:
    members = {
        network: {name for name, one in services.items() if network in one["networks"]}
        for network in composed["networks"]
    }
    asking = {"worker-quick", "worker-long", "sweeper"}
    assert members == {
        "edge": {"web"},
        "minter": {"minter", *asking},
        "outside": {"minter", "worker-quick", "worker-long"},
        "store": {"web", "redis", "postgres", *asking},
    }
    closed = {name for name, one in composed["networks"].items() if one.get("internal")}
    assert closed == {"minter", "store"}
    ports = {name: one["ports"] for name, one in services.items() if "ports" in one}
    assert [port["host_ip"] for port in ports.pop("web")] == ["127.0.0.1"]
    assert not ports


def test_what_is_queued_outlasts_a_restart(services: Services) -> None:
    command = services["redis"]["command"]
    assert command[command.index("--appendonly") + 1] == "yes"
    assert command[command.index("--maxmemory-policy") + 1] == "noeviction"
    mounted = {
        name: {one["source"] for one in service.get("volumes", ()) if one["type"] == "volume"}
        for name, service in services.items()
    }
    kept = {name: volumes for name, volumes in mounted.items() if volumes}
    assert kept == {
        "redis": {"redis"},
        "postgres": {"postgres"},
        "web": {"trajectories"},
        "worker-long": {"work", "trajectories"},
    }
    (shown,) = services["web"]["volumes"]
    assert shown["read_only"]


def _here(value: str, secrets: Path) -> str:
    return value.replace("/run/secrets", str(secrets))
