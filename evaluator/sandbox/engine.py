"""The Docker engine: the connection, the images, and the containers that nobody owns any more."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping

import docker
import requests
from docker.errors import APIError, DockerException, ImageNotFound

from evaluator.errors import SandboxError
from evaluator.sandbox.docker_address import check_listening
from evaluator.sandbox.owner import Owner

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
