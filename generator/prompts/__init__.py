"""Prompts as templates, one file each, in the language of Jinja.

A name that a template uses and is not given is an error. What strangers wrote (an issue, the
output of a command, a file) goes through the filter `data`, so that it stands between marks that
it cannot close by itself.
"""

from __future__ import annotations

import functools
import re

from jinja2 import Environment, PackageLoader, StrictUndefined


def render(name: str, **values: object) -> str:
    """The prompt of a name (`agent` for `agent.j2`) with its values filled in."""
    return _templates().get_template(f"{name}.j2").render(**values).strip() + "\n"


def data(text: str, tag: str) -> str:
    """A text between `<tag>` and `</tag>`; where it holds one of the two, that is bent."""
    bent = re.sub(rf"<(/?\s*{re.escape(tag)}\b)", r"< \1", text.strip("\n"), flags=re.IGNORECASE)
    return f"<{tag}>\n{bent}\n</{tag}>"


@functools.cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("generator", "prompts"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - prompts are plain text
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data"] = data
    return environment
