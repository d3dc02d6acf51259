"""The docker sandbox: a fresh container for each command, with all that can be taken away gone.

No network, no capability, no way to gain one, a read-only root, no swap, a bounded number of
processes, only the system calls of `syscalls.py`. The engine has to see the same files as fixgate
does: mounts are given to it by path.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import docker
import requests
from docker.errors import APIError
from docker.types import LogConfig, Ulimit

from evaluator.sandbox import inside, seccomp
from evaluator.sandbox.engine import engine, image_id, labels, reap
from evaluator.sandbox.protocol import Command, CommandResult, ExitReason, Mount
from evaluator.sandbox.supervise import ProcessExit, check_mounts, supervise, writable_sources
from evaluator.sandbox.usage import ResourceUsage, descendants, unlinked_bytes

LOCAL_IMAGE = "fixgate-sandbox"
NANOSECONDS = 10**9
FRAME_HEADER_BYTES = 8
POLL_SECONDS = 0.01


class DockerSandbox:
    """Runs untrusted code in containers.

    `image` is an image on the engine (name, tag or id) or a reference pinned by digest
    (`name@sha256:...`), which is pulled where it is missing; it needs the libraries that mounted
    interpreters link to (see image.py). `runtime` is one that the engine knows (`runsc` for
    gVisor), "" its default. `user` is `uid:gid`, "" the owner of the mounts that are writable:
    an engine that maps users (rootless, userns-remap) needs `0:0`.
    """

    name = "docker"

    def __init__(self, image: str = LOCAL_IMAGE, *, runtime: str = "", user: str = "") -> None:
        self._runtime = runtime
        self._user = user
        with engine() as client:
            self._image_id = image_id(client, image)
            reap(client)

    def location(self, mount: Mount) -> str:
        """The mount's target."""
        return str(mount.target)

    def run(self, command: Command) -> CommandResult:
        """Run to the end or to a limit. Raises SandboxError where the engine refuses."""
        check_mounts(command.mounts)
        with engine() as client, self._started(client.api, command) as container:
            return supervise(container, command)

    @contextlib.contextmanager
    def _started(self, api: docker.APIClient, command: Command) -> Iterator[Container]:
        # The name is ours, so that the container can be removed even if an interruption comes
        # before the engine has returned its id.
        name = f"fixgate-{uuid.uuid4().hex}"
        with contextlib.ExitStack() as stack:
            stack.callback(_remove, api, name)
            api.create_container(**self._configuration(api, command), name=name)
            container = Container(api, name)
            stack.callback(container.close)
            api.start(name)
            yield container

    def _configuration(self, api: docker.APIClient, command: Command) -> dict[str, Any]:
        return {
            "image": self._image_id,
            "entrypoint": list(command.argv),
            "command": [],
            "hostname": command.guise.host,
            "user": self._user or _owner_of(writable_sources(command.mounts)),
            "working_dir": command.directory,
            "environment": {
                **inside.default_environment(command.guise),
                **command.environment,
            },
            "labels": labels(command.limits.wall_seconds),
            "host_config": api.create_host_config(
                runtime=self._runtime or None, **_walls(command), **_bounds(command)
            ),
        }


def _remove(api: docker.APIClient, name: str) -> None:
    # Not there, or another fixgate is removing it; what stays for any other reason is reaped later.
    with contextlib.suppress(APIError):
        api.remove_container(name, force=True, v=True)


def _walls(command: Command) -> dict[str, Any]:
    return {
        "network_mode": "bridge" if command.network else "none",
        "extra_hosts": {command.guise.host: "127.0.0.1"},
        "read_only": True,
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges", f"seccomp={seccomp.profile()}"],
        # Not "none": that leaves no /dev/shm, which the locks of multiprocessing need.
        "ipc_mode": "private",
        "init": True,
        "mounts": [
            docker.types.Mount(
                str(mount.target), str(mount.source), type="bind", read_only=not mount.writable
            )
            for mount in command.mounts
        ],
        # The output is read while it comes; a log of the engine's own would have no bound.
        "log_config": LogConfig(type=LogConfig.types.NONE),
    }


def _bounds(command: Command) -> dict[str, Any]:
    limits = command.limits
    memory_file_system = f"rw,nosuid,nodev,exec,mode=1777,size={inside.scratch_bytes(limits)}"
    per_process = {
        "core": 0,
        "fsize": inside.largest_file_bytes(limits),
        "nofile": inside.OPEN_FILES,
    }
    return {
        "mem_limit": limits.memory_bytes,
        "memswap_limit": limits.memory_bytes,
        "pids_limit": limits.processes,
        "shm_size": inside.SHARED_MEMORY_BYTES,
        "tmpfs": dict.fromkeys(
            (*inside.scratch_directories(command.guise), inside.LASTING_SCRATCH), memory_file_system
        ),
        "ulimits": [Ulimit(name=name, soft=n, hard=n) for name, n in per_process.items()],
    }


def _owner_of(writable: Iterable[Path]) -> str:
    """The user for whom writable mounts are writable; without capabilities, root too needs that."""
    status = next(iter(writable), Path("/proc/self")).stat()
    return f"{status.st_uid}:{status.st_gid}"


class Container:
    """A command in a container."""

    def __init__(self, api: docker.APIClient, name: str) -> None:
        self._api = api
        self._name = name
        self._at_end = False
        self._created = time.time()
        self._exit: ProcessExit | None = None
        self._latest = ResourceUsage(0.0, 0, 0)
        self._samples: threading.Thread | None = None
        streams = {"stdout": 1, "stderr": 1, "stream": 1}
        self._output = api.attach_socket(name, params=streams)
        # What docker-py returns is a view; the socket is under it.
        self._socket = getattr(self._output, "_sock", self._output)

    def fileno(self) -> int:
        """The descriptor of the connection that carries the output."""
        return int(self._output.fileno())

    def read(self) -> bytes:
        """The next piece of output; empty at its end.

        Each piece comes in a frame, whose header ends with the length of the piece:
        https://docs.docker.com/reference/api/engine/ (attach to a container, stream format).
        """
        header = self._exactly(FRAME_HEADER_BYTES)
        piece = self._exactly(int.from_bytes(header[4:], "big"))
        self._at_end = not piece
        return piece

    def _exactly(self, count: int) -> bytes:
        received = b""
        while len(received) < count and (more := self._output.read(count - len(received))):
            received += more
        return received

    def wait(self, seconds: float) -> None:
        """Sleep a little, at most so long: the output ended, so the container is about to."""
        time.sleep(min(seconds, POLL_SECONDS))

    def poll(self) -> ProcessExit | None:
        """How the container ended, None while it runs."""
        # Its output ends with it, so before that there is no need to ask the engine.
        if self._exit is None and self._at_end:
            state = self._api.inspect_container(self._name)["State"]
            if not state["Running"]:
                self._exit = self._exit_of(state)
        return self._exit

    def _exit_of(self, state: Mapping[str, Any]) -> ProcessExit:
        ended = ProcessExit.from_code(state["ExitCode"])
        # The engine may note the end of a container before it notes why the kernel killed it.
        killed = ended.ending is ExitReason.KILLED
        if state["OOMKilled"] or (killed and self._had_to_kill()):
            return ProcessExit(ExitReason.MEMORY, None)
        return ended

    def usage(self) -> ResourceUsage:
        """What the container used when the engine last looked, about once a second."""
        if self._samples is None:
            self._samples = threading.Thread(target=self._sample, daemon=True)
            self._samples.start()
        return self._latest

    def _sample(self) -> None:
        with contextlib.suppress(APIError, requests.RequestException):
            for sample in self._api.stats(self._name, decode=True, stream=True):
                self._latest = _usage_of(sample, out_of_memory=self._had_to_kill())

    def _had_to_kill(self) -> bool:
        # The container's own state shows it only after the end, and the victim may have been
        # a child for which the command now waits in vain.
        past = self._api.events(
            since=int(self._created),
            until=int(time.time()) + 1,
            filters={"container": self._name, "event": "oom"},
        )
        return any(past)

    def held_bytes(self) -> int:
        """Disk held by deleted open files, where the engine's processes can be seen from here."""
        container = self._api.inspect_container(self._name)
        pid = container["State"]["Pid"]
        with contextlib.suppress(OSError):
            if container["Id"] in Path(f"/proc/{pid}/cgroup").read_text():
                return unlinked_bytes(process.pid for process in descendants(pid))
        return 0

    def kill(self) -> None:
        """End the container, and with its first process all others."""
        if self._exit is not None:
            return
        # The engine cannot end a container while output of it waits for a reader. What has
        # arrived by now can still be read after the shutdown.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(APIError):
            self._api.kill(self._name)

    def close(self) -> None:
        """Let go of the connection, after the end."""
        self._output.close()
        self._socket.close()


def _usage_of(sample: Mapping[str, Any], *, out_of_memory: bool) -> ResourceUsage:
    """Read one sample of the engine; a container that ended has an empty one."""
    memory = sample["memory_stats"]
    cache = memory.get("stats", {}).get("inactive_file", 0)
    return ResourceUsage(
        cpu_seconds=sample["cpu_stats"]["cpu_usage"]["total_usage"] / NANOSECONDS,
        memory_bytes=max(0, memory.get("usage", 0) - cache),
        tasks=sample["pids_stats"].get("current", 0),
        out_of_memory=out_of_memory,
    )
