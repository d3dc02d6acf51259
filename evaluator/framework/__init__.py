"""Test frameworks: how files become arguments, and which part of the probe runs them."""

from evaluator.framework.protocol import Framework
from evaluator.framework.registry import framework

__all__ = ["Framework", "framework"]
