"""The image is built with the local engine and run as compose.yaml runs it.

The base is the release of Debian that the Dockerfile names, with this machine's certificates. Root
makes it of packages, so that no registry is needed. The engine keeps it and the layers: only the
first build takes minutes. Older images stay, for `docker image prune`: an engine was seen to hang
when told to remove one.
"""

import os
import re
import signal
import ssl
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import docker
import pytest
import yaml
from docker.models.containers import Container

from evaluator.demo.sample import commit, git
from evaluator.sandbox.engine import has_image
from evaluator.sandbox.image import build_image
from tests.ports import free_port

pytestmark = [pytest.mark.docker, pytest.mark.network, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
PINNED = re.compile(r"^ARG BASE=(debian:([a-z]+)-slim@sha256:[0-9a-f]{64})$", re.MULTILINE)
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n", re.DOTALL)
BASE, IMAGE = "fixgate-tested-base", "fixgate-tested"
PLAIN = "no-new-privileges:true"
STATE = {"/tmp": "mode=1777", "/var/lib/fixgate": "uid=10001,gid=10001,mode=0700,exec"}
JDK = "21"
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
TRUSTS = """
class Trusts {
    public static void main(String[] arguments) throws Exception {
        var asked = "https://repo.maven.apache.org/maven2/junit/junit/4.13.2/junit-4.13.2.pom";
        var answer = (java.net.HttpURLConnection) new java.net.URL(asked).openConnection();
        System.out.print(answer.getResponseCode());
    }
}
"""
PROJECT = """
[project]
name = "stacks"
version = "1.0"
requires-python = ">=3.12"
[dependency-groups]
test = ["pytest"]
[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"
"""
# Type parameters, and quotation marks of an f-string within it: the syntax of Python 3.12.
BROKEN = """
class Stack[T]:
    def __init__(self, *items: T) -> None:
        self.items = list(items)

    def pop(self) -> T:
        return self.items.pop(0)
"""
FIXED = BROKEN.replace("pop(0)", "pop()")
TEST = """
from stacks import Stack


def test_the_last_comes_first() -> None:
    stack = Stack("a", "b")
    assert f"{stack.pop()}{" "}{stack.pop()}" == "b a"
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
    """Debian with what this machine trusts, where Debian's tools take it up for Java, too."""
    trusted = os.environ.get("SSL_CERT_FILE") or ssl.get_default_verify_paths().openssl_cafile
    for number, certificate in enumerate(CERTIFICATE.findall(Path(trusted).read_text())):
        (place / f"{number}.crt").write_text(certificate)
    steps = (
        f"FROM {_release_of_debian(engine)}",
        "COPY *.crt /usr/local/share/ca-certificates/",
        "RUN update-ca-certificates",
    )
    (place / "Dockerfile").write_text("\n".join(steps))
    engine.images.build(path=str(place), tag=BASE, rm=True)


def _release_of_debian(engine: docker.DockerClient) -> str:
    """The image of the release that the Dockerfile names, made where the engine has none yet."""
    named = PINNED.search((ROOT / "deploy/Dockerfile").read_text())
    assert named, "the Dockerfile's base is no release of Debian, pinned by its digest"
    base, release = named.groups()
    tag = f"fixgate-tested-{release}"
    if not has_image(engine, tag):
        by_debootstrap = os.geteuid() == 0
        build_image(tag=tag, suite=release, base="" if by_debootstrap else base)
    return tag


def _run(
    image: str,
    program: str,
    *arguments: str,
    security: Sequence[str] = (PLAIN,),
    network: str = "none",
    seen: Path | None = None,
) -> str:
    """What a program of the image says, run by the command, which knows all security options.

    A directory that is `seen` lies at /seen, read-only.
    """
    closed = ["--read-only", "--cap-drop=ALL", f"--network={network}", f"--entrypoint={program}"]
    state = [f"--tmpfs={path}:{options}" for path, options in STATE.items()]
    opened = [f"--security-opt={one}" for one in security]
    opened += [f"--volume={seen}:/seen:ro"] if seen else []
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
        ["/opt/fixgate/lib/python3.13/site-packages/certifi/cacert.pem"],
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


@pytest.mark.maven_central
def test_its_jdks_trust_what_the_base_trusts(image_with_jdk: str, tmp_path: Path) -> None:
    (tmp_path / "Trusts.java").write_text(TRUSTS)
    tmp_path.chmod(0o755)
    answered = _run(image_with_jdk, "java", "/seen/Trusts.java", network="host", seen=tmp_path)
    assert answered == "200"


def test_judges_code_in_the_syntax_of_its_python(image: str, deploy: Path, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    _commit(tmp_path, {"pyproject.toml": PROJECT, "stacks.py": BROKEN})
    _commit(tmp_path, {"stacks.py": FIXED, "test_stacks.py": TEST})
    tmp_path.chmod(0o755)
    judged = _run(
        image,
        "fixgate",
        *("verify", "--repo", "/seen", "--base", "HEAD~1", "--sandbox", "bubblewrap"),
        security=_worker_security(deploy),
        network="host",
        seen=tmp_path,
    )
    assert judged.startswith("accept, by its own tests alone"), judged


def test_without_asking_there_is_no_jdk(image: str) -> None:
    asked = "command -v java mvn; ls /usr/lib/jvm 2>&1 || true"
    assert _run(image, "sh", "-c", asked).startswith("ls: ")


@pytest.mark.parametrize("missing", ["seccomp", "systempaths"])
def test_bubblewrap_needs_what_the_worker_is_given(missing: str, image: str, deploy: Path) -> None:
    security = [one for one in _worker_security(deploy) if not one.startswith(missing)]
    assert "SandboxError" in _run(image, "python", "-c", SANDBOXED, security=security)


def test_is_pinned_and_clean(deploy: Path, tool: Any) -> None:
    dockerfile = deploy / "Dockerfile"
    assert PINNED.search(dockerfile.read_text())
    linted = tool("hadolint", "--failure-threshold=style", dockerfile)
    assert (linted.returncode, linted.stdout) == (0, "")


def _commit(repository: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (repository / name).write_text(text)
    commit(repository, "work")


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
