"""An Evaluation as a JSON object and back, without loss.

The object also carries what follows from the rest (`kind`, `change_coverage`, `fail_to_any`, ...)
so that other tools need not know the rules; reading back leaves those aside.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluator.errors import InputError
from evaluator.evaluation import (
    ChangeCoverage,
    ChangedLine,
    CodeSide,
    Evaluation,
    LineState,
    Side,
    State,
    Transition,
)
from evaluator.outcome import Failure, Frame, Phase, Status
from evaluator.swtbench.metrics import fail_to_any, fail_to_pass, pass_to_pass

JsonObject = dict[str, Any]


def to_json(evaluation: Evaluation) -> JsonObject:
    """The JSON object of an evaluation; its fields are described in `report.schema.json`."""
    return {
        "instance_id": evaluation.instance_id,
        "prediction": evaluation.prediction,
        "repo": evaluation.repo,
        "state": evaluation.state.value,
        "well_formed": evaluation.well_formed,
        "success": evaluation.success,
        "fail_to_any": fail_to_any(evaluation),
        "fail_to_pass": fail_to_pass(evaluation),
        "pass_to_pass": pass_to_pass(evaluation),
        "change_coverage": evaluation.coverage.value,
        "coverage": _coverage_to_json(evaluation.coverage),
        "transitions": [_transition_to_json(t) for t in evaluation.transitions],
        "timings": dict(evaluation.timings),
        "reasons": list(evaluation.reasons),
        "left_out": list(evaluation.left_out),
        "relaxations": list(evaluation.relaxations),
        "issue_words": evaluation.issue_words,
        "reference_verdict": evaluation.reference_verdict,
        "patch": evaluation.patch,
        "golden_patch": evaluation.golden_patch,
        "commands": dict(evaluation.commands),
    }


def _coverage_to_json(coverage: ChangeCoverage) -> JsonObject:
    return {
        "executable": coverage.executable,
        "covered": coverage.covered,
        "lines": [
            {
                "path": line.path,
                "line": line.line,
                "side": line.side.value,
                "state": line.state.value,
                "text": line.text,
                "tests": list(line.tests),
            }
            for line in coverage.lines
        ],
    }


def _transition_to_json(transition: Transition) -> JsonObject:
    return {
        "test": transition.test,
        "file": transition.file,
        "kind": transition.kind,
        "before": _side_to_json(transition.before),
        "after": _side_to_json(transition.after),
        "flaky": transition.flaky,
        "preexisting": transition.preexisting,
    }


def _side_to_json(side: Side) -> JsonObject:
    return {
        "status": side.status.value,
        "phase": side.phase.value if side.phase else None,
        "duration_seconds": side.duration_seconds,
        "failure": _failure_to_json(side.failure) if side.failure else None,
    }


def _failure_to_json(failure: Failure) -> JsonObject:
    frame = failure.frame
    return {
        "exception_type": failure.exception_type,
        "message": failure.message,
        "frame": {"path": frame.path, "line": frame.line, "function": frame.function}
        if frame
        else None,
    }


def from_json(document: Mapping[str, Any]) -> Evaluation:
    """The evaluation that `to_json` wrote.

    Raises InputError naming the field that is missing or wrong.
    """
    try:
        return _evaluation(document)
    except KeyError as error:
        raise InputError(_complaint(document, f"the field {error} is missing")) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise InputError(_complaint(document, str(error))) from error


def _complaint(document: object, what: str) -> str:
    name = document.get("instance_id", "?") if isinstance(document, Mapping) else "?"
    return f"stored evaluation of {name} cannot be read: {what}; remove it to have it judged again"


def _evaluation(document: Mapping[str, Any]) -> Evaluation:
    return Evaluation(
        instance_id=document["instance_id"],
        prediction=document["prediction"],
        repo=document["repo"],
        state=State(document["state"]),
        well_formed=document["well_formed"],
        success=document["success"],
        transitions=tuple(_transition(t) for t in document["transitions"]),
        coverage=ChangeCoverage(tuple(_line(item) for item in document["coverage"]["lines"])),
        timings=dict(document["timings"]),
        reasons=tuple(document["reasons"]),
        left_out=tuple(document["left_out"]),
        relaxations=tuple(document["relaxations"]),
        issue_words=document["issue_words"],
        reference_verdict=document["reference_verdict"],
        patch=document["patch"],
        golden_patch=document["golden_patch"],
        commands=dict(document["commands"]),
    )


def _transition(document: Mapping[str, Any]) -> Transition:
    return Transition(
        test=document["test"],
        file=document["file"],
        before=_side(document["before"]),
        after=_side(document["after"]),
        flaky=document["flaky"],
        preexisting=document["preexisting"],
    )


def _side(document: Mapping[str, Any]) -> Side:
    phase, failure = document["phase"], document["failure"]
    return Side(
        status=Status(document["status"]),
        phase=None if phase is None else Phase(phase),
        duration_seconds=document["duration_seconds"],
        failure=None if failure is None else _failure(failure),
    )


def _failure(document: Mapping[str, Any]) -> Failure:
    frame = document["frame"]
    return Failure(
        exception_type=document["exception_type"],
        message=document["message"],
        frame=None if frame is None else Frame(frame["path"], frame["line"], frame["function"]),
    )


def _line(document: Mapping[str, Any]) -> ChangedLine:
    return ChangedLine(
        path=document["path"],
        line=document["line"],
        side=CodeSide(document["side"]),
        state=LineState(document["state"]),
        text=document["text"],
        tests=tuple(document["tests"]),
    )
