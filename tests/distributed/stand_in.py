"""Work that does what a test says, and a worker that does it: `python -m ... SETTINGS`."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluator.batch import Item, RemoteForm
from evaluator.distributed.batch_worker import BatchWorkerSettings, serve_batches
from evaluator.distributed.tasks import RemoteGroup, TaskPlace
from evaluator.errors import InputError
from evaluator.storage import Row, read_as

KINDS = {
    "stand-in": "tests.distributed.stand_in:group_of",
    "other-version": "tests.distributed.stand_in:group_with_other_keys",
}


def work(folder: Path, name: str, does: str, directory: Path) -> Row:
    """Note that it begins, do what it is to do, and leave a file beside the result."""
    with (folder / "begun").open("a") as begun:
        begun.write(f"{name} {os.getpid()} {os.getppid()}\n")
    if does == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if does == "waits":
        while not (folder / "released").exists():
            time.sleep(0.02)
    if does == "fails":
        raise InputError(name)
    if does.startswith("sleeps"):
        time.sleep(float(does.split()[1]))
    (directory / "files").mkdir(parents=True, exist_ok=True)
    (directory / "files" / name).write_text(name)
    return {"value": name}


def refused(error: Exception) -> Row:
    raise error


def failed(error: Exception) -> Row:
    return {"error": f"{type(error).__name__}: {error}"}


def items(
    folder: Path,
    named: dict[str, str],
    out: Path,
    *,
    affinity: str = "",
    kind: str = "stand-in",
    key: str = "k",
) -> Iterator[Item[Row]]:
    """Items by name, with what each does; one that `ends all` fails for good."""
    for name, does in named.items():
        yield Item(
            name,
            key,
            lambda name=name, does=does: work(folder, name, does, out),  # type: ignore[misc]
            refused if does == "fails" and name.startswith("ends") else failed,
            RemoteForm(
                kind=kind,
                affinity=affinity,
                common=lambda: str(folder),
                inputs=lambda name=name, does=does: {"name": name, "does": does},  # type: ignore[misc]
                read=dict,
                directory=out,
                files=Path("files", name),
            ),
        )


def is_final(row: Row) -> bool:
    return "error" not in row


def group_of(common: Any, inputs: Sequence[Any], place: TaskPlace, key: str = "k") -> RemoteGroup:
    named = {one["name"]: one["does"] for one in inputs}
    made = tuple(items(Path(common), named, place.directory, key=key))
    return RemoteGroup(made, dict, is_final)


def group_with_other_keys(common: Any, inputs: Sequence[Any], place: TaskPlace) -> RemoteGroup:
    return group_of(common, inputs, place, key="another")


if __name__ == "__main__":
    serve_batches(read_as(BatchWorkerSettings, json.loads(sys.argv[1])))
