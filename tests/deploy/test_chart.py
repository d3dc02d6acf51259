import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from tests.deploy.processes import MAY_KNOW, known_secrets, parses, probes

pytestmark = pytest.mark.network
KUBERNETES = "1.33.0"
NEEDED = ("publicUrl=https://fixgate.example", "github.clientId=Iv23li")
Render = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def render(deploy: Path, tool: Any) -> Render:
    def rendered(*settings: str) -> list[dict[str, Any]]:
        done = tool("helm", *_template(deploy, *NEEDED, *settings))
        assert done.returncode == 0, done.stderr
        return [one for one in yaml.safe_load_all(done.stdout) if one]

    return rendered


@pytest.fixture(scope="module")
def objects(render: Render) -> list[dict[str, Any]]:
    return render("secrets.clientSecret.name=fixgate-login")


def test_passes_helm_and_the_schemas_of_kubernetes(deploy: Path, tool: Any, tmp_path: Path) -> None:
    more: tuple[str, ...] = (
        "web.ingress.enabled=true",
        "web.ingress.host=fixgate.example",
        "model=gpt-5",
    )
    more = (*more, "secrets.clientSecret.name=fixgate-login")
    more = (*more, "secrets.modelKey.name=fixgate-model", "sandbox.storageClass=fast")
    more = (*more, "telemetry.endpoint=http://spans:4318", "telemetry.headers.name=fixgate-spans")
    more = (*more, "sandbox.seccompProfile=fixgate.json", "image.digest=sha256:" + 64 * "a")
    chosen = [part for one in (*NEEDED, *more) for part in ("--set", one)]
    linted = tool(
        "helm", "lint", "--strict", deploy / "chart", "--kube-version", KUBERNETES, *chosen
    )
    assert linted.returncode == 0, linted.stdout
    for name, settings in (("plain", NEEDED), ("full", (*NEEDED, *more))):
        file = tmp_path / f"{name}.yaml"
        done = tool("helm", *_template(deploy, *settings))
        assert done.returncode == 0, done.stderr
        file.write_text(done.stdout)
        checked = tool("kubernetes-validate", "--strict", "-k", "1.33", file)
        assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ((NEEDED[1],), "publicUrl"),
        ((NEEDED[0],), "clientId"),
        ((*NEEDED, "image.tag=latest"), "image.tag"),
        ((*NEEDED, "image.digest=sha256:short"), "image.digest"),
        ((*NEEDED, "web.ingress.enabled=true"), "web.ingress.host"),
    ],
)
def test_refuses_what_cannot_work(
    settings: tuple[str, ...], complaint: str, deploy: Path, tool: Any
) -> None:
    done = tool("helm", *_template(deploy, *settings))
    assert done.returncode != 0
    assert complaint in done.stderr


def test_refuses_a_kubernetes_without_user_namespaces(deploy: Path, tool: Any) -> None:
    done = tool("helm", *_template(deploy, *NEEDED, kubernetes="1.32.0"))
    assert "incompatible with Kubernetes" in done.stderr


@pytest.mark.parametrize("part", sorted(MAY_KNOW))
def test_a_process_is_told_what_it_needs_and_no_more(
    part: str, objects: list[dict[str, Any]], secret_files: Path, tmp_path: Path
) -> None:
    pod = _pods(objects)[part]
    container = pod["containers"][0]
    granted = {
        f"{mount['mountPath']}/{item['path']}"
        for volume in pod["volumes"]
        for mount in container["volumeMounts"]
        if "secret" in volume and mount["name"] == volume["name"]
        for item in volume["secret"]["items"]
    }
    environment = {one["name"]: one.get("value", "") for one in container["env"]}
    assert {value for value in environment.values() if value.startswith("/run/")} == granted

    here = {name: _here(value, secret_files) for name, value in environment.items()}
    assert known_secrets(here, tmp_path) == MAY_KNOW[part]
    parses(container["args"])


@pytest.mark.parametrize("part", sorted(MAY_KNOW))
def test_its_probes_ask_what_it_serves(part: str, objects: list[dict[str, Any]]) -> None:
    container = _pods(objects)[part]["containers"][0]
    found = [probe for name, probe in container.items() if name.endswith("Probe")]
    paths = [probe["httpGet"]["path"] for probe in found if "httpGet" in probe]
    asked = [urlsplit(path).path for path in paths]
    commands = [probe["exec"]["command"] for probe in found if "exec" in probe]
    serves = probes(container["args"][0])
    assert set(asked) <= serves
    assert bool(asked) == bool(serves) == bool(container.get("ports"))
    assert len(asked) + len(commands) == len(found) > 0
    expected = ["healthy", "worker" if container["args"][0] == "worker" else "redis"]
    assert all(command == expected for command in commands)


def test_passwords_come_from_secrets(render: Render) -> None:
    pods = _pods(render("secrets.modelKey.name=fixgate-model", "model=gpt-5"))
    stored = {"FIXGATE_DATABASE_URL", "FIXGATE_REDIS_URL"}
    assert {part: _from_secrets(pod) for part, pod in pods.items()} == {
        "minter": set(),
        "web": stored,
        "sweeper": stored,
        "worker-quick": stored,
        "worker-long": stored | {"FIXGATE_API_KEY"},
    }


def test_pods_have_no_privileges(objects: list[dict[str, Any]]) -> None:
    for part, pod in _pods(objects).items():
        assert pod["automountServiceAccountToken"] is False, part
        assert pod["securityContext"]["runAsNonRoot"], part
        container = pod["containers"][0]
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"], part
        assert not security["allowPrivilegeEscalation"], part
        assert security["capabilities"] == {"drop": ["ALL"]}, part
        assert container["resources"]["limits"]["memory"], part
        assert "readinessProbe" in container, part
        assert ("livenessProbe" in container) == (part != "sweeper"), part
        assert not container["image"].endswith(":latest"), part
        runs_code = part == "worker-long"
        assert ("procMount" in security) == runs_code, part
        assert (pod.get("hostUsers") is False) == runs_code, part
        assert ("seccompProfile" in security) == runs_code, part


def test_workers_are_scaled_each_on_its_own(render: Render) -> None:
    many = render("workers.long.replicas=7", "workers.quick.replicas=3")
    found = {
        one["metadata"]["name"]: one["spec"]["replicas"]
        for one in many
        if one["kind"] == "Deployment"
    }
    assert found == {
        "fixgate-web": 2,
        "fixgate-minter": 2,
        "fixgate-sweeper": 1,
        "fixgate-worker-quick": 3,
        "fixgate-worker-long": 7,
    }


def test_the_web_reaches_github_only_where_people_log_in_with_it(render: Render) -> None:
    (web,) = (
        one["spec"] for one in render() if one["kind"] == "NetworkPolicy" and _part(one) == "web"
    )
    assert set(_ports(web["egress"])) == {53, 5432, 6379}


@pytest.mark.parametrize(
    ("endpoint", "port"),
    [
        ("http://collector.observability:4318", 4318),
        ("https://spans.example/v1", 443),
        ("http://spans", 80),
    ],
)
def test_web_and_workers_send_spans_where_they_are_told_to(
    endpoint: str, port: int, render: Render
) -> None:
    found = render(f"telemetry.endpoint={endpoint}", "telemetry.headers.name=fixgate-spans")
    out = {
        _part(one): set(_ports(one["spec"]["egress"]))
        for one in found
        if one["kind"] == "NetworkPolicy"
    }
    for part, pod in _pods(found).items():
        told = {one["name"]: one.get("value") for one in pod["containers"][0]["env"]}
        sends = part in ("web", "worker-quick", "worker-long")
        assert told.get("OTEL_EXPORTER_OTLP_ENDPOINT") == (endpoint if sends else None), part
        assert ("OTEL_EXPORTER_OTLP_HEADERS" in _from_secrets(pod)) == sends, part
        assert not sends or port in out[part], part


def test_only_who_may_have_tokens_reaches_the_minter(objects: list[dict[str, Any]]) -> None:
    policies = {_part(one): one["spec"] for one in objects if one["kind"] == "NetworkPolicy"}
    assert set(policies) == set(MAY_KNOW)
    (rule,) = policies["minter"]["ingress"]
    callers = {_label(one["podSelector"]["matchLabels"]) for one in rule["from"]}
    assert callers == {"worker-quick", "worker-long", "sweeper"}
    for part in callers:
        assert policies[part]["ingress"] == []
    out = {part: set(_ports(policy["egress"])) for part, policy in policies.items()}
    assert out["minter"] == {53, 443}
    assert out["web"] == {53, 443, 5432, 6379}
    assert out["worker-long"] == out["worker-quick"] == {53, 443, 5432, 6379, 8001}
    assert out["sweeper"] == {53, 5432, 6379, 8001}


def test_services_lead_to_pods_and_disruptions_are_bounded(
    objects: list[dict[str, Any]],
) -> None:
    labels = [
        one["spec"]["template"]["metadata"]["labels"]
        for one in objects
        if one["kind"] == "Deployment"
    ]
    for one in objects:
        spec = one["spec"]
        selector = {"Service": "selector", "PodDisruptionBudget": "selector"}.get(one["kind"])
        if selector is None:
            continue
        wanted = spec[selector].get("matchLabels", spec[selector])
        assert sum(wanted.items() <= found.items() for found in labels) == 1, one["metadata"]
    budgets = {_part(one) for one in objects if one["kind"] == "PodDisruptionBudget"}
    assert budgets == {"web", "minter", "worker-quick", "worker-long"}


def _template(deploy: Path, *settings: str, kubernetes: str = KUBERNETES) -> list[object]:
    chosen = [part for one in settings for part in ("--set", one)]
    return ["template", "fixgate", deploy / "chart", "--kube-version", kubernetes, *chosen]


def _pods(objects: list[dict[str, Any]]) -> Mapping[str, dict[str, Any]]:
    return {
        _part(one): one["spec"]["template"]["spec"]
        for one in objects
        if one["kind"] == "Deployment"
    }


def _part(found: Mapping[str, Any]) -> str:
    return re.sub(r"^fixgate-", "", found["metadata"]["name"])


def _label(labels: Mapping[str, str]) -> str:
    return labels["app.kubernetes.io/component"]


def _from_secrets(pod: Mapping[str, Any]) -> set[str]:
    told = pod["containers"][0]["env"]
    return {one["name"] for one in told if "secretKeyRef" in one.get("valueFrom", {})}


def _ports(rules: list[dict[str, Any]]) -> Iterator[int]:
    for rule in rules:
        yield from (one["port"] for one in rule["ports"])


def _here(value: str, secrets: Path) -> str:
    return str(secrets / Path(value).name) if value.startswith("/run/secrets/") else value
