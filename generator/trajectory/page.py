"""A trajectory as one page for people: a conversation, with commands and their results folded.

It needs nothing else and runs no script; all text is escaped, and the page's content security
policy forbids every request.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from evaluator.report.html import visible
from evaluator.storage import write_whole
from generator.trajectory.reading import SavedTrajectory, TrajectoryEntry

_LONGEST_TEXT = 100_000
_FOLDED_FROM = 1200
"""Characters from which on any text is folded."""

_WHO = {
    "system": "Instructions",
    "user": "Asked",
    "assistant": "Model",
    "tool": "Result",
    "note": "fixgate",
    "exit": "End",
}
_FACTS = {
    "method": "method",
    "model": "model",
    "exit_status": "ended as",
    "reason": "because",
}
_SHOWN_ELSEWHERE = ("conversation", "time", "usage")
_GOES_WITHOUT_SAYING = (None, "", False, "stop", "tool_calls")


@dataclass(frozen=True)
class ShownMessage:
    """One message as it is shown: `summary` stands for the text while that is folded.

    `calls` are names, summaries and arguments; `details` short facts, `attachments` names and texts
    of several lines.
    """

    role: str
    who: str
    text: str
    left_out: int
    summary: str
    folded: bool
    calls: tuple[tuple[str, str, str], ...]
    details: tuple[str, ...]
    attachments: tuple[tuple[str, str], ...]
    conversation: int


def write_page(path: Path, trajectory: SavedTrajectory) -> None:
    """Write the page of a trajectory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, render(trajectory))


def render(trajectory: SavedTrajectory, links: Mapping[str, str] | None = None) -> bytes:
    """The page as UTF-8; `links` to pages around it are addresses by their text."""
    turns = [_turn(entry) for entry in trajectory.entries]
    page = _TEMPLATE.render(
        title=str(trajectory.info.get("instance_id") or "A conversation"),
        facts=_facts(trajectory.info),
        turns=turns,
        several=len({turn.conversation for turn in turns} - {0}) > 1,
        submission=trajectory.submission,
        links=links or {},
    )
    return page.encode("utf-8", "replace")


def _facts(info: Mapping[str, Any]) -> list[tuple[str, str]]:
    facts = [(name, str(info[key])) for key, name in _FACTS.items() if info.get(key)]
    return facts + _used(info.get("model_stats"))


def _used(statistics: object) -> list[tuple[str, str]]:
    if not isinstance(statistics, Mapping) or not statistics.get("api_calls"):
        return []
    calls = f"{statistics['api_calls']} calls"
    tokens = [f"{statistics[k]:,} {k.replace('_', ' ')}" for k in _TOKENS if statistics.get(k)]
    return [("used", ", ".join([calls, *tokens, _money(statistics.get("instance_cost"))]))]


_TOKENS = ("input_tokens", "output_tokens")


def _money(cost: object) -> str:
    return f"${cost:.4f}" if isinstance(cost, int | float) else "at a price that is not known"


def _turn(entry: TrajectoryEntry) -> ShownMessage:
    text = entry.content.strip("\n")
    shown, extra = text[:_LONGEST_TEXT], _extras(entry.extra)
    return ShownMessage(
        role=entry.role,
        who=_WHO.get(entry.role, entry.role),
        text=shown,
        left_out=len(text) - len(shown),
        summary=_summary(text),
        folded=entry.role in ("system", "tool") or len(text) > _FOLDED_FROM,
        calls=tuple(_call(name, _readable(arguments)) for name, arguments in entry.calls),
        details=tuple(f"{name}: {value}" for name, value in extra.items() if "\n" not in value),
        attachments=tuple((name, value) for name, value in extra.items() if "\n" in value),
        conversation=_number(entry.extra.get("conversation")),
    )


def _call(name: str, arguments: str) -> tuple[str, str, str]:
    return name, _summary(arguments), arguments


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _summary(text: str) -> str:
    lines = text.splitlines() or [""]
    first = next((line for line in lines if line.strip()), "")[:120]
    return f"{first} ({len(lines)} lines)" if len(lines) > 1 else first


def _readable(arguments: str) -> str:
    """Arguments as a person would type them: a lone text as it is, else spread over lines."""
    try:
        value = json.loads(arguments)
    except ValueError:
        return arguments
    values = list(value.values()) if isinstance(value, dict) else []
    if len(values) == 1 and isinstance(values[0], str):
        return values[0]
    return json.dumps(value, indent=1, ensure_ascii=False)


def _extras(extra: Mapping[str, Any]) -> dict[str, str]:
    """What was saved beside a message, but for what is shown elsewhere or goes without saying."""
    return {
        name.replace("_", " "): _plain(value)
        for name, value in extra.items()
        if name not in _SHOWN_ELSEWHERE and value not in _GOES_WITHOUT_SAYING
    }


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _style() -> str:
    shared = resources.files("evaluator.report").joinpath("templates", "report.css")
    own = resources.files("generator.trajectory").joinpath("templates", "trajectory.css")
    return shared.read_text("utf-8") + own.read_text("utf-8")


def _make_environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("generator.trajectory"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=visible,
    )
    style = _style()
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    environment.globals.update(style=style, style_digest=f"'sha256-{digest}'")
    return environment


_TEMPLATE = _make_environment().get_template("trajectory.html.j2")
