"""What is known of models by their names."""

from __future__ import annotations

CALLING_TOOLS = (
    "claude-",
    "deepseek-",
    "gemini-",
    "glm-",
    "gpt-3.5-turbo",
    "gpt-4",
    "gpt-5",
    "gpt-6",
    "grok-",
    "kimi-",
    "mistral-large",
    "o1",
    "o3",
    "o4",
)
"""Beginnings of the names of hosted models that take tools.

Whether a model behind somebody's own server does depends on how it is served (vLLM wants
`--enable-auto-tool-choice`, llama.cpp `--jinja`), so that none is taken for granted there.
"""


def calls_tools(model: str) -> bool:
    """Whether a model is known to take tools; `fixgate doctor` tries the others."""
    return model.rpartition("/")[2].lower().startswith(CALLING_TOOLS)
