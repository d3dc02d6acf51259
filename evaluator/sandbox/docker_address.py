"""Where the Docker engine listens, and whether it does: asked without its client.

The client and its HTTP library take longer to import than all the rest of a command.
"""

from __future__ import annotations

import os
import socket
from typing import Final

from evaluator.errors import SandboxError

DEFAULT_ADDRESS: Final = "unix:///var/run/docker.sock"


def check_listening() -> None:
    """Connect to the engine that DOCKER_HOST names, if its address is a socket of this machine.

    Raises SandboxError where nobody answers.
    """
    address = os.environ.get("DOCKER_HOST") or DEFAULT_ADDRESS
    if not address.startswith("unix://"):
        return
    path = address.removeprefix("unix://")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(path)
        except OSError as error:
            raise SandboxError(f"docker: no engine answers at {path}: {error.strerror}") from error
