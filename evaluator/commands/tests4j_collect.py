"""`fixgate tests4j collect`: choose repositories for a dataset."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evaluator.benchmarks.tests4j.collecting.candidates import (
    ListedRepository,
    read_candidates,
    read_leaked,
)
from evaluator.benchmarks.tests4j.collecting.clones import CloneStep
from evaluator.benchmarks.tests4j.collecting.collect import Collection4J
from evaluator.benchmarks.tests4j.collecting.filters import (
    CandidateResult,
    FilterName,
    Thresholds,
    filter_table,
)
from evaluator.benchmarks.tests4j.collecting.github import API, GitHubMetadata, read_token
from evaluator.benchmarks.tests4j.collecting.metadata import (
    MetadataSource,
    MirrorMetadata,
    RecordedMetadata,
)
from evaluator.benchmarks.tests4j.collecting.page import write_collection
from evaluator.benchmarks.tests4j.dataset import Tests4JDataset, save_dataset
from evaluator.benchmarks.tests4j.mapping import HeuristicMapping
from evaluator.benchmarks.tests4j.tokens import read_tokenizer
from evaluator.commands.options import (
    REPOSITORIES,
    ManyValuesCommand,
    counting,
    workspace,
    workspace_options,
)
from evaluator.workspace import Workspace

_THRESHOLDS = ("most_megabytes", "most_years", "most_tokens", "fewest_tests", "most_tests")
_SOURCE = ("metadata_source", "token_file", "github_api")
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(cls=ManyValuesCommand)
@click.argument("candidates", type=_FILE)
@click.option("--repos", multiple=True, default=[REPOSITORIES], show_default=True)
@click.option(
    "--as-of",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    help="The day on which the last commits are looked for, and from which their age counts.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the results; a collection that was cut short goes on from what is there.",
)
@click.option(
    "--metadata",
    "metadata_source",
    default="github",
    show_default=True,
    help="Where sizes, dates and files at the root are known from: github, clones (those of "
    "--repos), or a JSONL file.",
)
@click.option("--token-file", type=_FILE, help="File of a token for GitHub, for more requests.")
@click.option("--github-api", default=API, show_default=True)
@click.option(
    "--leaked",
    type=_FILE,
    multiple=True,
    help="A list of repositories that models were trained on. Takes several.",
)
@click.option(
    "--tokenizer",
    type=_FILE,
    help="A tokenizer.json; without it, no pair is dropped for its tokens.",
)
@click.option("--most-megabytes", type=float, default=300, show_default=True)
@click.option("--most-years", type=float, default=2, show_default=True)
@click.option("--most-tokens", type=int, default=1850, show_default=True)
@click.option("--fewest-tests", type=int, default=80, show_default=True)
@click.option("--most-tests", type=int, default=1000, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--last-filter",
    type=click.Choice([str(each) for each in FilterName]),
    default=str(FilterName.PASSES),
    show_default=True,
    help="The last filter that is applied.",
)
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@workspace_options
def collect(
    candidates: Path,
    repos: tuple[str, ...],
    as_of: datetime.datetime,
    out: Path,
    leaked: tuple[Path, ...],
    tokenizer: Path | None,
    seed: int,
    last_filter: str,
    workers: int,
    **shared: Any,
) -> None:
    """Choose repositories among CANDIDATES by the nine filters of Tests4J.

    CANDIDATES is a file with OWNER/NAME on each line, or a JSON list of these or of objects with
    `repo` and `commit`.
    """
    listed, names = read_candidates(candidates), read_leaked(leaked)
    thresholds = Thresholds(as_of.date(), *(shared.pop(name) for name in _THRESHOLDS))
    counter = read_tokenizer(tokenizer) if tokenizer else None
    asked = {"as_of": str(thresholds.as_of), "metadata": shared["metadata_source"]}
    settings = {
        **dataclasses.asdict(thresholds),
        **asked,
        "tokenizer": counter.digest if counter else "none",
        "last_filter": last_filter,
        "seed": seed,
    }
    source_options = {name: shared.pop(name) for name in _SOURCE}
    own = workspace(repos, workers=workers, **shared)
    last = FilterName(last_filter)
    step = CloneStep(own, HeuristicMapping(), thresholds, seed, counter, last, out / "logs")
    source = _source(own, listed, thresholds.as_of, **source_options)
    inputs = {**settings, "leaked": sorted(names)}
    results = _run(Collection4J(source, step, names, out, workers, asked, inputs), listed)
    write_collection(out, results, thresholds, last, settings)
    _save(results, out)
    _print(results, last, out)


def _source(
    own: Workspace,
    candidates: Sequence[ListedRepository],
    as_of: datetime.date,
    *,
    metadata_source: str,
    token_file: Path | None,
    github_api: str,
) -> MetadataSource:
    if metadata_source == "github":
        return GitHubMetadata(as_of, read_token(token_file), github_api)
    if metadata_source == "clones":
        commits = {each.repo: each.commit for each in candidates}
        return MirrorMetadata(own.repositories, own.cache, commits)
    return RecordedMetadata(Path(metadata_source))


def _run(
    collection: Collection4J, listed: Sequence[ListedRepository]
) -> tuple[CandidateResult, ...]:
    console = Console(stderr=True)
    with counting(console, 2 * len(listed), ("described", "kept", "dropped")) as advance:
        return collection.run(
            listed,
            lambda _: advance(["described"]),
            lambda result: advance(["dropped" if result.dropped_by else "kept"]),
        )


def _save(results: Sequence[CandidateResult], out: Path) -> None:
    kept = tuple(each.snapshot for each in results if each.snapshot is not None)
    dataset = Tests4JDataset(name=out.name, mapping=HeuristicMapping.kind, repositories=kept)
    save_dataset(dataset, out / "dataset.json")


def _print(results: Sequence[CandidateResult], last: FilterName, out: Path) -> None:
    for row in filter_table(results, last):
        click.echo(f"{row.filter}: {row.before} -> {row.after} ({row.dropped:.1%} dropped)")
    for result in results:
        if result.problem:
            click.echo(f"{result.repo} is not decided: {result.problem}", err=True)
    click.echo(f"report: {out / 'collect.html'}")
