"""The image is built with the local engine and run as compose.yaml runs it.

The base is the sandbox image, a Debian of this machine's own release with its certificates, so that
no registry is needed. The engine keeps the layers: only the first build takes a minute or two.
Older images stay, for `docker image prune`: an engine was seen to hang when told to remove one.
"""

import os
import platform
import re
import shutil
import signal
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import docker
import pytest
import yaml
from docker.models.containers import Container

from evaluator.sandbox.docker import LOCAL_IMAGE
from tests.ports import free_port

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
BASE, IMAGE = "fixgate-tested-base", "fixgate-tested"
PLAIN = "no-new-privileges:true"
STATE = {"/tmp": "mode=1777", "/var/lib/fixgate": "uid=10001,gid=10001,mode=0700"}
JDK = {"trixie": "21"}.get(platform.freedesktop_os_release().get("VERSION_CODENAME", ""), "17")
COMPILED = """
from pathlib import Path
from evaluator.languages.java.environment.jdk import installed
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.protocol import Command, Mount
(jdk,) = installed()
place = Path("/tmp/place")
place.mkdir()
(place / "A.java").write_text("class A { }")
mounts = (*(Mount(path, path) for path in jdk.visible), Mount(place, place, writable=True))
argv = (str(jdk.home / "bin" / "javac"), "A.java")
done = BubblewrapSandbox().run(Command(argv=argv, directory=str(place), mounts=mounts))
print(done.exit_code, jdk.version, (place / "A.class").is_file(), done.output)
"""
SANDBOXED = """
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
BubblewrapSandbox().check()
print("works")
"""
REFUSED = """
import ctypes, platform
number = {"x86_64": (321, 250), "aarch64": (280, 219)}[platform.machine()]  # bpf, keyctl
libc = ctypes.CDLL(None, use_errno=True)
print([(libc.syscall(one, 0, 0, 0), ctypes.get_errno()) for one in number])
"""


@pytest.fixture(scope="module")
def engine() -> Iterator[docker.DockerClient]:
    client = docker.from_env(timeout=600)
    yield client
    client.close()


@pytest.fixture(scope="module")
def image(engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory) -> str:
    _build_base(engine, tmp_path_factory.mktemp("base"))
    return _build(engine, IMAGE)


@pytest.fixture(scope="module")
def image_with_jdk(engine: docker.DockerClient, image: str) -> str:
    """Built after the other, whose layers it shares."""
    return _build(engine, f"{IMAGE}-java", JDKS=JDK)


def _build(engine: docker.DockerClient, tag: str, **arguments: str) -> str:
    built, _ = engine.images.build(
        path=str(ROOT),
        dockerfile="deploy/Dockerfile",
        buildargs={"BASE": BASE, **arguments},
        tag=tag,
        network_mode="host",
        rm=True,
    )
    return str(built.id)


def _build_base(engine: docker.DockerClient, place: Path) -> None:
    trusted = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().openssl_cafile
    shutil.copy(trusted, place / "trusted.crt")
    copied = "COPY trusted.crt /etc/ssl/certs/ca-certificates.crt"
    (place / "Dockerfile").write_text(f"FROM {LOCAL_IMAGE}\n{copied}\n")
    engine.images.build(path=str(place), tag=BASE, rm=True)


def _run(image: str, program: str, *arguments: str, security: Sequence[str] = (PLAIN,)) -> str:
    """What a program of the image says, run by the command, which knows all security options."""
    closed = ["--read-only", "--cap-drop=ALL", "--network=none", f"--entrypoint={program}"]
    state = [f"--tmpfs={path}:{options}" for path, options in STATE.items()]
    opened = [f"--security-opt={one}" for one in security]
    done = subprocess.run(
        ["docker", "run", "--rm", *closed, *state, *opened, image, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else done.stderr


def test_runs_as_nobody_special_with_a_root_that_is_read_only(image: str) -> None:
    assert "Usage: fixgate" in _run(image, "fixgate", "--help")
    asked = "id -u; touch /opt/fixgate/x 2>&1; git --version; ls /opt/fixgate; ls -a / /opt"
    told = _run(image, "sh", "-c", asked)
    assert told.startswith("10001\ntouch: cannot touch")
    assert "git version" in told
    assert not {".git", "tests", "source", "uv"} & set(told.split())


def test_holds_no_secret_and_nothing_to_gain_privileges_by(
    engine: docker.DockerClient, image: str
) -> None:
    find = r"find /opt /var/lib/fixgate \( -perm -4000 -o -name '*.pem' -o -name '.env*' \) -print"
    assert _run(image, "sh", "-c", find).split() in (
        [],
        ["/opt/fixgate/lib/python3.11/site-packages/certifi/cacert.pem"],
    )
    told = str(engine.images.get(image).attrs["Config"]["Env"])
    assert not re.search(r"(?i)secret|token|password|api_key", told)


def test_serves_and_is_healthy(engine: docker.DockerClient, image: str, tmp_path: Path) -> None:
    secret = tmp_path / "webhook-secret"
    secret.write_text("known to GitHub and us")
    secret.chmod(0o444)
    port = str(free_port())
    environment = {"FIXGATE_PORT": port, "FIXGATE_WEBHOOK_SECRET_FILE": "/run/secrets/webhook"}
    container = engine.containers.run(
        image,
        ["serve"],
        detach=True,
        network_mode="host",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=[PLAIN],
        tmpfs=STATE,
        environment=environment,
        volumes={str(secret): {"bind": "/run/secrets/webhook", "mode": "ro"}},
    )
    try:
        assert _answer(container, f"http://127.0.0.1:{port}/healthz") == 200
        assert container.exec_run(["healthy", "http", port]).exit_code == 0
        assert container.exec_run(["healthy", "http", "1"]).exit_code == 1
        container.stop(timeout=60)
        killed = 128 + signal.SIGKILL
        assert container.wait()["StatusCode"] != killed, "it does not end when it is told to"
    finally:
        container.remove(force=True)


def test_bubblewrap_works_as_long_workers_are_run(image: str, deploy: Path) -> None:
    security = _worker_security(deploy)
    assert _run(image, "python", "-c", SANDBOXED, security=security) == "works\n"
    # Neither programs in the kernel nor its keys: EPERM, by the profile.
    assert _run(image, "python", "-c", REFUSED, security=security) == "[(-1, 1), (-1, 1)]\n"


def test_with_jdks_it_compiles_in_the_sandbox(image_with_jdk: str, deploy: Path) -> None:
    security = _worker_security(deploy)
    compiled = _run(image_with_jdk, "python", "-c", COMPILED, security=security)
    assert compiled.startswith(f"0 {JDK} True"), compiled
    assert "Apache Maven 3" in _run(image_with_jdk, "mvn", "-version")


def test_without_asking_there_is_no_jdk(image: str) -> None:
    asked = "command -v java mvn; ls /usr/lib/jvm 2>&1 || true"
    assert _run(image, "sh", "-c", asked).startswith("ls: ")


@pytest.mark.parametrize("missing", ["seccomp", "systempaths"])
def test_bubblewrap_needs_what_the_worker_is_given(missing: str, image: str, deploy: Path) -> None:
    security = [one for one in _worker_security(deploy) if not one.startswith(missing)]
    assert "SandboxError" in _run(image, "python", "-c", SANDBOXED, security=security)


def test_is_pinned_and_clean(deploy: Path, tool: Any) -> None:
    dockerfile = deploy / "Dockerfile"
    assert re.search(r"^ARG BASE=\S+@sha256:[0-9a-f]{64}$", dockerfile.read_text(), re.MULTILINE)
    linted = tool("hadolint", "--failure-threshold=style", dockerfile)
    assert (linted.returncode, linted.stdout) == (0, "")


def _worker_security(deploy: Path) -> list[str]:
    """What compose.yaml gives to the workers that run code, as the command wants it."""
    service = yaml.safe_load((deploy / "compose.yaml").read_text())["services"]["worker-long"]
    profile = f"seccomp={deploy / 'seccomp.json'}"
    return [profile if one == "seccomp:seccomp.json" else one for one in service["security_opt"]]


def _answer(container: Container, url: str) -> int:
    for _ in range(120):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return int(answer.status)
        except OSError:
            container.reload()
            assert container.status == "running", container.logs().decode()
            time.sleep(0.5)
    raise AssertionError(container.logs().decode())
