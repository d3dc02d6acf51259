"""Results of a batch on disk, each whole or absent, whatever is killed when.

A result holds the key of what it was made of (see `evaluator.batch`); with another key it is not
found, and replaced by the next one.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from evaluator.errors import InputError
from evaluator.storage.files import write_whole

Result = TypeVar("Result")
Row = Mapping[str, object]

_ADVICE = "move the file away, or name another with --out"
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, InputError)
"""What comes of a file that holds no result, or one of another shape."""


@dataclass(frozen=True)
class ResultFiles(Generic[Result]):
    """A directory of files, `NAME.json`, one a result; a name is a relative path.

    A file is `{"key": ..., FIELD: ...}`. A result that is not final is to be tried again: it may
    come from a machine that was mended since. So is one that cannot be read.
    """

    directory: Path
    field: str
    to_json: Callable[[Result], object]
    from_json: Callable[[Any], Result]
    is_final: Callable[[Result], bool]

    def read(self, name: str, key: str) -> Result | None:
        """The final result that was made with the same inputs; None where it is still to do."""
        try:
            row = json.loads(self._path(name).read_text(encoding="utf-8"))
            result = self.from_json(row[self.field]) if row["key"] == key else None
        except _UNREADABLE:
            return None
        return result if result is not None and self.is_final(result) else None

    def write(self, name: str, key: str, result: Result) -> None:
        """Keep a result, in place of an earlier one of its name."""
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        row = {"key": key, self.field: self.to_json(result)}
        write_whole(path, json.dumps(row).encode())

    def _path(self, name: str) -> Path:
        return self.directory / f"{name}.json"


class ResultLines:
    """A file of JSON rows, one a line, in the order in which they end; a field names each row.

    What stands in it when it is opened stays: a last line that a kill left unfinished is dropped.
    Raises InputError, naming the line, for any other line that is no row. Rows that are not final
    are to be made again.
    """

    def __init__(
        self,
        path: Path,
        is_final: Callable[[Row], bool] = lambda _: True,
        name_field: str = "instance_id",
    ) -> None:
        self._path = path
        self._name_field = name_field
        self._is_final = is_final
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        self._rows: dict[str, Row] = {str(row[name_field]): row for row in _read(path, name_field)}
        self._save()

    def get(self, name: str, key: str) -> Row | None:
        """The row that was made with the same inputs, final or not; None where there is none."""
        row = self._rows.get(name)
        return row if row is not None and row.get("key") == key else None

    def read(self, name: str, key: str) -> Row | None:
        """The final row that was made with the same inputs; None where it is still to do."""
        row = self.get(name, key)
        return row if row is not None and self._is_final(row) else None

    def write(self, name: str, key: str, result: Row) -> None:
        """Add a row, in place of an earlier one of its name; it is on disk at the end."""
        row = {self._name_field: name, **result, "key": key}
        with self._lock:
            replaces = name in self._rows
            self._rows.pop(name, None)
            self._rows[name] = row
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


def _read(path: Path, name_field: str) -> list[dict[str, object]]:
    *lines, unfinished = _text(path).split("\n")
    numbered = [(n, line) for n, line in enumerate(lines, start=1) if line.strip()]
    rows = [_row(line, f"{path}, line {n}", name_field) for n, line in numbered]
    return rows + ([_row(unfinished, str(path), name_field)] if _is_whole(unfinished) else [])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is no JSON ({error}); {_ADVICE}") from error


def _is_whole(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _row(line: str, place: str, name_field: str) -> dict[str, object]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InputError(f"{place}: is no JSON ({error}); {_ADVICE}") from error
    if not isinstance(row, dict) or not isinstance(row.get(name_field), str):
        raise InputError(f"{place}: holds no row of predictions (no {name_field}); {_ADVICE}")
    return row
