"""How much PyTorch keeps of kernels that it compiles for the shapes of matrices.

With bf16 on a processor, oneDNN compiles a kernel for each shape, and both oneDNN and what stands
between it and PyTorch keep the last 1,024, each with its buffers. Batches have lengths of their
own: shapes come again in the layers of one step, and seldom in later steps.
"""

from __future__ import annotations

import os

KEPT_KERNELS = 64
"""Of each cache; a kernel and its buffers took 0.5 MB where products were small."""
_CACHES = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY")


def bound_kernel_caches() -> None:
    """Keep few kernels in this process, unless its environment says how many.

    The libraries look once, at the first product in bf16: later calls change nothing.
    """
    for name in _CACHES:
        os.environ.setdefault(name, f"{KEPT_KERNELS}")
