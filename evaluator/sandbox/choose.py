"""Picks the sandbox that was asked for, or the best one that works here."""

from __future__ import annotations

from evaluator.errors import SandboxError
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.docker import LOCAL_IMAGE, DockerSandbox
from evaluator.sandbox.engine import engine, has_image
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
            return DockerSandbox(image or LOCAL_IMAGE, runtime=runtime, user=user)
        case "bubblewrap":
            return _bubblewrap()
        case "process":
            return ProcessSandbox()
        case "auto":
            return _automatic(image, runtime, user)
    raise SandboxError(f"no sandbox is called {name!r}: choose one of {', '.join(NAMES)}")


def _automatic(image: str, runtime: str, user: str) -> Sandbox:
    try:
        with engine() as client:
            ready = bool(image) or has_image(client, LOCAL_IMAGE)
        docker_problem = f"docker has no image {LOCAL_IMAGE} (make it: fixgate sandbox-image)"
    except SandboxError as error:
        ready, docker_problem = False, str(error)
    if ready:
        return choose_sandbox("docker", image=image, runtime=runtime, user=user)
    try:
        return _bubblewrap()
    except SandboxError as error:
        raise SandboxError(
            f"no sandbox works here. {docker_problem}; {error}. Code that you trust can be run "
            "without one: --sandbox process"
        ) from error


def _bubblewrap() -> BubblewrapSandbox:
    sandbox = BubblewrapSandbox()
    sandbox.check()
    return sandbox
