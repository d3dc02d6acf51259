"""Starts programs in session key rings of their own (man 7 session-keyring).

A key ring is inherited: without this, keys of whoever started fixgate could be reached inside.
"""

from __future__ import annotations

import ctypes
import functools
import os
import platform
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from evaluator.sandbox.seccomp import number_of

KEYCTL_JOIN_SESSION_KEYRING = 1


def popen(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
    """`subprocess.Popen` in a new key ring; that of the caller stays as it is."""
    return _spawner(os.getpid()).submit(_start, *arguments, **options).result()


@functools.cache
def _spawner(process: int) -> ThreadPoolExecutor:
    """The one thread of this process that starts programs.

    A key ring belongs to a thread, and this one lives as long as the process: programs that are to
    die with their parent (PR_SET_PDEATHSIG) die with the thread that started them.
    """
    return ThreadPoolExecutor(1, thread_name_prefix=f"fixgate-spawner-{process}")


def _start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
    # It fails where the kernel has no key rings, or keeps them from us: nothing is inherited then.
    call = number_of("keyctl", platform.machine())
    ctypes.CDLL(None).syscall(call, KEYCTL_JOIN_SESSION_KEYRING, None)
    return subprocess.Popen(*arguments, **options)
