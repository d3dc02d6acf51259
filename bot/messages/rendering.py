"""Texts made of templates: each block of one is a part that is shown whole or left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import jinja2

from bot.messages.markdown import code, fenced, fitted, folded, plain, table

TITLE, DETAILS = "title", "details"
"""The block that is a check's title, and how the names of those below its summary begin."""


@dataclass(frozen=True)
class CheckTexts:
    """What a check shows, within GitHub's limits: a line of plain text, and two in Markdown."""

    title: str
    summary: str
    text: str


def comment(name: str, **values: object) -> str:
    """A comment in Markdown, from the template of this name."""
    return fitted(_parts(name, values).values())


def check(name: str, **values: object) -> CheckTexts:
    """The texts of a check, from the template of this name."""
    parts = _parts(name, values)
    title = parts.pop(TITLE)
    summary = [part for block, part in parts.items() if not block.startswith(DETAILS)]
    details = [part for block, part in parts.items() if block.startswith(DETAILS)]
    return CheckTexts(title, fitted(summary), fitted(details))


def templates() -> Sequence[str]:
    """The names of all templates."""
    return sorted(name.removesuffix(_SUFFIX) for name in _ENVIRONMENT.list_templates())


def _parts(name: str, values: Mapping[str, object]) -> dict[str, str]:
    """The blocks of a template that hold anything, in their order."""
    template = _ENVIRONMENT.get_template(f"{name}{_SUFFIX}")
    context = template.new_context(dict(values))
    parts = {block: "".join(show(context)).strip() for block, show in template.blocks.items()}
    return {block: part for block, part in parts.items() if part}


_SUFFIX = ".md.j2"
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("bot.messages"),
    autoescape=False,  # noqa: S701 - Markdown, made safe by the filters below
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters |= {"plain": plain, "code": code, "fenced": fenced, "folded": folded}
_ENVIRONMENT.globals |= {"table": table}
