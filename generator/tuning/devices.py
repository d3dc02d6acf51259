"""Where models compute: on a graphics processor where there is one, else on the processor."""

from __future__ import annotations

from typing import Any

import psutil
import torch


def compute_device() -> Any:
    """The device of PyTorch on which models are trained and sampled from."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def device_name() -> str:
    """What figures that were measured here are named by."""
    return torch.cuda.get_device_name() if torch.cuda.is_available() else "processor"


def free_memory() -> int:
    """Bytes that the device has for a model."""
    if torch.cuda.is_available():
        return int(torch.cuda.mem_get_info()[0])
    return int(psutil.virtual_memory().available)
