"""Language models: one protocol, endpoints that follow it, caches, recordings, accounts."""

from generator.model.protocol import Message, Model, Parameters, Reply, Tool, ToolCall, Usage

__all__ = ["Message", "Model", "Parameters", "Reply", "Tool", "ToolCall", "Usage"]
