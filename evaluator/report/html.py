"""`report.html`: one page that needs nothing else, for people.

Everything that comes from a test, a patch or a log is escaped, and the page's content security
policy forbids every script but its own and every request.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evaluator.model import Evaluation, LineState
from evaluator.report import plots
from evaluator.report.page import ROOMY, SPARSE, TIGHT, LinkTo, Results, build_page
from evaluator.report.wording import COLUMNS, STATES, interval, percent
from evaluator.storage.evidence import evidence_path
from evaluator.storage.files import write_whole

LARGEST_PAGE = 20_000_000
"""Bytes above which the page shows less of each evaluation."""

_MARKS = {LineState.COVERED: "●", LineState.UNCOVERED: "○", LineState.NOT_EXECUTABLE: "·"}
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def write_html(path: Path, results: Results, *, settings: Mapping[str, Any]) -> None:
    """Write the page; it links to the evidence that lies beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, render(results, settings=settings, link_to=_links(path.parent)))


def render(results: Results, *, settings: Mapping[str, Any], link_to: LinkTo) -> bytes:
    """The page as UTF-8, at most LARGEST_PAGE long as far as cutting down messages can do it."""
    page = b""
    for caps in (ROOMY, TIGHT, SPARSE):
        shown = build_page(results, settings=settings, caps=caps, link_to=link_to)
        page = _TEMPLATE.render(page=shown).encode()
        if len(page) <= LARGEST_PAGE:
            break
    return page


def _links(directory: Path) -> LinkTo:
    def link_to(evaluation: Evaluation) -> str:
        path = evidence_path(evaluation)
        return f"{quote(path.as_posix())}/" if (directory / path).is_dir() else ""

    return link_to


def visible(value: object) -> object:
    """Text with the characters that could hide or reorder what is shown made visible."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _INVISIBLE.sub(lambda found: f"⟨{ord(found[0]):x}⟩", value)


def _asset(name: str) -> str:
    return resources.files("evaluator.report").joinpath("templates", name).read_text("utf-8")


def _digest(asset: str) -> str:
    """The source expression that lets an inline asset through the content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(asset.encode()).digest()).decode()}'"


def _make_environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("evaluator.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    style, script = _asset("report.css"), _asset("report.js")
    environment.filters.update(percent=percent, interval=interval)
    environment.globals.update(
        style=style,
        script=script,
        style_digest=_digest(style),
        script_digest=_digest(script),
        columns=COLUMNS,
        state_words=STATES,
        marks=_MARKS,
        plots=plots,
    )
    return environment


_ENVIRONMENT = _make_environment()
_TEMPLATE = _ENVIRONMENT.get_template("report.html.j2")


def render_template(name: str, **values: object) -> bytes:
    """Another page of the same style: a template of this package, filled in, as UTF-8."""
    return _ENVIRONMENT.get_template(name).render(**values).encode()
