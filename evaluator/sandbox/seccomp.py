"""The system calls that sandboxed code may make, as filters: for the kernel, and for Docker.

The program is in the classic BPF of https://docs.kernel.org/userspace-api/seccomp_filter.html; it
is handed to bubblewrap as an array of `struct sock_filter`.

A call that is not named fails with EPERM. The list began as that of Docker's default profile
(https://github.com/moby/profiles/tree/main/seccomp), without what tests have no use for and attacks
on the kernel have: io_uring, BPF, key rings, other processes' memory, mounts, namespaces, 32 bits.
"""

from __future__ import annotations

import errno
import functools
import json
import platform
import socket
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from system_calls import NoSuchSystemCall, NotSupportedSystemCall, syscalls

from evaluator.errors import SandboxError

_NAMES = """
accept accept4 access adjtimex alarm arch_prctl bind brk capget capset chdir chmod chown
clock_getres clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup
dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd
eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod
fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork fremovexattr
fsetxattr fstat fstatfs fsync ftruncate futex futex_waitv futimesat get_robust_list getcpu
getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid
getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid
getsockname getsockopt gettid gettimeofday getuid getxattr inotify_add_watch inotify_init
inotify_init1 inotify_rm_watch io_cancel io_destroy io_getevents io_pgetevents io_setup
io_submit ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset
landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr
lseek lsetxattr lstat madvise membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock
mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend
mq_unlink mremap msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep
newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc
pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2 prlimit64 pselect6 pwrite64
pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg
remap_file_pages removexattr rename renameat renameat2 restart_syscall riscv_flush_icache
riscv_hwprobe rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn
rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval
sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp select
semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto set_robust_list set_tid_address
setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid
setreuid setrlimit setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown
sigaltstack signalfd signalfd4 socketpair splice stat statfs statx symlink symlinkat sync
sync_file_range syncfs sysinfo tee tgkill time timer_create timer_delete timer_getoverrun
timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill truncate
umask uname unlink unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write writev
"""
ALLOWED = frozenset(_NAMES.split())
ABSENT = frozenset({"clone3"})
"""Fail with ENOSYS: flags lie in memory, where no filter can look; C libraries then use `clone`."""


@dataclass(frozen=True)
class Bits:
    """What the lower 32 bits of an argument must be, under a mask.

    No call below looks at the upper bits, so a filter that did could be deceived by them.
    """

    argument: int
    value: int
    mask: int = 0xFFFFFFFF


Case = tuple[Bits, ...]
"""All of these together allow a call."""

NAMESPACES = 0x7E020000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
SOCKET_TYPE = 0xF
AF_NETLINK, NETLINK_ROUTE = 16, 0
PERSONALITIES = (0x0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF)
"""Linux, also with the machine or the version of old; the last one only asks."""
TIOCSTI = 0x5412
"""Puts input into a terminal, as if it had been typed there."""


def _other_than(argument: int, value: int) -> tuple[Case, ...]:
    """Some bit differs. That no one value is meant cannot be said at once with a mask."""
    return tuple((Bits(argument, ~value & 1 << bit, 1 << bit),) for bit in range(32))


def _sockets() -> tuple[Case, ...]:
    """No packets, no raw IP, no hypervisor, no kernel cryptography, no radio or bus."""
    internet = [
        (Bits(0, family), Bits(1, kind, SOCKET_TYPE))
        for family in (socket.AF_INET, socket.AF_INET6)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM)
    ]
    return ((Bits(0, socket.AF_UNIX),), (Bits(0, AF_NETLINK), Bits(2, NETLINK_ROUTE)), *internet)


CONDITIONAL: Mapping[str, tuple[Case, ...]] = {
    "clone": ((Bits(0, 0, NAMESPACES),),),
    "ioctl": _other_than(1, TIOCSTI),
    "personality": tuple((Bits(0, value),) for value in PERSONALITIES),
    "socket": _sockets(),
}
"""Calls that are allowed where any of the cases holds."""


# The kernel's name for each machine (linux/audit.h), and that of the table of numbers.
MACHINES = {
    "x86_64": (0xC000003E, "x86_64"),
    "aarch64": (0xC00000B7, "arm64"),
    "riscv64": (0xC00000F3, "riscv64"),
}
LOAD, AND, RETURN, JUMP = 0x20, 0x54, 0x06, 0x05
IF_EQUAL, IF_GREATER, IF_AT_LEAST = 0x15, 0x25, 0x35
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, ARGUMENT_BYTES = 0, 4, 16, 8
ALLOW, FAIL = 0x7FFF0000, 0x00050000

Instruction = tuple[int, int, int, int]
"""Operation, instructions to skip where its condition holds, and where it does not, operand."""


def number_of(name: str, machine: str) -> int | None:
    """The number of a system call on a machine (as `uname -m` has it), None where it has none.

    Raises SandboxError for a machine that is not known.
    """
    _, table = _known(machine)
    try:
        return int(_numbers().get(name, table))
    except (NoSuchSystemCall, NotSupportedSystemCall):
        return None


@functools.cache
def program(machine: str = platform.machine()) -> bytes:
    """The filter for a machine. Raises SandboxError for one that is not known."""
    return b"".join(struct.pack("=HBBI", *each) for each in _instructions(machine))


def profile() -> str:
    """The same filter as the JSON that Docker takes for a seccomp profile."""
    rules: list[dict[str, Any]] = [{"names": sorted(ALLOWED), "action": "SCMP_ACT_ALLOW"}]
    rules += [{"names": sorted(ABSENT), "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS}]
    for name, cases in CONDITIONAL.items():
        for case in cases:
            arguments = [_compared(bits) for bits in case]
            rules.append({"names": [name], "action": "SCMP_ACT_ALLOW", "args": arguments})
    return json.dumps({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules})


def _compared(bits: Bits) -> dict[str, Any]:
    return {
        "index": bits.argument,
        "op": "SCMP_CMP_MASKED_EQ",
        "value": bits.mask,
        "valueTwo": bits.value,
    }


def _known(machine: str) -> tuple[int, str]:
    if machine not in MACHINES:
        raise SandboxError(
            f"there is no filter of system calls for {machine}, only for {', '.join(MACHINES)}: "
            "use the docker sandbox"
        )
    return MACHINES[machine]


_numbers = functools.cache(syscalls)


def _instructions(machine: str) -> Iterator[Instruction]:
    architecture, _ = _known(machine)
    yield (LOAD, 0, 0, ARCHITECTURE)
    yield (IF_EQUAL, 1, 0, architecture)
    yield (RETURN, 0, 0, FAIL | errno.EPERM)
    yield (LOAD, 0, 0, NUMBER)
    for first, last in _ranges(machine):
        yield (IF_AT_LEAST, 0, 2, first)
        yield (IF_GREATER, 1, 0, last)
        yield (RETURN, 0, 0, ALLOW)
    for name in ABSENT:
        if (number := number_of(name, machine)) is not None:
            yield from _for(number, [(RETURN, 0, 0, FAIL | errno.ENOSYS)])
    for name, cases in CONDITIONAL.items():
        if (number := number_of(name, machine)) is not None:
            yield from _for(number, [each for case in cases for each in _allow(case)])
    yield (RETURN, 0, 0, FAIL | errno.EPERM)


def _ranges(machine: str) -> list[tuple[int, int]]:
    """The numbers of the allowed calls, neighbours together."""
    numbers = sorted(n for name in ALLOWED if (n := number_of(name, machine)) is not None)
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] + 1 == number:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _for(number: int, block: Sequence[Instruction]) -> Iterator[Instruction]:
    """Do this for one call, then refuse it; a conditional jump over all of it may be too far."""
    yield (IF_EQUAL, 1, 0, number)
    yield (JUMP, 0, 0, len(block) + 1)
    yield from block
    yield (RETURN, 0, 0, FAIL | errno.EPERM)


def _allow(case: Case) -> Iterator[Instruction]:
    """Allow where all bits are as wanted; else go on behind this."""
    for place, bits in enumerate(case):
        yield (LOAD, 0, 0, FIRST_ARGUMENT + ARGUMENT_BYTES * bits.argument)
        yield (AND, 0, 0, bits.mask)
        yield (IF_EQUAL, 0, 3 * (len(case) - place - 1) + 1, bits.value)
    yield (RETURN, 0, 0, ALLOW)
