"""What is kept of a verification, for its page on the dashboard."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from bot.logs import redact
from bot.messages.judged import Judged
from evaluator.diff import Source, unified_diff
from evaluator.report.verification import verification_json

LONGEST_LOG: Final = 20_000
"""Characters of a run's output, its last ones."""


LONGEST_DIFF: Final = 100_000
"""Characters of a change that are kept, its first ones."""


def evidence_json(judged: Judged, base: Source) -> str:
    """As `fixgate verify --json` gives it, with the change and what each side's first run printed.

    `base` reads the files without the change. `diff` is its beginning as a unified diff,
    `hidden_lines` how many lines follow; `logs` are the ends of outputs.
    """
    diff = _redacted_diff(judged, base)
    shown = diff if len(diff) <= LONGEST_DIFF else diff[: diff.rfind("\n", 0, LONGEST_DIFF) + 1]
    return json.dumps(
        {
            **verification_json(judged.verification),
            "diff": shown,
            "hidden_lines": diff.count("\n", len(shown)),
            "logs": list(_logs(judged)),
        }
    )


def _redacted_diff(judged: Judged, base: Source) -> str:
    change = judged.verification.change
    text = unified_diff(change.code.merged(change.tests), base)
    return redact(text.encode("utf-8", "replace").decode())  # no lone surrogates


def _logs(judged: Judged) -> Iterator[Mapping[str, str]]:
    """`source` is where the tests come from, `side` is `before` or `after`, as for tests."""
    for source, judgement in judged.named:
        for pair in judgement.attempts[:1]:
            for side, run in (("before", pair.base), ("after", pair.fixed)):
                if text := redact(run.output[-LONGEST_LOG:]).strip():
                    yield {"source": source, "side": side, "text": text}
