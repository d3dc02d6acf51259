"""How figures and columns are worded, alike on the terminal and on the page."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.model import Failure, State
from evaluator.swtbench.metrics import Estimate


@dataclass(frozen=True)
class Column:
    """A column of the paper's tables 2 and 3: the estimate's name, a heading, and what it says."""

    key: str
    short: str
    meaning: str


COLUMNS = (
    Column("well_formed_rate", "W", "the prediction could be applied"),
    Column(
        "success_rate",
        "S",
        "success: a test fails without the fix and passes with it, and none fails with it",
    ),
    Column("fail_to_any_rate", "F→x", "some test fails without the fix"),
    Column("fail_to_pass_rate", "F→P", "some test fails without the fix and passes with it"),
    Column("pass_to_pass_rate", "P→P", "some test of the prediction passes on both sides"),
    Column("change_coverage_mean", "ΔC", "mean change coverage"),
    Column("change_coverage_mean_success", "ΔC S", "mean change coverage of the successes"),
    Column("change_coverage_mean_failure", "ΔC ¬S", "mean change coverage of the others"),
)

STATES = {
    State.GRADED: "ran",
    State.MISSING_PREDICTION: "no prediction",
    State.CHECKOUT_ERROR: "checkout failed",
    State.INTERPRETER_MISSING: "interpreter missing",
    State.ENVIRONMENT_ERROR: "environment failed",
    State.GOLDEN_ERROR: "golden patch failed",
    State.SANDBOX_ERROR: "sandbox failed",
    State.WORKER_LOST: "workers lost",
    State.INTERNAL_ERROR: "internal error",
}


def percent(value: float | None) -> str:
    """A share from 0 to 1 in per cent with one decimal, or a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f}"


def interval(estimate: Estimate) -> str:
    """The 95 % interval in per cent, in brackets; empty where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{percent(estimate.low)}, {percent(estimate.high)}]"


def shortened(text: str, longest: int) -> str:
    """The first `longest` characters of text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def why(failure: Failure) -> str:
    """The exception's type and message, the type named once."""
    kind = failure.exception_type.rpartition(".")[2]
    if not kind or failure.message.startswith((f"{kind}:", failure.exception_type)):
        return failure.message
    return f"{kind}: {failure.message}" if failure.message else kind
