"""Parts of contexts of different lengths, so that padding never changes what becomes of one."""

from __future__ import annotations

from typing import Any

import torch


def chunked(states: Any, mask: Any, count: int) -> tuple[Any, Any]:
    """Divide contexts (B, C, H) into `count` chunks: states (B, count, S, H), mask (B, count, S).

    A context of n tokens has chunks of n / count tokens, rounded up; the last ones may be empty.
    """
    lengths = mask.sum(1)
    sizes = torch.div(lengths + count - 1, count, rounding_mode="floor").clamp(min=1)
    longest = int(sizes.max())
    inside = torch.arange(longest, device=mask.device)
    starts = torch.arange(count, device=mask.device)[None, :] * sizes[:, None]
    places = starts[:, :, None] + inside
    real = (inside < sizes[:, None, None]) & (places < lengths[:, None, None])
    rows = torch.arange(len(mask), device=mask.device)[:, None, None]
    found = states[rows, places.clamp(max=max(states.shape[1] - 1, 0))]
    return found * real[..., None], real


def last_states(states: Any, mask: Any) -> Any:
    """The states (N, H) of the last tokens of rows (N, S, H); zeros for rows without tokens."""
    lengths = mask.sum(1)
    rows = torch.arange(len(states), device=states.device)
    return states[rows, (lengths - 1).clamp(min=0)] * (lengths > 0)[:, None]
