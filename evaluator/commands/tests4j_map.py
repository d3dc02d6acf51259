"""`fixgate tests4j map`: make a dataset of repositories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from evaluator.benchmarks.tests4j.dataset import (
    MappingKind,
    RepositorySnapshot,
    Tests4JDataset,
    save_dataset,
)
from evaluator.benchmarks.tests4j.dataset_statistics import describe, write_statistics
from evaluator.benchmarks.tests4j.mapping import CallsMapping, HeuristicMapping, MethodMapping
from evaluator.benchmarks.tests4j.recorded_calls import CallRecorder
from evaluator.benchmarks.tests4j.snapshots import (
    CountTokens,
    RepositoryAtCommit,
    read_repositories,
    snapshot,
)
from evaluator.benchmarks.tests4j.sources import read_sources
from evaluator.benchmarks.tests4j.tokens import read_tokenizer
from evaluator.checkout import Repositories
from evaluator.commands.options import (
    ManyValuesCommand,
    counting,
    repos_option,
    workspace,
    workspace_options,
)
from evaluator.environment.types import Uncompiled
from evaluator.errors import CheckoutError, EnvironmentBuildError, SandboxError
from evaluator.workspace import default_cache


@click.command("map", cls=ManyValuesCommand)
@click.argument("repositories", nargs=-1, required=True)
@repos_option
@click.option(
    "--mapping",
    "kind",
    type=click.Choice([str(each) for each in MappingKind]),
    default=str(MappingKind.HEURISTIC),
    show_default=True,
    help="What tests call: as their text says, or as it is recorded when they run.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File of the dataset; statistics are written beside it.",
)
@click.option(
    "--tokenizer",
    type=click.Path(path_type=Path),
    help="A tokenizer.json by which the tokens of methods and tests are counted.",
)
@click.option("--name", help="What the dataset is called [default: the name of its file].")
@workspace_options
def map_tests(
    repositories: tuple[str, ...],
    repos: tuple[str, ...],
    kind: str,
    out: Path,
    tokenizer: Path | None,
    name: str | None,
    **shared: Any,
) -> None:
    """Assign the tests of REPOSITORIES to methods, and write a dataset.

    REPOSITORIES are OWNER/NAME@COMMIT, or JSON files that list them. Repositories that cannot be
    read are named and left out; the exit code is 1 then.
    """
    console = Console(stderr=True)
    rows = read_repositories(repositories)
    places = Repositories(repos, (shared["cache"] or default_cache()).resolve())
    count_tokens = read_tokenizer(tokenizer) if tokenizer else None
    mapping = _mapping(MappingKind(kind), repos, shared, console)
    made = _mapped(rows, places, mapping, count_tokens, console)
    dataset = Tests4JDataset(name=name or out.stem, mapping=mapping.kind, repositories=made)
    save_dataset(dataset, out)
    statistics = out.with_suffix(".statistics.json")
    write_statistics(describe(dataset), statistics, out.with_suffix(".html"))
    tests = sum(each.test_count for each in made)
    methods = sum(len(each.methods) for each in made)
    click.echo(f"{len(made)} repositories, {methods} methods, {tests} tests: {out}")
    if len(made) < len(rows):
        raise SystemExit(1)


def _mapping(
    kind: MappingKind, repos: tuple[str, ...], shared: Mapping[str, Any], console: Console
) -> MethodMapping:
    if kind is MappingKind.HEURISTIC:
        return HeuristicMapping()

    def name(repo: str, code: Uncompiled) -> None:
        line = f"{repo} is built without {code.place}, whose tests are mapped to nothing: "
        console.print(line + code.reason, highlight=False, markup=False, soft_wrap=True)

    return CallsMapping(CallRecorder(workspace(repos, **shared), name).record)


def _mapped(
    rows: Sequence[RepositoryAtCommit],
    places: Repositories,
    mapping: MethodMapping,
    count_tokens: CountTokens | None,
    console: Console,
) -> tuple[RepositorySnapshot, ...]:
    made = []
    with counting(console, len(rows), ("mapped", "failed")) as advance:
        for row in rows:
            try:
                sources = read_sources(places, row.repo, row.commit, row.exclude)
                made.append(snapshot(sources, mapping, count_tokens))
                advance(["mapped"])
            except (CheckoutError, EnvironmentBuildError, SandboxError) as error:
                console.print(str(error), highlight=False, markup=False, soft_wrap=True)
                advance(["failed"])
    return tuple(made)
