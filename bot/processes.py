"""Processes that end together."""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def die_with(parent: int, how: signal.Signals) -> None:
    """Have the kernel send this process a signal once its parent is gone (prctl(2), Linux).

    Ends the process where the parent is gone already.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, how)
    if os.getppid() != parent:
        os._exit(1)
