"""What is kept of a verification, for its page on the dashboard."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from bot.logs import redact
from bot.messages.judged import Judged
from evaluator.report.verification import verification_json

LONGEST_LOG: Final = 20_000
"""Characters of a run's output, its last ones."""


def evidence_json(judged: Judged) -> str:
    """As `fixgate verify --json` gives it, with the end of what each side's first run printed."""
    return json.dumps({**verification_json(judged.verification), "logs": list(_logs(judged))})


def _logs(judged: Judged) -> Iterator[Mapping[str, str]]:
    """`source` is where the tests come from, `side` is `before` or `after`, as for tests."""
    for source, judgement in judged.named:
        for pair in judgement.attempts[:1]:
            for side, run in (("before", pair.base), ("after", pair.fixed)):
                if text := redact(run.output[-LONGEST_LOG:]).strip():
                    yield {"source": source, "side": side, "text": text}
