"""The bubblewrap sandbox: namespaces of Linux, without an engine, a daemon or an image.

The command sees the host's programs (/usr) read-only, an /etc of a few harmless files, empty
in-memory directories for temporary files, its mounts, and nothing else. It is alone in its
process, network, IPC and host name namespaces and in its session key ring, makes only the system
calls of `syscalls.py`, holds no capability and cannot gain any.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import os
import platform
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from evaluator.errors import SandboxError
from evaluator.sandbox import cgroup, inside, keyring, seccomp
from evaluator.sandbox.guise import USUAL, Guise
from evaluator.sandbox.local import LocalTree, confine
from evaluator.sandbox.protocol import Command, CommandResult, ExitReason, Mount, ResourceLimits
from evaluator.sandbox.supervise import ProcessExit, check_mounts, readable, supervise
from evaluator.sandbox.usage import ResourceUsage

INSTALL_ADVICE = (
    "install the package `bubblewrap` and allow user namespaces (sysctl kernel.unprivileged_"
    "userns_clone=1; on Ubuntu 24.04 and later kernel.apparmor_restrict_unprivileged_userns=0)"
)
SYSTEM_DIRECTORIES = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
EMPTY_DIRECTORIES = ("boot", "media", "mnt", "opt", "root", "run", "srv")
"""Tests list them: every Linux has them (Filesystem Hierarchy Standard 3.0, section 3)."""
# Nothing secret: in particular not all of /etc/ssl and /etc/pki, which hold private keys.
SYSTEM_SETTINGS = (
    "alternatives",
    "ca-certificates",
    "fonts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "mime.types",
    "pki/ca-trust/extracted",
    "pki/tls/cert.pem",
    "pki/tls/certs",
    "protocols",
    "services",
    "ssl/certs",
    "ssl/openssl.cnf",
    "timezone",
)
# Names the keys of the host's user.
KEYS = Path("/proc/keys")
KILL_SECONDS = 10.0
START_SECONDS = 60.0
"""It takes some milliseconds where the machine is not busy."""
ON_LEAVE = 'echo >&0; read -r leave && exec "$@" <>/dev/null'
"""What starts the command inside: it says that it is there, and goes on only where told to.

bubblewrap itself goes on where whoever was to give leave is killed, and the command would run
without an end or limits. Here that is not so, and whoever is killed from here on takes all with it.
"""


class BubblewrapSandbox:
    """Runs untrusted code in namespaces of its own. Works for root and for plain users."""

    name = "bubblewrap"

    def __init__(self, program: str = "bwrap") -> None:
        self._program = _find(program)
        cgroup.reap()

    def location(self, mount: Mount) -> str:
        """The mount's target."""
        return str(mount.target)

    def run(self, command: Command) -> CommandResult:
        """Run to the end or to a limit. Raises SandboxError where bubblewrap itself fails."""
        check_mounts(command.mounts)
        with _started(self._program, command) as tree:
            completed = supervise(tree, command)
            return tree.explain(completed)

    def check(self) -> None:
        """Run `true` in the sandbox. Raises SandboxError, with advice, where that fails."""
        limits = ResourceLimits(wall_seconds=10)
        completed = self.run(Command(("true",), directory="/", mounts=(), limits=limits))
        if completed.exit_code != 0:
            raise SandboxError(f"bubblewrap does not work here: {INSTALL_ADVICE}")


def _find(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise SandboxError(f"bubblewrap is not installed ({program} not found): {INSTALL_ADVICE}")
    return found


@functools.cache
def _supports(program: str, option: str) -> bool:
    usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=False)
    return option in usage.stdout + usage.stderr


@functools.cache
def _processes_are_counted_by_namespace() -> bool:
    """Whether RLIMIT_NPROC inside leaves out the user's other processes (Linux 5.14 and later)."""
    major, minor = platform.release().split(".")[:2]
    return (int(major), int(re.sub(r"\D.*", "", minor))) >= (5, 14)


@contextlib.contextmanager
def _started(program: str, command: Command) -> Iterator[NamespacedTree]:
    with contextlib.ExitStack() as stack:
        tree = NamespacedTree(program, command, stack)
        try:
            tree.begin()
            yield tree
        finally:
            tree.kill()
            tree.close()


class NamespacedTree(LocalTree):
    """A command below bubblewrap; with the first process inside, all of its namespace dies."""

    def __init__(self, program: str, command: Command, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._first: int | None = None
        self._groups = cgroup.ControlGroups(command.limits)
        stack.callback(self._groups.remove)
        self._status, status_inside = _pipe(stack)
        gate_inside, self._gate = _pipe(stack)
        self._leave, leave_inside = map(stack.enter_context, socket.socketpair())
        texts = _written_settings(command.guise)
        settings = {name: _page(text.encode(), stack) for name, text in texts.items()}
        # The first process inside is bubblewrap itself, and the command can read in /proc/1 what
        # that was given: so no environment of the host's, and the options through a file.
        options = "\0".join((*_options(program, command, settings), ""))
        channels = {
            "--args": _page(os.fsencode(options), stack),
            "--seccomp": _page(seccomp.program(), stack),
            "--json-status-fd": status_inside,
            "--block-fd": gate_inside,
            # Without a reader of its status bubblewrap ends, and what it started waits for it.
            "--sync-fd": self._status,
        }
        arguments = (part for name, file in channels.items() for part in (name, str(file.fileno())))
        super().__init__(
            (program, *arguments, "--", *_on_leave(command)),
            limits=command.limits,
            environment={},
            descriptors=[file.fileno() for file in (*settings.values(), *channels.values())],
            standard_input=leave_inside.fileno(),
            popen=keyring.popen,
        )
        for inside_only in (status_inside, gate_inside, leave_inside):
            inside_only.close()

    def begin(self) -> None:
        """Let the command start, under its limits."""
        status = self._status.readline()
        if not status:
            raise SandboxError(f"bubblewrap cannot start: {self._complaint()}. {INSTALL_ADVICE}")
        # It may be gone already, for want of a mount or a directory: `explain` will say.
        with contextlib.suppress(ProcessLookupError, FileNotFoundError, BrokenPipeError):
            self._confine_first(json.loads(status)["child-pid"])
            self._gate.write(b"1")
            self._give_leave()

    def _give_leave(self) -> None:
        """Wait until the command could start, and let it. Raises SandboxError."""
        if not readable(self._leave, START_SECONDS):
            raise SandboxError(f"bubblewrap set up no sandbox within {START_SECONDS:.0f} seconds")
        if self._leave.recv(1):
            self._leave.sendall(b"1\n")

    def _confine_first(self, pid: int) -> None:
        self._first = os.pidfd_open(pid)
        self._stack.callback(os.close, self._first)
        self._groups.add(pid)
        confine(pid, self._limits)
        if _processes_are_counted_by_namespace():
            resource.prlimit(pid, resource.RLIMIT_NPROC, (self._limits.processes,) * 2)

    def poll(self) -> ProcessExit | None:
        """How the command ended, None while it runs."""
        code = self.process.poll()
        if code is None:
            return None
        if self._groups.out_of_memory():
            return ProcessExit(ExitReason.MEMORY, None)
        return ProcessExit.from_code(code if code >= 0 else 128 - code)

    def usage(self) -> ResourceUsage:
        """What the whole tree uses now."""
        usage = super().usage()
        return dataclasses.replace(usage, out_of_memory=self._groups.out_of_memory())

    def kill(self) -> None:
        """End the whole tree: no process outlives the first one of its namespace."""
        self.process.kill()
        self.process.wait()
        if self._first is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
            poll = select.poll()
            poll.register(self._first, select.POLLIN)
            poll.poll(KILL_SECONDS * 1000)

    def explain(self, completed: CommandResult) -> CommandResult:
        """The same, unless bubblewrap never got to run the command.

        Raises SandboxError when the sandbox could not be set up.
        """
        if completed.ending is not ExitReason.EXITED or b"exit-code" in self._status.read():
            return completed
        raise SandboxError(f"bubblewrap cannot set up the sandbox: {completed.output.strip()}")

    def _complaint(self) -> str:
        return (self.read() if readable(self, 1.0) else b"").decode(errors="replace").strip()


def _pipe(stack: contextlib.ExitStack) -> tuple[BinaryIO, BinaryIO]:
    reading, writing = os.pipe()
    inlet = stack.enter_context(os.fdopen(writing, "wb", buffering=0))
    return stack.enter_context(os.fdopen(reading, "rb")), inlet


def _page(content: bytes, stack: contextlib.ExitStack) -> BinaryIO:
    """A file in memory that holds this, to be read from its start."""
    page = stack.enter_context(os.fdopen(os.memfd_create("fixgate"), "w+b", buffering=0))
    page.write(content)
    page.seek(0)
    return page


def _options(program: str, command: Command, settings: Mapping[str, BinaryIO]) -> Iterator[str]:
    """What to give to bubblewrap (man 1 bwrap), in the order in which it is to be done."""
    yield from _isolation(program, command)
    yield from _system(command.network)
    for name, page in settings.items():
        yield from ("--perms", "0644", "--ro-bind-data", str(page.fileno()), f"/etc/{name}")
    yield from _memory_file_systems(command)
    for mount in sorted(command.mounts, key=lambda mount: len(mount.target.parts)):
        yield "--bind" if mount.writable else "--ro-bind"
        yield from (str(mount.source), str(mount.target))
    # The kernel lets root's processes write to /proc/sys by their user alone, even without any
    # capability: /proc/sys/kernel/core_pattern would be a way out.
    for made_here in ("/proc", "/dev", "/"):
        yield from ("--remount-ro", made_here)
    yield from _surroundings(command)


def _on_leave(command: Command) -> tuple[str, ...]:
    # A shell drops the variables whose names it could not have given.
    dropped = [f"{k}={v}" for k, v in command.environment.items() if not _is_identifier(k)]
    with_all = ("/usr/bin/env", *dropped) if dropped else ()
    return ("/bin/sh", "-c", ON_LEAVE, "sh", *with_all, *command.argv)


def _is_identifier(name: str) -> bool:
    return name.isascii() and name.isidentifier()


def _written_settings(guise: Guise) -> Mapping[str, str]:
    user, number = guise.user, guise.uid
    passwd = (
        "root:x:0:0:root:/root:/bin/sh\n"
        f"{user}:x:{number}:{number}::{guise.home}:/bin/sh\n"
        "nobody:x:65534:65534:nobody:/nonexistent:/bin/false\n"
    )
    return {
        "passwd": passwd,
        "group": f"root:x:0:\n{user}:x:{number}:\nnogroup:x:65534:\n",
        "hosts": f"127.0.0.1 localhost {guise.host}\n::1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    }


def _isolation(program: str, command: Command) -> Iterator[str]:
    # The host's user is the guise's inside, root too: a single user is mapped, so whatever the
    # host's user owns belongs to the command's user and can be written where a mount allows it.
    user = str(command.guise.uid)
    yield from ("--unshare-all", "--unshare-user", "--uid", user, "--gid", user)
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
    yield from ("--hostname", command.guise.host)
    # Since 0.8; namespaces made inside have been the way to many a hole in the kernel.
    if _supports(program, "--disable-userns"):
        yield "--disable-userns"
    if command.network:
        yield "--share-net"


def _system(network: bool) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr", "--perms", "0755", "--dir", "/etc")
    for name in SYSTEM_DIRECTORIES:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for name in EMPTY_DIRECTORIES:
        yield from ("--perms", "0755", "--dir", f"/{name}")
    for name in (*SYSTEM_SETTINGS, *(["resolv.conf"] if network else [])):
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    if KEYS.exists():
        yield from ("--ro-bind", os.devnull, str(KEYS))


def _memory_file_systems(command: Command) -> Iterator[str]:
    limits, directories = command.limits, inside.scratch_directories(command.guise)
    sizes = {
        **dict.fromkeys(directories, inside.scratch_bytes(limits)),
        inside.SHARED_MEMORY: inside.SHARED_MEMORY_BYTES,
    }
    for target, size in sizes.items():
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", target)
    yield from ("--dir", "/var", "--symlink", USUAL.scratch, inside.LASTING_SCRATCH)


def _surroundings(command: Command) -> Iterator[str]:
    for name, value in {**inside.default_environment(command.guise), **command.environment}.items():
        yield from ("--setenv", name, value)
    yield from ("--chdir", command.directory)
