"""The reference harness's rules, test names, expectations and report files.

Names of files, fields and sets follow the formats that SWT-Bench publishes
(https://github.com/logic-star-ai/swt-bench) and SWE-bench's result files, on which they build.

The dataset names tests as the reference harness scrapes them from logs; `reference_names` says
under which of those names an outcome of ours may stand.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evaluator.execution import RunPair
from evaluator.model import Evaluation, Instance, State, Status, TestOutcome, Transition
from evaluator.storage.files import write_whole
from evaluator.swtbench.metrics import summarize

RUN_ID = "fixgate"

_FOLDED: Mapping[Status, str] = {
    Status.PASSED: "PASS",
    Status.XFAILED: "PASS",
    Status.FAILED: "FAIL",
    Status.ERROR: "FAIL",
    Status.TIMEOUT: "FAIL",
    Status.OUT_OF_MEMORY: "FAIL",
    Status.CRASHED: "FAIL",
    Status.MISSING: "FAIL",
}
"""How the reference reads an outcome: absent from the log is a failure, skipped is nothing.

It does not know XPASS either, so that such a test, too, is nothing.
"""
_SETS = tuple(f"{before}_TO_{after}" for before in ("FAIL", "PASS") for after in ("PASS", "FAIL"))

Sets = Mapping[str, frozenset[str]]


def transition_sets(transitions: Iterable[Transition]) -> Sets:
    """Test names by `FAIL_TO_PASS`, `FAIL_TO_FAIL`, `PASS_TO_PASS` and `PASS_TO_FAIL`."""
    found: dict[str, set[str]] = defaultdict(set)
    for transition in transitions:
        before = _FOLDED.get(transition.before.status)
        after = _FOLDED.get(transition.after.status)
        if before and after:
            found[f"{before}_TO_{after}"].add(transition.test)
    return {name: frozenset(found[name]) for name in _SETS}


def grade_reference(prediction: Iterable[Transition], before_tests: Iterable[Transition]) -> bool:
    """Success by the reference's rules: the prediction's transitions beside those without it.

    Every F->P of the files as they stood stays one, there is a new F->P, and there is neither a
    new P->F nor a new F->F.
    """
    new, old = transition_sets(prediction), transition_sets(before_tests)
    return (
        new["FAIL_TO_PASS"] > old["FAIL_TO_PASS"]
        and new["PASS_TO_FAIL"] <= old["PASS_TO_FAIL"]
        and new["FAIL_TO_FAIL"] <= old["FAIL_TO_FAIL"]
    )


def reference_names(outcome: TestOutcome) -> frozenset[str]:
    """The names under which SWE-bench's FAIL_TO_PASS and PASS_TO_PASS may list a test.

    They were cut from logs. pytest's node ids end at the first space, and before version 4 name the
    instance of a class too (`::()`), which the dataset leaves out. Django's runner prints
    `method (module.Class)`, since Python 3.11 `method (module.Class.method)`, or the first line of
    the docstring; sympy's prints the bare function.
    """
    test = outcome.test.replace("::()::", "::")
    names = {test, outcome.description, test.partition(" ")[0]}
    if "::" in test:
        names |= {test.rpartition("::")[2]} if re.fullmatch(r"[^:]+::\w+", test) else set()
    else:
        owner, _, method = test.rpartition(".")
        names |= {f"{method} ({owner})", f"{method} ({owner}.{method})"} if owner else set()
    return frozenset(names - {""})


def export_reference(
    directory: Path,
    name: str,
    evaluations: Sequence[Evaluation],
    *,
    gold: Sequence[Evaluation] = (),
) -> None:
    """Write `NAME.RUN_ID.json` and `RUN_ID/NAME/INSTANCE/report.json` under `directory`.

    `gold` are the evaluations of the golden tests, if there are any. What the reference counts and
    fixgate does not keep (coverage before the difference is taken) is null.
    """
    directory.mkdir(parents=True, exist_ok=True)
    model = quote(name, safe="").replace("%2F", "__")
    _write(directory / f"{model}.{RUN_ID}.json", _run_report(evaluations))
    golden = {evaluation.instance_id: evaluation for evaluation in gold}
    for evaluation in evaluations:
        if evaluation.state is State.GRADED:
            path = directory / RUN_ID / model / evaluation.instance_id / "report.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, _instance_report(evaluation, golden.get(evaluation.instance_id)))


def _write(path: Path, document: Mapping[str, Any]) -> None:
    write_whole(path, json.dumps(document, indent=4, sort_keys=True).encode())


def _run_report(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    graded = [e for e in evaluations if e.state is State.GRADED]
    submitted = [e for e in evaluations if e.state is not State.MISSING_PREDICTION]
    lists = {
        "completed": _ids(graded),
        "incomplete": _ids(e for e in evaluations if e not in submitted),
        "submitted": _ids(submitted),
        "resolved": _ids(e for e in graded if e.success),
        "unresolved": _ids(e for e in graded if not e.success),
        "error": _ids(e for e in submitted if e.state is not State.GRADED),
    }
    counts = {f"{name}_instances": len(ids) for name, ids in lists.items() if name != "incomplete"}
    return {
        "total_instances": len(evaluations),
        **counts,
        **{f"{name}_ids": ids for name, ids in lists.items()},
        "Mean coverage": None,
        "Mean coverage delta": summarize(evaluations).estimates["change_coverage_mean"].value,
        "schema_version": 2,
    }


def _ids(evaluations: Iterable[Evaluation]) -> list[str]:
    return sorted(evaluation.instance_id for evaluation in evaluations)


def _instance_report(evaluation: Evaluation, gold: Evaluation | None) -> dict[str, Any]:
    old = [t for t in evaluation.transitions if t.preexisting]
    new = transition_sets(t for t in evaluation.transitions if not t.preexisting)
    report = {
        "patch_is_None": False,
        "patch_exists": bool(evaluation.patch.strip()),
        "patch_successfully_applied": evaluation.well_formed,
        "resolved": evaluation.success,
        "coverage_pred": None,
        "coverage_gold": None,
        "coverage_base": None,
        "coverage_delta_pred": evaluation.coverage.value,
        "coverage_delta_gold": gold.coverage.value if gold else None,
        "added_f2p": len(new["FAIL_TO_PASS"]),
        "tests_pred": _listed(evaluation.transitions),
        "tests_gold": _listed(gold.transitions) if gold else None,
        "tests_base": _listed(old),
    }
    return {evaluation.instance_id: report}


def _listed(transitions: Iterable[Transition]) -> dict[str, list[str]]:
    return {name: sorted(tests) for name, tests in transition_sets(transitions).items()}


_PASSES = frozenset({Status.PASSED, Status.XFAILED})
"""What the dataset counts as passing."""

_SHOWN = 5

End = tuple[Status, Status]
"""How a test ended on R and on R∘X."""


def expectations(instance: Instance, golden: RunPair) -> tuple[str, ...]:
    """In words: how many tests behave as the dataset says, and each of the first that do not."""
    ends = _ends(golden)
    lists = (
        ("FAIL_TO_PASS", instance.fail_to_pass, _fails_then_passes),
        ("PASS_TO_PASS", instance.pass_to_pass, _passes_twice),
    )
    return tuple(said for each in lists for said in _told(*each, ends))


def _ends(golden: RunPair) -> Mapping[str, Sequence[End]]:
    """By every name that the dataset may give a test: how the tests of that name ended.

    Names that were cut at a space, or have lost their file, can stand for several tests.
    """
    named: dict[str, dict[str, End]] = {}
    for outcome in (*golden.base.outcomes.values(), *golden.fixed.outcomes.values()):
        test, file = outcome.test, outcome.file
        end = (golden.base.status_of(test, file), golden.fixed.status_of(test, file))
        for name in reference_names(outcome):
            named.setdefault(name, {})[test] = end
    return {name: tuple(ends.values()) for name, ends in named.items()}


def _told(
    label: str,
    tests: Sequence[str],
    holds: Callable[[End], bool],
    ends: Mapping[str, Sequence[End]],
) -> Iterator[str]:
    if not tests:
        return
    found = {test: ends.get(test, [(Status.MISSING, Status.MISSING)]) for test in tests}
    wrong = {test: every[0] for test, every in found.items() if not any(map(holds, every))}
    yield f"{len(tests) - len(wrong)} of {len(tests)} {label} behave as the dataset says"
    for test, (before, after) in list(wrong.items())[:_SHOWN]:
        yield f"{label} {test}: {before} without the fix, {after} with it"


def _fails_then_passes(end: End) -> bool:
    return end[0].fails and end[1] in _PASSES


def _passes_twice(end: End) -> bool:
    return end[0] in _PASSES and end[1] in _PASSES
