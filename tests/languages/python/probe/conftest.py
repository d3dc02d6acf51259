"""What the comparison of lines says under an interpreter."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages.python.frameworks import PROBE

COMPARE = Path(__file__).with_name("compare_lines.py")


@dataclass(frozen=True)
class Step:
    """One call, traced and counted: its result and the lines that rose, with their counts."""

    traced: str
    counted: str
    events: Mapping[int, int]
    counts: Mapping[int, int]

    @property
    def lost(self) -> set[int]:
        return set(self.events) - set(self.counts)

    @property
    def extra(self) -> set[int]:
        return set(self.counts) - set(self.events)


def compared(python: Path, source: Path, driver: str = "") -> list[Step]:
    command = [str(python), "-W", "ignore", str(COMPARE), str(PROBE), str(source), driver]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["problems"] == []
    pairs = zip(told["traced"], told["counted"], strict=True)
    return [Step(t, c, _numbers(events), _numbers(counts)) for (t, events), (c, counts) in pairs]


def _numbers(counts: Mapping[str, int]) -> dict[int, int]:
    return {int(line): count for line, count in counts.items()}
