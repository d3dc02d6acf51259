"""The nouns: what is judged, what a run of tests shows, and what judging shows.

All other modules import them from here, and they import nothing but how a command ended.
"""

from evaluator.model.evaluation import (
    ChangeCoverage,
    ChangedLine,
    Evaluation,
    LineState,
    Revision,
    Side,
    State,
    Transition,
)
from evaluator.model.instance import Instance, Prediction
from evaluator.model.outcome import (
    FAILING,
    Failure,
    Frame,
    LineHits,
    Phase,
    Run,
    Status,
    TestOutcome,
)

__all__ = [
    "FAILING",
    "ChangeCoverage",
    "ChangedLine",
    "Evaluation",
    "Failure",
    "Frame",
    "Instance",
    "LineHits",
    "LineState",
    "Phase",
    "Prediction",
    "Revision",
    "Run",
    "Side",
    "State",
    "Status",
    "TestOutcome",
    "Transition",
]
