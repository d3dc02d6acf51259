"""Memory and time of a pass, on the processor or on a graphics processor."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch

from generator.tuning.devices import compute_device

_UNIT = 1024
"""Bytes in what Linux counts the memory of a process by."""


@dataclass(frozen=True)
class PassCost:
    """Bytes at the highest point, and seconds.

    Of a processor, bytes are those of the whole process, and seconds those of all its cores
    together. Of a graphics processor, bytes are those of tensors, and seconds pass on a clock.
    """

    peak_bytes: int
    seconds: float


def cost_of(run: Callable[[], object]) -> PassCost:
    """What `run` takes where `compute_device` computes; on a graphics processor the second time."""
    if compute_device().type == "cpu":
        seconds = seconds_of(run)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT
        return PassCost(peak, round(seconds, 3))
    # The first time, kernels are loaded and chosen, which takes longer than a pass.
    run()
    torch.cuda.reset_peak_memory_stats()
    seconds = seconds_of(run)
    return PassCost(torch.cuda.max_memory_allocated(), round(seconds, 4))


def seconds_of(run: Callable[[], object]) -> float:
    """The seconds of `PassCost`."""
    if compute_device().type == "cpu":
        # Time of the processor, which what else runs on the machine does not lengthen.
        started = time.process_time()
        run()
        return time.process_time() - started
    torch.cuda.synchronize()
    started = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return time.perf_counter() - started
