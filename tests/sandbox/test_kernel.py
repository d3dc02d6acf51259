"""What the kernel does for sandboxed code, and what it refuses."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
from collections.abc import Iterator

import pytest

from evaluator.errors import SandboxError
from evaluator.sandbox.protocol import ExitReason
from evaluator.sandbox.seccomp import ABSENT, ALLOWED, CONDITIONAL, MACHINES, number_of, program

REFUSED = {
    "io_uring_setup": (8, 0),
    "io_uring_enter": (),
    "io_uring_register": (),
    "keyctl": (0, -3, 0),
    "add_key": (),
    "request_key": (),
    "bpf": (),
    "userfaultfd": (1,),
    "perf_event_open": (),
    "ptrace": (0,),
    "process_vm_readv": (1, 0, 0, 0, 0, 0),
    "process_vm_writev": (1, 0, 0, 0, 0, 0),
    "process_madvise": (),
    "pidfd_getfd": (),
    "kcmp": (1, 1, 0, 0, 0),
    "kexec_load": (),
    "init_module": (),
    "mount": (),
    "umount2": (),
    "pivot_root": (),
    "fsopen": (),
    "open_tree": (),
    "move_mount": (),
    "mount_setattr": (),
    "open_by_handle_at": (),
    "name_to_handle_at": (),
    "fanotify_init": (),
    "unshare": (0,),
    "setns": (),
    "chroot": (),
    "personality": (0x0400000,),
    "socket": (40, 1, 0),
    "quotactl": (),
    "modify_ldt": (),
    "syslog": (3, 0, 0),
}
SOCKETS = {
    "vsock": (40, 1, 0),
    "alg": (38, 5, 0),
    "packet": (17, 3, 0),
    "raw": (2, 3, 1),
    "raw6": (10, 3, 58),
    "bluetooth": (31, 3, 0),
    "netfilter": (16, 3, 12),
    "high bits set": (40 | 1 << 32, 1, 0),
}
NEW_USER, NEW_NETWORK, CHILD_SIGNAL = 0x10000000, 0x40000000, 17
CALLS = """
    import ctypes, json
    libc = ctypes.CDLL(None, use_errno=True)
    def call(number, arguments):
        given = [ctypes.c_ulong(argument % 2 ** 64) for argument in [number, *arguments]]
        ctypes.set_errno(0)
        return ctypes.get_errno() if libc.syscall(*given) == -1 else 0
    print(json.dumps([call(*each) for each in json.loads('''NUMBERED''')]))
"""


def errors(bench, *calls: tuple[str, tuple[int, ...]]) -> list[int]:
    """What each of the calls comes to: an errno, 0 where it succeeds."""
    machine = platform.machine()
    numbered = [(number_of(name, machine), arguments) for name, arguments in calls]
    done = bench.python(CALLS.replace("NUMBERED", json.dumps(numbered)))
    assert done.exit_code == 0, done.output
    found: list[int] = json.loads(done.output)
    return found


def test_what_attacks_on_the_kernel_need_is_refused(walled):
    names = [name for name in REFUSED if number_of(name, platform.machine()) is not None]
    found = dict(zip(names, errors(walled, *((n, REFUSED[n]) for n in names)), strict=True))
    assert found == dict.fromkeys(found, errno.EPERM)
    assert len(found) > 25


def test_only_sockets_of_a_network_or_a_file_system_can_be_made(walled):
    found = errors(walled, *(("socket", each) for each in SOCKETS.values()))
    assert dict(zip(SOCKETS, found, strict=True)) == dict.fromkeys(SOCKETS, errno.EPERM)
    usual = [(1, 1, 0), (1, 2, 0), (1, 5, 0), (2, 1, 0), (10, 2, 0), (2, 1 | 0o2000000, 0)]
    assert errors(walled, *(("socket", each) for each in usual)) == [0] * len(usual)


def test_no_namespace_comes_with_a_new_process(walled):
    calls = [("clone", (flags | CHILD_SIGNAL,)) for flags in (NEW_USER, NEW_NETWORK)]
    assert errors(walled, *calls, ("clone3", (0, 0))) == [errno.EPERM, errno.EPERM, errno.ENOSYS]


def test_nothing_is_typed_into_a_terminal(walled):
    done = walled.python("""
        import ctypes, fcntl, pty, termios
        libc = ctypes.CDLL(None, use_errno=True)
        master, slave = pty.openpty()
        print(fcntl.ioctl(slave, termios.TIOCGWINSZ, bytes(8)))
        for request in (termios.TIOCSTI, termios.TIOCSTI | 1 << 32):
            libc.ioctl(slave, ctypes.c_ulong(request), ctypes.c_char_p(b"x"))
            print(ctypes.get_errno())
    """)
    assert done.output.splitlines() == [str(bytes(8)), str(errno.EPERM), str(errno.EPERM)]


@pytest.mark.skipif(platform.machine() != "x86_64", reason="these are calls of x86")
@pytest.mark.parametrize("way", ["libc.syscall(0x40000000 | 39)", "by_interrupt(20)"])
def test_other_ways_of_calling_the_kernel_are_refused(walled, way):
    """x32 by its numbers, and 32 bits by `int 0x80`, here for getpid. Docker ends the process."""
    done = walled.python(f"""
        import ctypes, mmap
        libc = ctypes.CDLL(None, use_errno=True)
        def by_interrupt(number):
            code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            # mov eax, number; int 0x80; ret
            code.write(b"\\xb8" + number.to_bytes(4, "little") + b"\\xcd\\x80\\xc3")
            address = ctypes.addressof(ctypes.c_char.from_buffer(code))
            return ctypes.CFUNCTYPE(ctypes.c_int)(address)()
        print({way}, flush=True)
    """)
    assert done.ending is ExitReason.KILLED or int(done.output) < 0


def test_what_programs_need_works(walled):
    done = walled.python("""
        import asyncio, ctypes, mmap, select, signal, socket, sqlite3, subprocess, threading
        thread = threading.Thread(target=lambda: None)
        thread.start(); thread.join()
        async def main():
            child = await asyncio.create_subprocess_exec("true")
            return await child.wait()
        assert asyncio.run(main()) == 0
        assert subprocess.run(["sh", "-c", "echo x | cat"], capture_output=True).stdout == b"x\\n"
        database = sqlite3.connect(f"{tree}/database")
        database.execute("pragma journal_mode=wal")
        database.execute("create table t (x)")
        socket.getaddrinfo("localhost", 80)
        assert socket.if_nameindex()
        ours, theirs = socket.socketpair()
        os.memfd_create("x")
        os.getrandom(1)
        select.epoll().close()
        mmap.mmap(-1, 4096).close()
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.inotify_init() > 0 and libc.timerfd_create(0, 0) > 0 and libc.eventfd(0, 0) > 0
        os.sched_setaffinity(0, os.sched_getaffinity(0))
        signal.setitimer(signal.ITIMER_REAL, 0)
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
        print("all of it")
    """)
    assert done.output == "all of it\n"


@contextlib.contextmanager
def key_of_the_host() -> Iterator[str]:
    """A key in the session key ring of these tests, and its description."""
    libc = ctypes.CDLL(None, use_errno=True)
    add, keyctl = (number_of(name, platform.machine()) for name in ("add_key", "keyctl"))
    description, session, unlink = f"fixgate-test-{os.getpid()}", -3, 9
    key = libc.syscall(add, b"user", description.encode(), b"secret", 6, session)
    if key == -1:
        pytest.skip("the kernel gives these tests no key ring")
    yield description
    libc.syscall(keyctl, unlink, key, session)


def test_keys_of_the_host_are_not_seen(walled):
    with key_of_the_host() as description:
        done = walled.run("sh", "-c", "cat /proc/keys; echo end")
    assert description not in done.output
    assert done.output.endswith("end\n")


@pytest.mark.bubblewrap
def test_the_session_key_ring_is_a_new_one(bench_in, monkeypatch):
    """Without the filter, which allows nobody to ask."""
    everything = program.__wrapped__()[: 8 * 4] + b"\x06\0\0\0\0\0\xff\x7f"
    monkeypatch.setattr("evaluator.sandbox.seccomp.program", lambda: everything)
    search, session = 10, -3
    with key_of_the_host() as description:
        name = number_of("keyctl", platform.machine())
        done = bench_in("bubblewrap").python(f"""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            print(libc.syscall({name}, {search}, {session}, b"user", b"{description}", 0))
            print(ctypes.get_errno())
        """)
    assert done.output.split() == ["-1", str(errno.ENOKEY)]


@pytest.mark.parametrize("machine", MACHINES)
def test_every_machine_knows_the_calls(machine):
    names = {*ALLOWED, *ABSENT, *CONDITIONAL}
    known = {name for name in names if number_of(name, machine) is not None}
    assert {"read", "openat", "socket", "clone", "clone3", "ioctl", "rseq"} <= known
    assert len(known) > 230
    assert len(program(machine)) % 8 == 0


def test_no_call_is_both_allowed_and_refused():
    assert not ALLOWED & (REFUSED.keys() | ABSENT | CONDITIONAL.keys())
    assert not ABSENT & CONDITIONAL.keys()


def test_a_machine_that_is_not_known_is_named():
    with pytest.raises(SandboxError, match="no filter of system calls for vax"):
        program("vax")
