"""The table of system calls as filters: a program for the kernel, and a profile for Docker.

The program is in the classic BPF of https://docs.kernel.org/userspace-api/seccomp_filter.html; it
is handed to bubblewrap as an array of `struct sock_filter`.
"""

from __future__ import annotations

import errno
import functools
import json
import platform
import struct
from collections.abc import Iterator, Sequence
from typing import Any

from system_calls import NoSuchSystemCall, NotSupportedSystemCall, syscalls

from evaluator.errors import SandboxError
from evaluator.sandbox.syscalls import ABSENT, ALLOWED, CONDITIONAL, Bits, Case

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
