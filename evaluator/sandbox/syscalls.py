"""The system calls that sandboxed code may make, as one table for every sandbox.

What is not named fails with EPERM. The list began as that of Docker's default profile
(https://github.com/moby/profiles/tree/main/seccomp), without what tests have no use for and attacks
on the kernel have: io_uring, BPF, key rings, other processes' memory, mounts, namespaces, 32 bits.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass

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
