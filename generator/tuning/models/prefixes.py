"""Prefixes: keys and values of every layer, as if tokens had been read before the prompt.

A prefix is a tensor (B, k, width); its last dimension holds, layer by layer, the keys and then the
values of all heads, as peft lays them out. A model of 24 layers that is 1024 wide takes
24 x 2 x 1024 = 49,152 numbers for a token (thesis, section 4.3, p. 27).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache


@dataclass(frozen=True)
class PrefixShape:
    """Layers, heads that have keys and values of their own, and the size of one head."""

    layers: int
    heads: int
    head_size: int

    @property
    def width(self) -> int:
        """Numbers in the keys and values of one soft token."""
        return self.layers * 2 * self.heads * self.head_size

    @staticmethod
    def of(config: Any) -> PrefixShape:
        """The shape that a causal model of transformers expects."""
        config = config.get_text_config(decoder=True)
        heads = config.num_attention_heads
        size = getattr(config, "head_dim", None) or config.hidden_size // heads
        return PrefixShape(
            config.num_hidden_layers, getattr(config, "num_key_value_heads", None) or heads, size
        )


def cache_of(prefix: Any, shape: PrefixShape, config: Any) -> Any:
    """A cache that holds a prefix (B, k, width), for one forward pass of the model."""
    batch, count, _ = prefix.shape
    parted = prefix.view(batch, count, shape.layers, 2, shape.heads, shape.head_size)
    cache = DynamicCache(config=config)
    for layer, states in enumerate(parted.permute(2, 3, 0, 4, 1, 5)):
        cache.update(states[0], states[1], layer)
    return cache


def prefix_of(cache: Any) -> Any:
    """The prefix (B, k, width) that a cache holds: what `cache_of` makes a cache of."""
    layers = [torch.stack((layer.keys, layer.values)) for layer in cache.layers]
    states = torch.stack(layers)
    batch, count = states.shape[2], states.shape[4]
    return states.permute(2, 4, 0, 1, 3, 5).reshape(batch, count, -1)
