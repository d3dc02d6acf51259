"""Judges the corpus and prints what was accepted wrongly, class by class.

`python -m tests.hostile.measure --answers FILE` appends one line of JSON for each head that has
none in the file yet; given several times, the files are columns beside each other.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .bench import Answer, Bench
from .corpus import CLASSES as PYTHON_CLASSES
from .corpus import HONEST, java
from .packages import installed_packages

Answers = Mapping[str, Answer]
CLASSES = {**PYTHON_CLASSES, **{f"Java: {name}": heads for name, heads in java.CLASSES.items()}}
HEADS = [head for heads in CLASSES.values() for head in heads]


def read_answers(file: Path) -> Answers:
    """The answers in a file by the names of their heads; none where there is no file."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = [json.loads(line) for line in lines]
    return {row.pop("head"): Answer(**row) for row in rows}


def judge_all(file: Path, root: Path, pattern: str, workers: int) -> None:
    """Judge the heads of a pattern that have no answer in a file yet, and add theirs there."""
    known = read_answers(file)
    wanted = fnmatch.filter((head.name for head in HEADS), pattern)
    names = [name for name in wanted if name not in known]
    with (
        installed_packages() as index,
        ProcessPoolExecutor(workers, initializer=_start, initargs=(root, index)) as pool,
        file.open("a", encoding="utf-8") as stream,
    ):
        for name, answer in zip(names, pool.map(_judge, names), strict=True):
            stream.write(json.dumps({"head": name, **vars(answer)}) + "\n")
            stream.flush()


_bench: list[Bench] = []


def _start(root: Path, index: str) -> None:
    _bench.append(Bench(root, index))


def _judge(name: str) -> Answer:
    return _bench[0].judge(next(head for head in HEADS if head.name == name))


def table(columns: Sequence[Answers]) -> str:
    """A Markdown table: the wrong answers of each class, a column for each set of answers."""
    titles = ["class", "heads", *(f"wrong {number}" for number in range(1, len(columns) + 1))]
    rows = [titles, ["---"] * len(titles), *(_row(name, columns) for name in CLASSES)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(name: str, columns: Sequence[Answers]) -> list[str]:
    wrong = [len(wrong_answers(name, answers)) for answers in columns]
    return [name, str(len(CLASSES[name])), *map(str, wrong)]


def wrong_answers(name: str, answers: Answers) -> Sequence[str]:
    """The heads of a class that were accepted and must not be, or the other way round."""
    wanted = name.endswith(HONEST)
    return [
        head.name
        for head in CLASSES[name]
        if head.name in answers and (answers[head.name].decision == "accept") is not wanted
    ]


def main() -> None:
    """Read the command line, judge, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=Path, action="append", required=True)
    parser.add_argument("--root", type=Path, default=Path(tempfile.gettempdir(), "fixgate-corpus"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="*", help="a pattern of names, such as `tree-*`")
    options = parser.parse_args()
    judge_all(options.answers[-1], options.root, options.only, options.workers)
    columns = [read_answers(file) for file in options.answers]
    print(table(columns))  # noqa: T201 - that is what it is for
    for name in CLASSES:
        for head in wrong_answers(name, columns[-1]):
            print(f"- {name}: {head}: {columns[-1][head]}")  # noqa: T201


if __name__ == "__main__":
    main()
