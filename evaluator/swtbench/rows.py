"""Rows of data files, read from JSON Lines, JSON and Parquet, and the problems found in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.errors import InputError, extra_needed

_SHOWN = 20


@dataclass(frozen=True)
class DataRow:
    """One row as it was read: `where` it stands, its `value`, and its `key` in a keyed file."""

    where: str
    value: object
    key: str | None = None


class Problems:
    """Gathers what is wrong with a file, so that all of it is reported at once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._found: list[str] = []

    def add(self, where: str, message: str, *, field: str = "") -> None:
        """Note a problem of a row, or of one of its fields."""
        place = f'{where}, field "{field}"' if field else where
        self._found.append(f"{place}: {message}")

    def check(self) -> None:
        """Raise InputError with the first 20 problems if there are any."""
        if not self._found:
            return
        shown = "\n".join(f"  {problem}" for problem in self._found[:_SHOWN])
        rest = len(self._found) - _SHOWN
        more = f"\n  and {rest} more" if rest > 0 else ""
        count = "1 problem" if len(self._found) == 1 else f"{len(self._found)} problems"
        raise InputError(f"{self._source}: {count} found; mend or remove the rows\n{shown}{more}")


SUFFIXES = (".jsonl", ".json", ".parquet")
_PARQUET_MAGIC = b"PAR1"
_WHITESPACE = " \t\r\n"
_CUT_OFF = "is cut off; was the file copied whole?"


def read_rows(path: Path, problems: Problems) -> Iterator[DataRow]:
    """The rows of a file, one after the other; what cannot be read goes to the problems.

    A file may hold one JSON object a line, a JSON list of objects, a JSON object with the rows
    under their ids, one JSON object that is the only row, or Parquet. What it holds is seen from
    its content, since names mislead. Raises InputError where it cannot be opened.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        if start.startswith(_PARQUET_MAGIC):
            yield from _parquet(path)
        elif start.startswith(b"[") or path.suffix == ".json":
            yield from _json(path, problems)
        else:
            yield from _json_lines(path, problems)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error


def _json_lines(path: Path, problems: Problems) -> Iterator[DataRow]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            where = f"line {number}"
            if not line.strip():
                continue
            try:
                yield DataRow(where, json.loads(line.removeprefix(b"\xef\xbb\xbf")))
            except (ValueError, RecursionError) as error:
                problems.add(where, _why_not_json(error))


def _why_not_json(error: Exception) -> str:
    """What is wrong with a text that is no JSON: cut off, not UTF-8, or a mistake in it."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 (byte {error.start + 1}: {error.reason})"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    if not isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error}"
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        return _CUT_OFF
    return f"is not JSON: {error.msg} (column {error.colno})"


def _json(path: Path, problems: Problems) -> Iterator[DataRow]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problems.add("the file", _why_not_json(error))
        return
    document = _Document(text)
    try:
        if document.peek() == "[":
            yield from document.elements()
        elif document.is_lines():
            yield from _json_lines(path, problems)
        else:
            yield from _keyed_or_single(document)
    except (ValueError, RecursionError) as error:
        problems.add(f"line {document.line}", _why_not_json(error))


def _keyed_or_single(document: _Document) -> Iterator[DataRow]:
    members = list(document.members())
    if any(member.key == "instance_id" for member in members):
        yield DataRow("line 1", {member.key: member.value for member in members})
    else:
        yield from members


class _Document:
    """A JSON text whose outermost list or object is taken apart by hand, to know the lines."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0
        self._counted = 0
        self._decoder = json.JSONDecoder()
        self.line = 1

    def peek(self) -> str:
        """The next character that is no white space; empty at the end."""
        while self._text[self._position : self._position + 1] in (*_WHITESPACE,):
            self._position += 1
        self.line += self._text.count("\n", self._counted, self._position)
        self._counted = self._position
        return self._text[self._position : self._position + 1]

    def is_lines(self) -> bool:
        """Whether several objects follow each other without a comma: JSON Lines."""
        if self.peek() != "{":
            return False
        try:
            _, end = self._decoder.raw_decode(self._text, self._position)
        except (ValueError, RecursionError):
            first, _, rest = self._text[self._position :].partition("\n")
            return first.rstrip().endswith("}") and rest.lstrip().startswith("{")
        return self._text[end:].lstrip().startswith("{")

    def elements(self) -> Iterator[DataRow]:
        """The elements of the outermost list."""
        for number, _ in enumerate(self._items("[", "]"), 1):
            where = f"line {self.line}, row {number}"
            yield DataRow(where, self._value())

    def members(self) -> Iterator[DataRow]:
        """The members of the outermost object."""
        for _ in self._items("{", "}"):
            where = f"line {self.line}"
            key = self._value()
            self._expect(":")
            self.peek()
            if not isinstance(key, str):
                raise self._error("Expecting a key in double quotes")
            yield DataRow(where, self._value(), key)

    def _items(self, opening: str, closing: str) -> Iterator[None]:
        self._expect(opening)
        if self.peek() == closing:
            self._position += 1
        else:
            yield
            while self.peek() == ",":
                self._position += 1
                self.peek()
                yield
            self._expect(closing)
        if self.peek():
            raise self._error("Extra data")

    def _expect(self, character: str) -> None:
        if self.peek() != character:
            raise self._error(f"Expecting {character!r}")
        self._position += 1

    def _value(self) -> object:
        value: object
        value, self._position = self._decoder.raw_decode(self._text, self._position)
        return value

    def _error(self, message: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(message, self._text, self._position)


def _parquet(path: Path) -> Iterator[DataRow]:
    with extra_needed("hub", f"{path}: reading Parquet"):
        import pyarrow
        import pyarrow.parquet
    try:
        number = 0
        for batch in pyarrow.parquet.ParquetFile(path).iter_batches(batch_size=256):
            for value in batch.to_pylist():
                number += 1
                yield DataRow(f"row {number}", value)
    except pyarrow.ArrowException as error:
        raise InputError(f"{path} is no readable Parquet file: {error}; get it again") from error
