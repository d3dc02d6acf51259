"""`fixgate generate`: write reproducing tests for the issues of a benchmark, or for one issue."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import InputError, Instance, Workspace, commit_of, local_repository
from evaluator.commands.options import (
    ManyValuesCommand,
    benchmark_options,
    chosen_instances,
    workspace,
    workspace_options,
)
from evaluator.commands.queue_options import QueueChoice, chosen_carrier, queue_options
from evaluator.storage import Row
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.predictions import GOLD, load_predictions
from generator.commands import KINDS
from generator.commands.limits import counting_costs, limit_options, limits
from generator.commands.model_options import model_options, settings_from_options
from generator.generation import (
    Assignment,
    Generation,
    GenerationSettings,
    RemoteModel,
    instance_assignment,
)
from generator.languages import languages
from generator.method import COMMAND_SECONDS, Method, MethodSettings
from generator.methods import METHODS, method, summary
from generator.model.choosing import ChosenModel, ModelSettings, model_from
from generator.rules import Denial, RuleSettings
from generator.task import LOCAL, local_task
from generator.writer import Submit


def of_benchmark(
    workspace: Workspace,
    method: Method,
    instances: Sequence[Instance],
    settings: MethodSettings,
    given_patch: str | None,
) -> Iterator[Assignment]:
    """An assignment for each instance. The golden fix goes to a method only where it needs one.

    `given_patch` is `gold` or a file of fixes. Raises InputError where a fix is missing.
    """
    fixes = _fixes(given_patch, instances)
    for instance in instances:
        shown = dataclasses.replace(
            settings,
            given_patch=fixes.get(instance.instance_id, ""),
            given_patch_name=Path(given_patch).stem if given_patch else "",
            golden_patch=instance.patch if method.replay_only else "",
        )
        yield instance_assignment(workspace, instance, shown)


def of_repository(
    workspace: Workspace, repository: Path, revision: str, issue: Path, settings: MethodSettings
) -> Assignment:
    """The assignment of an issue of a local repository. Raises CheckoutError, InputError."""
    commit = commit_of(repository, revision, workspace.cache)
    text = _text(issue)
    inputs = {"repository": repository.resolve().name, "commit": commit, "issue": text}
    make = functools.partial(local_task, workspace, repository, commit, text)
    return Assignment(LOCAL, inputs, make, settings)


def _fixes(given: str | None, instances: Sequence[Instance]) -> Mapping[str, str]:
    if given is None:
        return {}
    if given == GOLD:
        return {instance.instance_id: instance.patch for instance in instances}
    (found,) = load_predictions([given], instances).predictions.values()
    missing = [i.instance_id for i in instances if i.instance_id not in found]
    if missing:
        raise InputError(f"{given}: holds no fix for {', '.join(missing[:5])}")
    return {name: prediction.patch for name, prediction in found.items()}


def _text(path: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text:
        raise InputError(f"{path}: is empty; it should hold the report, its title first")
    return text


WITH_MODEL = "ensemble"
WITHOUT_MODEL = "issue-only"


def _methods_listed() -> str:
    lines = [f"  {name:18} {summary(found)}" for name, found in METHODS.items()]
    return "\b\nMethods:\n" + "\n".join(lines)


@click.command(cls=ManyValuesCommand, epilog=_methods_listed())
@click.argument("instances", required=False)
@click.option("--repo", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--issue",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --repo: the report, a text whose first line is its title.",
)
@click.option("--base", default="HEAD", show_default=True, help="With --repo: the revision.")
@click.option(
    "--method",
    "method_name",
    help=f"How tests are written [default: {WITH_MODEL}, and {WITHOUT_MODEL} without a model].",
)
@model_options
@click.option("--samples", type=click.IntRange(min=1), help="Proposals to draw, where it applies.")
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds of a conversation.")
@click.option(
    "--command-seconds",
    type=click.FloatRange(min=1),
    default=COMMAND_SECONDS,
    show_default=True,
    help="How long a command of a model in a shell may take.",
)
@limit_options("issue", "issues")
@click.option(
    "--given-patch",
    help="Show a code patch in the prompt (SWT-Bench, table 5): gold, or a file of fixes.",
)
@click.option("--hide-test-file", is_flag=True, help="Do not name the test file to extend.")
@click.option(
    "--denials",
    type=click.Choice([denial.value for denial in Denial if denial is not Denial.NOTHING]),
    multiple=True,
    help="issue-only: submit tests that only deny the reported exception or output, too, though "
    "the report does not say what is right. Takes several.",
)
@click.option(
    "--without-rule",
    "without",
    multiple=True,
    metavar="RULE",
    help="issue-only: leave out a rule that `fixgate experiments rules` lists. Takes several.",
)
@click.option(
    "--submit",
    type=click.Choice([submit.value for submit in Submit]),
    default=Submit.ADMITTED.value,
    show_default=True,
    help="Submit only what is admitted, or always the last proposal, as in the paper.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File of predictions; a run that was cut short goes on from what is there.",
)
@benchmark_options
@queue_options
@workspace_options
def generate(
    instances: str | None,
    method_name: str | None,
    samples: int | None,
    rounds: int | None,
    command_seconds: float,
    out: Path,
    queue_url: str | None,
    shared: str | None,
    *,
    hide_test_file: bool,
    **given: Any,
) -> None:
    """Write tests that reproduce the issues of INSTANCES, or the one of --issue in --repo.

    Rows are SWT-Bench predictions; where the method abstains, `model_patch` is empty and `reason`
    says why. Trajectories are kept beside them, in a folder of the same name.
    """
    console = Console(stderr=True)
    model_settings = settings_from_options(given)
    if queue_url is not None:
        _check_shared(given["repo"], model_settings)
    model = model_from(model_settings) if model_settings.name else None
    chosen = _method(method_name, model)
    settings = MethodSettings(
        samples or 0,
        rounds or 0,
        names_test_file=not hide_test_file,
        command_seconds=command_seconds,
        rules=_rules(given.pop("without"), given.pop("denials")),
    )
    each, total = limits(given)
    generating = GenerationSettings(
        budget=each,
        total=total,
        workers=given["workers"],
        submit=Submit(given.pop("submit")),
    )
    repos, workers = given["repos"], given["workers"]
    bench, assignments = _assignments(console, chosen, instances, settings, given)
    queue = QueueChoice(queue_url, shared, workers, repos, given, KINDS)
    kinds = ("submitted", "abstained", "not run")
    with (
        chosen_carrier(queue, bench, console) as carrier,
        counting_costs(console, len(assignments), kinds, _kind) as progress,
    ):
        remote = _remote(model_settings, model)
        generation = Generation(bench, chosen, model, out, generating, carrier, remote)
        rows = generation.run(assignments, progress)
    _report(console, rows, len(assignments), out)


def _rules(without: tuple[str, ...], denials: tuple[str, ...]) -> RuleSettings:
    known = frozenset[str]().union(*(one.rules for one in languages()))
    unknown = sorted(set(without) - known)
    if unknown:
        raise InputError(
            f"--without-rule names {', '.join(unknown)}; rules are {', '.join(sorted(known))}"
        )
    return RuleSettings(tuple(sorted(set(without))), tuple(map(Denial, sorted(set(denials)))))


def _check_shared(repo: Path | None, model: ModelSettings) -> None:
    """Raise InputError for what workers cannot be told."""
    if repo is not None:
        raise InputError("--queue spreads the issues of INSTANCES: leave it out with --repo")
    if model.base_url:
        raise InputError(
            "--queue sends no addresses of models: set FIXGATE_BASE_URL where the workers run "
            "(with `--queue embedded`, here) in place of --base-url"
        )
    if model.record is not None:
        raise InputError("--record appends to one file: leave it out with --queue")


def _remote(settings: ModelSettings, model: ChosenModel | None) -> RemoteModel | None:
    if model is None:
        return None
    return RemoteModel(
        settings.name,
        settings.tools,
        model.price,
        settings.retry_policy,
        keeps_replies=settings.cache is not None,
    )


def _method(name: str | None, model: ChosenModel | None) -> Method:
    chosen = method(name or (WITH_MODEL if model else WITHOUT_MODEL))
    if chosen.needs_model and model is None:
        raise InputError(f"--method {chosen.name} needs a model: name one with --model")
    return chosen


def _assignments(
    console: Console,
    chosen: Method,
    instances: str | None,
    settings: MethodSettings,
    given: dict[str, Any],
) -> tuple[Workspace, list[Assignment]]:
    repo, issue, base = given.pop("repo"), given.pop("issue"), given.pop("base")
    repos, only, patch = given.pop("repos"), given.pop("only"), given.pop("given_patch")
    if (instances is None) == (repo is None) or (repo is None) != (issue is None):
        raise InputError("name either INSTANCES, or --repo and --issue")
    if repo is not None:
        if chosen.replay_only:
            raise InputError(f"--method {chosen.name} knows the golden fix: it needs INSTANCES")
        bench = workspace((str(local_repository(repo).resolve()),), **given)
        return bench, [of_repository(bench, repo, base, issue, settings)]
    dataset = load_instances(str(instances))
    for note in dataset.notes:
        console.print(note, highlight=False, markup=False)
    bench = workspace(repos, **given)
    wanted = chosen_instances(dataset.instances, only)
    return bench, list(of_benchmark(bench, chosen, wanted, settings, patch))


def _kind(row: Row) -> str:
    if row["model_patch"]:
        return "submitted"
    return "not run" if row["exit"] == "not_run" else "abstained"


def _cost(row: Row) -> str:
    cost = row["cost_usd"]
    money = "at an unknown price" if cost is None else f"for ${cost:.2f}"
    return f"{row['calls']} calls of a model {money}, {row['seconds']:.0f} s"


def _report(console: Console, rows: Sequence[Row], asked: int, out: Path) -> None:
    for row in rows if len(rows) == 1 else ():
        click.echo(row["model_patch"], nl=False)
        console.print(Text(str(row["reason"])))
        console.print(Text(_cost(row)))
    left = asked - len(rows)
    if left:
        console.print(f"{left} were not begun: the limits of the whole are used up")
    console.print(Text(f"predictions: {out}"))
