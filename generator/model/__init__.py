"""Language models: one protocol, endpoints that follow it, caches, recordings, accounts."""

from generator.model.protocol import Message, Model, Parameters, Reply, TokenUsage, Tool, ToolCall

__all__ = ["Message", "Model", "Parameters", "Reply", "TokenUsage", "Tool", "ToolCall"]
