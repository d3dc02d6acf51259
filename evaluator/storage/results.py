"""The file of predictions that generation writes: one JSON row a line, in the order they end."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path

from evaluator import InputError
from evaluator.storage import write_whole

Row = Mapping[str, object]


class Rows:
    """A file of rows, one an instance. Safe to share between threads.

    What stands in it when it is opened stays, so that a run that was killed goes on: a last line
    that a kill left unfinished is dropped. Raises InputError, naming the line, for any other line
    that is no row.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._rows: dict[str, Row] = {str(row["instance_id"]): row for row in _read(path)}
        self._save()

    def get(self, instance_id: str, key: str) -> Row | None:
        """The row of an instance that was made with the same inputs; None where it is to do."""
        row = self._rows.get(instance_id)
        return row if row is not None and row.get("key") == key else None

    def put(self, row: Row) -> None:
        """Add a row, in place of an earlier one of its instance; it is on disk at the end."""
        with self._lock:
            replaces = str(row["instance_id"]) in self._rows
            self._rows.pop(str(row["instance_id"]), None)
            self._rows[str(row["instance_id"])] = row
            if replaces:
                self._save()
            else:
                self._append(row)

    def _append(self, row: Row) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(_line(row))
            stream.flush()
            os.fsync(stream.fileno())

    def _save(self) -> None:
        write_whole(self._path, "".join(map(_line, self._rows.values())).encode())


def _line(row: Row) -> str:
    return json.dumps(row) + "\n"


def _read(path: Path) -> list[dict[str, object]]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    *lines, unfinished = text.split("\n")
    rows = [
        _row(line, f"{path}, line {n}") for n, line in enumerate(lines, start=1) if line.strip()
    ]
    return rows + ([_row(unfinished, str(path))] if _is_whole(unfinished) else [])


def _is_whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _row(line: str, place: str) -> dict[str, object]:
    advice = "move the file away, or name another with --out"
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{place}: is no JSON ({error}); {advice}") from error
    if not isinstance(row, dict) or not isinstance(row.get("instance_id"), str):
        raise InputError(f"{place}: holds no row of predictions (no instance_id); {advice}")
    return row
