"""Shows a replay on a terminal; plain text where there is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator.model import Evaluation, State
from evaluator.report.wording import COLUMNS, interval, percent, shortened
from evaluator.swtbench.metrics import Estimate, summarize

SHOWN_IDS = 3


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
            table.add_row(Text(name), Text(state), str(len(found)), Text(_in_words(found)))
    return table


def _in_words(evaluations: Sequence[Evaluation]) -> str:
    names = ", ".join(evaluation.instance_id for evaluation in evaluations[:SHOWN_IDS])
    more = len(evaluations) - SHOWN_IDS
    reason = next((shortened(r, 200) for e in evaluations for r in e.reasons), "no reason given")
    return f"{names}{f' and {more} more' if more > 0 else ''}: {reason}"


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(Text(heading), overflow="fold")
    return table
