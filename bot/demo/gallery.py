"""A page with every text of the App, shown as GitHub shows it."""

from __future__ import annotations

from collections.abc import Iterable

import jinja2

from bot.demo.simulator.pages.markdown import to_html
from bot.demo.simulator.pages.website import MARKS
from bot.messages.examples import MessageExample
from bot.messages.phrases import OF_TESTS, OTHERS

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.ChoiceLoader(
        [
            jinja2.PackageLoader("bot.demo"),
            jinja2.PackageLoader("bot.demo.simulator.pages"),
        ]
    ),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_ENVIRONMENT.filters["markdown"] = lambda text: to_html(text, lambda _: "")


def gallery(examples: Iterable[MessageExample]) -> str:
    """An HTML page of its own, which fetches nothing."""
    style = _ENVIRONMENT.get_template("pages.css").render()
    template = _ENVIRONMENT.get_template("gallery.html.j2")
    reasons = [(one, many.format(3)) for one, many in OF_TESTS.values()]
    return template.render(
        style=style, examples=list(examples), marks=MARKS, reasons=reasons, others=OTHERS.values()
    )
