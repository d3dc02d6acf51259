"""The issue that lists what became of bug reports, with a box for each to try again."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.messages import rendering
from bot.messages.comments import marker

DASHBOARD_MARKER: Final = marker("dashboard")
TITLE: Final = "fixgate: bug reports"
_TICKED: Final = re.compile(r"^- \[[xX]\] <!-- retry:([0-9]{1,9}) -->", re.MULTILINE)


class ReportState(enum.StrEnum):
    """What became of a bug report."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not_reproduced"
    CALLED_WRONG = "called_wrong"
    IN_WORK = "in_work"
    UNFINISHED = "unfinished"


@dataclass(frozen=True)
class ReportRow:
    """A line of the list; `confidence` is that of a test, from 0 to 1."""

    number: int
    state: ReportState
    confidence: float = 0.0


def dashboard(rows: Sequence[ReportRow]) -> str:
    """The text of the issue below its marker."""
    by_state: Mapping[str, list[ReportRow]] = {state.value: [] for state in ReportState}
    for row in rows:
        by_state[row.state.value].append(row)
    return rendering.comment("issue_dashboard", rows=by_state, total=len(rows))


def ticked(text: str) -> Sequence[int]:
    """The numbers of the issues whose boxes somebody ticked, each once."""
    return list(dict.fromkeys(int(number) for number in _TICKED.findall(text)))
