"""The Docker engine: the connection, the images, and the containers that nobody owns any more."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound

from evaluator.errors import SandboxError
from evaluator.sandbox.docker_address import check_listening

PROC = Path("/proc")
SEPARATOR = "/"


@dataclass(frozen=True)
class Owner:
    """A process, named so that no other one is ever taken for it.

    A process id alone comes round again; with the boot, the process namespace and the start time
    (clock ticks since the boot) it does not.
    """

    boot: str
    namespace: str
    pid: str
    start: str

    @classmethod
    def current(cls) -> Owner:
        """The process that asks."""
        return cls(_boot(), _namespace(), str(os.getpid()), _start("self"))

    @classmethod
    def parse(cls, text: str) -> Owner | None:
        """Read what `str` wrote; None where it is something else."""
        parts = text.split(SEPARATOR)
        return cls(*parts) if len(parts) == 4 else None

    def __str__(self) -> str:
        return SEPARATOR.join(astuple(self))

    @property
    def is_gone(self) -> bool:
        """Whether it surely ended. Processes of another namespace cannot be looked up: False."""
        if self.boot != _boot():
            return True
        return self.namespace == _namespace() and self.start != _start(self.pid)


def _boot() -> str:
    return (PROC / "sys/kernel/random/boot_id").read_text().strip()


def _namespace() -> str:
    return str((PROC / "self/ns/pid").readlink())


def _start(pid: str) -> str:
    """The start time of a process in clock ticks, "" where there is none."""
    try:
        stat = (PROC / pid / "stat").read_text(errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]


LABEL = "fixgate"
OWNER_LABEL = "fixgate.owner"
DEADLINE_LABEL = "fixgate.deadline"
# A container that is older than its time limit by so much has no one left to stop it.
GRACE_SECONDS = 300


@contextlib.contextmanager
def engine() -> Iterator[docker.DockerClient]:
    """A connection to the engine that DOCKER_HOST names. Raises SandboxError when it fails."""
    # docker-py tries several times where nobody answers, and leaves its sockets open.
    check_listening()
    try:
        with contextlib.closing(docker.from_env()) as client:
            yield client
    except (DockerException, requests.RequestException) as error:
        raise SandboxError(f"docker: {error}") from error


def has_image(client: docker.DockerClient, image: str) -> bool:
    """Whether the engine holds this image."""
    try:
        client.images.get(image)
    except ImageNotFound:
        return False
    return True


def image_id(client: docker.DockerClient, image: str) -> str:
    """The id of an image, pulled first where it is pinned by digest and not here.

    Raises SandboxError where it is neither here nor pinned.
    """
    if not has_image(client, image):
        if "@sha256:" not in image:
            raise SandboxError(
                f"docker has no image {image}: make the local one with `fixgate sandbox-image`, "
                "or give a reference that is pinned by digest (name@sha256:...)"
            )
        client.images.pull(image)
    return str(client.images.get(image).id)


def labels(wall_seconds: float) -> Mapping[str, str]:
    """The labels of a container of this process that is to run at most so long."""
    deadline = time.time() + wall_seconds + GRACE_SECONDS
    return {LABEL: "1", OWNER_LABEL: str(Owner.current()), DEADLINE_LABEL: str(int(deadline))}


def reap(client: docker.DockerClient) -> list[str]:
    """Remove the containers that a fixgate left behind which no longer lives; their ids."""
    found = client.api.containers(all=True, filters={"label": f"{LABEL}=1"})
    lost = [container["Id"] for container in found if _is_lost(container["Labels"])]
    for container in lost:
        # Another fixgate may be doing the same.
        with contextlib.suppress(APIError):
            client.api.remove_container(container, force=True, v=True)
    return lost


def _is_lost(found: Mapping[str, str]) -> bool:
    owner = Owner.parse(found.get(OWNER_LABEL, ""))
    deadline = found.get(DEADLINE_LABEL, "")
    overdue = not deadline.isdecimal() or int(deadline) < time.time()
    return overdue or owner is None or owner.is_gone
