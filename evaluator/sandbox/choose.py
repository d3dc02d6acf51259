"""Picks the sandbox that was asked for, or the best one that works here."""

from __future__ import annotations

from evaluator.errors import SandboxError
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.docker_address import check_listening
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import Sandbox

NAMES = ("auto", "docker", "bubblewrap", "process")


def choose_sandbox(name: str, *, image: str = "", runtime: str = "", user: str = "") -> Sandbox:
    """The sandbox called `name`; `auto` is docker where it is ready, else bubblewrap.

    `image`, `runtime` and `user` are docker's (see DockerSandbox). `process` has no walls and is
    never picked unless asked for by name. Raises SandboxError where the sandbox does not work,
    with what to install.
    """
    match name:
        case "docker":
            return _docker(image, runtime, user)
        case "bubblewrap":
            return _bubblewrap()
        case "process":
            return ProcessSandbox()
        case "auto":
            return _automatic(image, runtime, user)
    raise SandboxError(f"no sandbox is called {name!r}: choose one of {', '.join(NAMES)}")


def _automatic(image: str, runtime: str, user: str) -> Sandbox:
    docker_problem = _docker_problem(image)
    if not docker_problem:
        return _docker(image, runtime, user)
    try:
        return _bubblewrap()
    except SandboxError as error:
        raise SandboxError(
            f"no sandbox works here. {docker_problem}; {error}. Code that you trust can be run "
            "without one: --sandbox process"
        ) from error


def _docker_problem(image: str) -> str:
    """Why docker cannot be picked, "" where it can."""
    try:
        check_listening()
        # Imported late, as it takes so long.
        from evaluator.sandbox import docker, engine

        with engine.engine() as client:
            ready = bool(image) or engine.has_image(client, docker.LOCAL_IMAGE)
    except SandboxError as error:
        return str(error)
    missing = f"docker has no image {docker.LOCAL_IMAGE} (make it: fixgate sandbox-image)"
    return "" if ready else missing


def _docker(image: str, runtime: str, user: str) -> Sandbox:
    # Imported late, as above.
    from evaluator.sandbox.docker import LOCAL_IMAGE, DockerSandbox

    return DockerSandbox(image or LOCAL_IMAGE, runtime=runtime, user=user)


def _bubblewrap() -> BubblewrapSandbox:
    sandbox = BubblewrapSandbox()
    sandbox.check()
    return sandbox
