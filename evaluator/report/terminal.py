"""Tells a replay, or one evaluation, on a terminal; plain text where there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.evaluation import Evaluation, Side, State, Transition
from evaluator.report.wording import COLUMNS, interval, percent, shortened, why
from evaluator.swtbench.metrics import Estimate, summarize

SHOWN_IDS = 3
SHOWN_TESTS = 40

_STYLES = {"F->P": "green", "F->F": "red", "P->F": "red"}


def print_replay(console: Console, results: Mapping[str, Sequence[Evaluation]]) -> None:
    """The figures of each prediction, and for those that did not run, why."""
    summaries = {name: summarize(evaluations) for name, evaluations in results.items()}
    table = _table("prediction")
    for heading in ("ran", *(column.short for column in COLUMNS)):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, summary in summaries.items():
        figures = [percent(summary.estimates[column.key].value) for column in COLUMNS]
        table.add_row(Text(name), f"{summary.graded}/{summary.instances}", *figures)
    console.print(table)
    console.print(Text())
    for name, summary in summaries.items():
        console.print(_success(name, summary.estimates))
    console.print(Text("Figures in %, over the instances that ran. ΔC: change coverage."))
    not_run = _not_run(results)
    if not_run.row_count:
        console.print(Text())
        console.print(not_run)


def _success(name: str, estimates: Mapping[str, Estimate]) -> Text:
    ran, everywhere = estimates["success_rate"], estimates["success_rate_all"]
    said = f"{name}: S {percent(ran.value)} {interval(ran)} of {ran.denominator} that ran"
    if everywhere.denominator != ran.denominator:
        said += f", {percent(everywhere.value)} of all {everywhere.denominator}"
    return Text(said)


def _not_run(results: Mapping[str, Sequence[Evaluation]]) -> Table:
    table = _table("did not run", "state", "", "instances and first reason")
    for name, evaluations in results.items():
        states: dict[State, list[Evaluation]] = defaultdict(list)
        for evaluation in evaluations:
            if evaluation.state is not State.GRADED:
                states[evaluation.state].append(evaluation)
        for state, found in sorted(states.items(), key=lambda item: (-len(item[1]), item[0])):
            table.add_row(Text(name), Text(state), str(len(found)), Text(_told(found)))
    return table


def _told(evaluations: Sequence[Evaluation]) -> str:
    names = ", ".join(evaluation.instance_id for evaluation in evaluations[:SHOWN_IDS])
    more = len(evaluations) - SHOWN_IDS
    reason = next((shortened(r, 200) for e in evaluations for r in e.reasons), "no reason given")
    return f"{names}{f' and {more} more' if more > 0 else ''}: {reason}"


def print_evaluation(console: Console, evaluation: Evaluation) -> None:
    """One evaluation: how it ended, its reasons, its tests on both sides, its change coverage."""
    console.print(_headline(evaluation))
    for reason in evaluation.reasons:
        console.print(Text(f"  {shortened(reason, 400)}"))
    own = [t for t in evaluation.transitions if not t.preexisting]
    if own:
        console.print(_tests(own[:SHOWN_TESTS]))
    hidden = len(own[SHOWN_TESTS:])
    if hidden:
        console.print(Text(f"and {hidden} more tests"))
    coverage = evaluation.coverage
    if coverage.value is not None:
        said = f"{coverage.covered} of {coverage.executable} executable changed lines covered"
        console.print(Text(f"{said} ({percent(coverage.value)} %)"))


def _headline(evaluation: Evaluation) -> Text:
    if evaluation.state is not State.GRADED:
        outcome = Text(f"did not run ({evaluation.state})", style="yellow")
    elif evaluation.success:
        outcome = Text("success", style="bold green")
    else:
        outcome = Text("no success", style="bold red")
    return Text.assemble(f"{evaluation.instance_id} ({evaluation.prediction}): ", outcome)


def _tests(transitions: Iterable[Transition]) -> Table:
    table = _table("test", "R", "R∘X", "reason")
    for transition in transitions:
        style = "" if transition.flaky else _STYLES.get(transition.kind, "")
        table.add_row(
            Text(transition.test + (" (flaky)" if transition.flaky else "")),
            Text(transition.before.status, style=style),
            Text(transition.after.status, style=style),
            Text(_reason(transition.after) or _reason(transition.before)),
        )
    return table


def _reason(side: Side) -> str:
    return shortened(why(side.failure), 120) if side.failure else ""


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(Text(heading), overflow="fold")
    return table
