"""`fixgate experiments`: the paper's tables and analyses over the reports of replays."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from evaluator.commands.options import ManyValuesCommand, answer_console
from evaluator.errors import InputError
from evaluator.experiments import analyses, comparisons, rules
from evaluator.experiments.comparisons import Table, as_csv, as_json, as_markdown, print_table
from evaluator.experiments.provenance import Provenance, read_provenance
from evaluator.model import Evaluation
from evaluator.report.document import read_report
from evaluator.swtbench.dataset import load_instances

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def experiments() -> None:
    """Tables and analyses of the paper, made from the report.json files of replays."""


def _experiment(name: str, *options: Any) -> Callable[..., click.Command]:
    """A command that reads reports and prints the table that its function makes of them."""

    def decorate(make: Callable[..., Table]) -> click.Command:
        def run(reports: Sequence[Path], form: str, **given: Any) -> None:
            _print(make(_results(reports), **given), form)

        command: Callable[..., Any] = run
        for option in (*reversed(options), _FORM, _REPORTS):
            command = option(command)
        made = click.command(name, cls=ManyValuesCommand, help=make.__doc__)(command)
        experiments.add_command(made)
        return made

    return decorate


_REPORTS = click.argument("reports", nargs=-1, required=True, type=_FILE)
_FORM = click.option(
    "--format",
    "form",
    type=click.Choice(["terminal", "markdown", "csv", "json"]),
    default="terminal",
    show_default=True,
)
_ROWS = click.option(
    "--rows",
    "files",
    type=_FILE,
    multiple=True,
    required=True,
    help="Predictions that `fixgate generate` wrote; each describes the prediction named as its "
    "stem. Takes several.",
)


@_experiment("methods")
def _methods(results: comparisons.Results) -> Table:
    """Table 2: well-formedness, success and transitions of each prediction."""
    return comparisons.by_method(results)


@_experiment("coverage")
def _coverage(results: comparisons.Results) -> Table:
    """Table 3: change coverage of each prediction."""
    return comparisons.by_coverage(results)


@_experiment("models", _ROWS)
def _models(results: comparisons.Results, files: Sequence[Path]) -> Table:
    """Table 4: methods by model."""
    return comparisons.by_model(results, _provenances(files))


@_experiment("information", _ROWS)
def _information(results: comparisons.Results, files: Sequence[Path]) -> Table:
    """Table 5: methods by what their prompts were given."""
    return comparisons.by_information(results, _provenances(files))


_TABLES = {"rule": rules.by_rule, "repository": rules.by_repository, "fold": rules.by_fold}


@experiments.command("rules", cls=ManyValuesCommand)
@click.argument("recorded", nargs=-1, required=True, type=_FILE)
@click.option(
    "--by",
    type=click.Choice(list(_TABLES)),
    default="rule",
    show_default=True,
    help="With and without each rule, by repository, or each repository with the rules that the "
    "others choose.",
)
@click.option(
    "--denials",
    type=click.Choice(["exception", "output"]),
    multiple=True,
    help="Count tests that only deny the reported exception or output as submitted. Takes several.",
)
@_FORM
def _rules(recorded: Sequence[Path], by: str, denials: Sequence[str], form: str) -> None:
    """What each rule of issue-only is worth, from rows of `generate --method issue-only-rules`."""
    issues = rules.read_recorded(recorded)
    _print(_TABLES[by](rules.RecordedRules(issues, denials)), form)


@_experiment("length", click.option("--bins", type=click.IntRange(min=1), default=5))
def _length(results: comparisons.Results, bins: int) -> Table:
    """Success by issue length."""
    return analyses.by_issue_length(results, bins)


@_experiment("repositories")
def _repositories(results: comparisons.Results) -> Table:
    """Success by repository."""
    return analyses.by_repository(results)


@_experiment(
    "date",
    click.option("--dataset", required=True, help="The instances, for their dates."),
    click.option("--split", type=click.DateTime(["%Y-%m-%d"]), required=True, help="The date."),
)
def _date(results: comparisons.Results, dataset: str, split: datetime.datetime) -> Table:
    """Success before and after a date, such as the end of a model's training data."""
    instances = load_instances(dataset).instances
    created = {i.instance_id: i.created_at for i in instances if i.created_at is not None}
    return analyses.by_date(results, created, split.replace(tzinfo=datetime.UTC))


@_experiment("overlap")
def _overlap(results: comparisons.Results) -> Table:
    """Which successes methods share, and what they reach together."""
    return analyses.shared(results)


@_experiment(
    "independence",
    click.option("--fixes", type=_FILE, required=True, help="JSONL with instance_id, resolved."),
    click.option("--by", default="run", show_default=True, help="Field that splits the fixes."),
)
def _independence(results: comparisons.Results, fixes: Path, by: str) -> Table:
    """Whether test generation and repair succeed on the same instances, with p-values."""
    return analyses.independence(results, _resolved(fixes, by))


@_experiment("effort", _ROWS)
def _effort(results: comparisons.Results, files: Sequence[Path]) -> Table:
    """Samples and rounds against success, cost and time."""
    return analyses.by_effort(results, _provenances(files))


@_experiment("confidence", _ROWS)
def _confidence(results: comparisons.Results, files: Sequence[Path]) -> Table:
    """Precision of what was submitted by the confidence stated with it."""
    return analyses.by_confidence(results, _provenances(files))


def _results(reports: Sequence[Path]) -> Mapping[str, Sequence[Evaluation]]:
    found: dict[str, Sequence[Evaluation]] = {}
    for path in reports:
        for name, evaluations in read_report(path).items():
            if name in found:
                raise InputError(f"{path}: holds `{name}`, which an earlier report holds too")
            found[name] = evaluations
    return found


def _provenances(files: Sequence[Path]) -> Mapping[str, Provenance]:
    return {path.stem: read_provenance(path) for path in files}


def _resolved(path: Path, by: str) -> Mapping[str, Mapping[str, bool]]:
    found: dict[str, dict[str, bool]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            row = json.loads(line)
            found.setdefault(f"{by} {row[by]}", {})[row["instance_id"]] = bool(row["resolved"])
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"{path}, line {number}: is no judged fix: {error!r}") from error
    return found


def _print(table: Table, form: str) -> None:
    writers = {"markdown": as_markdown, "csv": as_csv, "json": as_json}
    if form in writers:
        click.echo(writers[form](table))
    else:
        print_table(answer_console(), table)
