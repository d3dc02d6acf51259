"""How well retrieval finds the files that golden patches and golden tests change.

Run by hand, over datasets in the JSON lines of SWE-bench:

    python tests/retrieval_figures.py DATASET... --repos TEMPLATE --cache DIR [--misses]

Test files that the base commit does not have cannot be found, and are counted apart (`new`).
`class` counts, among the golden test files, those where the anchor lies in a class (or at the top
level) that the golden tests add to. Seconds are those of a query, the index being there or not.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from evaluator.checkout import Repositories, Trees
from evaluator.diff import ChangedLines, Changes, apply, split
from evaluator.execution import Subject
from evaluator.languages import is_test_file, runnable_test_files
from evaluator.model import Instance
from evaluator.swtbench.dataset import load_instances
from generator.languages.python.outline import outline
from generator.retrieval import RankedFile, Retrieval
from generator.task import Task

FIRST = (1, 3, 5)
RANKED = 100
COLUMNS = (
    "instances",
    *(f"source@{k}" for k in FIRST),
    "existing",
    *(f"test@{k}" for k in FIRST),
    "new",
    "class",
    "anchors",
)


@dataclass
class Figures:
    """Counts by column, and seconds, of one repository or of all."""

    counts: Counter[str] = field(default_factory=Counter)
    cold: list[float] = field(default_factory=list)
    cached: list[float] = field(default_factory=list)


def main(arguments: Sequence[str]) -> None:
    options = _options(arguments)
    repositories = Repositories(options.repos, options.cache)
    trees = Trees(repositories, options.cache)
    instances = {i.instance_id: i for s in options.datasets for i in load_instances(s).instances}
    figures: dict[str, Figures] = defaultdict(Figures)
    for instance in track(list(instances.values()), console=Console(stderr=True)):
        if instance.instance_id not in options.without:
            task = _task(instance, repositories, trees)
            _measure(instance, task, options, [figures[instance.repo], figures["all"]])
    Console(width=160).print(_table(figures))


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--repos", action="append", required=True, help="a template, repeatable")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--misses", action="store_true", help="tell where a test file was missed")
    parser.add_argument("--without", type=Path, help="a dataset whose instances are left out")
    options = parser.parse_args(arguments)
    held = load_instances(str(options.without)).instances if options.without else ()
    options.without = {instance.instance_id for instance in held}
    return options


def _task(instance: Instance, repositories: Repositories, trees: Trees) -> Task:
    repo, commit = instance.repo, instance.base_commit
    mirror = repositories.find(repo, commit)
    pristine, source = trees.pristine(repo, commit), mirror.source(commit)
    subject = Subject(repo, commit, pristine, source, Changes(), ChangedLines({}, {}), {})
    return Task(instance.instance_id, instance.problem_statement, subject, mirror)


def _measure(
    instance: Instance, task: Task, options: argparse.Namespace, figures: Iterable[Figures]
) -> None:
    cold = not list((options.cache / "retrieval").glob(f"*/{instance.base_commit}*.complete"))
    started = time.monotonic()
    retrieval = Retrieval(task, options.cache)
    sources, tests = retrieval.source_files(RANKED), retrieval.test_files(RANKED)
    seconds = time.monotonic() - started
    right = _golden_test_files(instance)
    standing = [path for path in right if task.subject.source(path) is not None]
    counts = Counter({"instances": 1, "existing": bool(standing), "new": not standing})
    counts += _hits("source", sources, split(instance.patch, is_test_file).code_files)
    counts += _hits("test", tests, standing)
    if standing:
        counts += Counter({"anchors": 1, "class": _same_class(instance, task, retrieval, standing)})
    if options.misses and standing and not counts["test@3"]:
        _tell(instance, tests, standing)
    for one in figures:
        one.counts += counts
        (one.cold if cold else one.cached).append(seconds)


def _golden_test_files(instance: Instance) -> tuple[str, ...]:
    parts = split(instance.test_patch, is_test_file)
    return runnable_test_files((*parts.test_files, *parts.code_files))


def _hits(name: str, ranking: Sequence[RankedFile], right: Sequence[str]) -> Counter[str]:
    place = next((i for i, file in enumerate(ranking) if file.path in right), RANKED)
    return Counter({f"{name}@{k}": int(place < k) for k in FIRST})


def _same_class(
    instance: Instance, task: Task, retrieval: Retrieval, standing: Sequence[str]
) -> bool:
    """Whether the anchor in the first golden file lies in a class that the golden tests add to."""
    path = standing[0]
    content = apply(instance.test_patch, task.subject.source).changes.contents.get(path) or b""
    added = apply(instance.test_patch, task.subject.source).lines.added.get(path, {})
    tests = [s for s in outline(content.decode(errors="replace")) if not s.is_class]
    classes = {s.parent for s in tests if any(s.first <= line <= s.last for line in added)}
    return retrieval.anchor(path).class_name in classes


def _tell(instance: Instance, ranking: Sequence[RankedFile], right: Sequence[str]) -> None:
    shown = [file for i, file in enumerate(ranking) if i < FIRST[1] or file.path in right]
    told = [{"path": f.path, "score": round(f.score, 2), "reasons": f.reasons} for f in shown]
    print(json.dumps({"instance": instance.instance_id, "right": right, "ranked": told}))  # noqa: T201


def _table(figures: Mapping[str, Figures]) -> Table:
    table = Table("repository", *COLUMNS, "cold s", "cached s")
    for repo, one in sorted(figures.items(), key=lambda item: (item[0] == "all", item[0])):
        counts = [str(one.counts[column]) for column in COLUMNS]
        table.add_row(repo, *counts, _seconds(one.cold), _seconds(one.cached))
    return table


def _seconds(measured: Sequence[float]) -> str:
    if not measured:
        return ""
    return f"{statistics.median(measured):.2f} (max {max(measured):.2f})"


if __name__ == "__main__":
    main(sys.argv[1:])
