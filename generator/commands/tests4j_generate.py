"""`fixgate tests4j generate`: write unit tests for the methods of a Tests4J dataset."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluator import InputError
from evaluator.benchmarks.tests4j.dataset import SplitName, Tests4JDataset, load_dataset
from evaluator.commands.options import REPOSITORIES, ManyValuesCommand, workspace_options
from evaluator.storage import Row
from generator.commands.limits import counting_costs, limit_options, limits
from generator.commands.model_options import model_options
from generator.commands.tests4j_writers import METHODS, Chosen, unit_test_writer
from generator.unit_tests.generation import Assigned, UnitTestGeneration
from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.run_names import Training
from generator.unit_tests.writer import WritingEnd
from generator.unit_tests.writers.endpoint import TEMPERATURES

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("generate", cls=ManyValuesCommand)
@click.argument("dataset", type=_FILE)
@click.option(
    "--method",
    "method_name",
    type=click.Choice(list(METHODS)),
    required=True,
    help="truth: the human tests; endpoint: a model; local: a model of a directory, or a run of "
    "`fixgate tests4j train`; evosuite: a jar of EvoSuite; random: calls "
    "with random values; retrieval: human tests of similar methods of other classes.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="File of predictions; a run that was cut short goes on from what is there.",
)
@click.option("--split", type=click.Choice([each.value for each in SplitName]))
@click.option("--repository", "only", multiple=True, help="OWNER/NAME to work on. Takes several.")
@click.option("--methods", "most", type=click.IntRange(min=1), help="At most so many methods.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="For what is drawn at random.")
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    help="Tests of each method; with a model, at each temperature [default: 32, or 4].",
)
@model_options
@click.option("--continue-text", is_flag=True, help="Have the model continue the test class.")
@click.option(
    "--training",
    type=click.Choice([each.value for each in Training]),
    default=Training.ZERO_SHOT.value,
    show_default=True,
    help="How the model was made, for the name of the run.",
)
@click.option(
    "--context",
    type=click.Choice([each.value for each in ContextChoice]),
    default=ContextChoice.ALL.value,
    show_default=True,
    help="The classes that are shown: both, the test class, the focal class, none.",
)
@click.option(
    "--prompt-tokens",
    type=click.IntRange(min=1),
    default=1850,
    show_default=True,
    help="Longest prompt; what is around the method is removed step by step.",
)
@click.option(
    "--tokenizer",
    type=_FILE,
    help="A tokenizer.json by which prompts are measured [default: by their characters].",
)
@click.option(
    "--temperature",
    "temperatures",
    type=click.FloatRange(min=0),
    multiple=True,
    default=TEMPERATURES,
    show_default=True,
    help="Takes several.",
)
@click.option("--top-p", type=click.FloatRange(0, 1), default=0.9, show_default=True)
@click.option("--top-k", type=click.IntRange(min=0), default=50, show_default=True, help="0: any.")
@click.option(
    "--max-tokens", type=click.IntRange(min=1), default=512, show_default=True, help="Of a reply."
)
@click.option(
    "--repair-rounds",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="With a model: how often it may mend tests that do not compile or pass.",
)
@limit_options("method", "methods")
@click.option("--evosuite-jar", type=_FILE, help="With evosuite: its jar, with all in it.")
@click.option(
    "--java-home",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="With evosuite: the JDK that it runs on [default: the oldest installed one].",
)
@click.option(
    "--class-seconds",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="With evosuite: how long it searches for tests of a class.",
)
@click.option(
    "--repos",
    multiple=True,
    default=[REPOSITORIES],
    show_default=True,
    help="With evosuite and --repair-rounds: where repositories are. Takes several.",
)
@workspace_options
def generate(dataset: Path, method_name: str, out: Path, workers: int, **given: Any) -> None:
    """Write unit tests for the methods of DATASET.

    Each line of the file holds a method's id and the raw replies, for `fixgate tests4j evaluate`.
    """
    console = Console(stderr=True)
    loaded = load_dataset(dataset)
    methods = _chosen_methods(loaded, given)
    each, total = limits(given)
    writer = unit_test_writer(method_name, Chosen(loaded, given))
    generation = UnitTestGeneration(writer, out, each, total, workers)
    kinds = [end.value for end in WritingEnd]
    with counting_costs(console, len(methods), kinds, lambda row: str(row["end"])) as progress:
        rows = generation.run(methods, progress)
    _report(console, rows, methods, out)


def _chosen_methods(dataset: Tests4JDataset, given: dict[str, Any]) -> Sequence[Assigned]:
    split, only, most = given.pop("split"), given.pop("only"), given.pop("most")
    unknown = set(only) - {each.name for each in dataset.repositories}
    if unknown:
        raise InputError(f"--repository: the dataset has no {', '.join(sorted(unknown))}")
    found = [
        (repository, method)
        for repository, method in dataset.methods()
        if (split is None or repository.split == split) and (not only or repository.name in only)
    ]
    if not found:
        raise InputError("no method is left: the dataset has none of that split and repository")
    return found[:most]


def _report(console: Console, rows: Sequence[Row], methods: Sequence[Assigned], out: Path) -> None:
    repositories = {method.id: repository.name for repository, method in methods}
    ends = collections.defaultdict[str, collections.Counter[str]](collections.Counter)
    for row in rows:
        ends[repositories[str(row["method"])]][str(row["end"])] += 1
    console.print(_table(ends))
    for problem, count in _problems(rows).most_common(10):
        console.print(Text(f"{count} x {problem}"))
    left = len(methods) - len(rows)
    if left:
        console.print(f"{left} were not begun: the limits of the whole are used up")
    console.print(Text(f"predictions: {out}"))


def _table(ends: Mapping[str, Mapping[str, int]]) -> Table:
    table = Table("repository", *WritingEnd)
    for name, counts in sorted(ends.items()):
        table.add_row(name, *(str(counts.get(end, 0)) for end in WritingEnd))
    return table


def _problems(rows: Sequence[Row]) -> collections.Counter[str]:
    return collections.Counter(
        str(row["problem"]).partition("\n")[0][:160] for row in rows if row["problem"]
    )
