"""The style of all pages: that of the judge's reports, and a little more."""

from __future__ import annotations

from importlib import resources
from typing import Final

_REPORT = resources.files("evaluator.report").joinpath("templates", "report.css")
_OWN = resources.files("bot.web").joinpath("templates", "web.css")

STYLE: Final = _REPORT.read_text("utf-8") + _OWN.read_text("utf-8")
