"""The index of one tree, on disk: terms, definitions, imports, and what changed together.

It is a SQLite file of postings, read by the terms of a query: libraries for BM25 keep the whole
corpus in memory, or bring NumPy along, and none can be opened in milliseconds.
"""

from __future__ import annotations

import array
import contextlib
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

NAME = "index.sqlite"
VERSION = 1
"""Part of every key; raise it whenever an index would be made differently."""
SCHEMA = """
CREATE TABLE file (id INTEGER PRIMARY KEY, path TEXT UNIQUE, test INTEGER, length INTEGER);
CREATE TABLE posting (term TEXT PRIMARY KEY, files BLOB, counts BLOB) WITHOUT ROWID;
CREATE TABLE module (name TEXT PRIMARY KEY, file INTEGER) WITHOUT ROWID;
CREATE TABLE definition (name TEXT, file INTEGER, PRIMARY KEY (name, file)) WITHOUT ROWID;
CREATE TABLE import (file INTEGER, imported INTEGER, PRIMARY KEY (imported, file)) WITHOUT ROWID;
CREATE TABLE change (number INTEGER, file INTEGER, PRIMARY KEY (file, number)) WITHOUT ROWID;
CREATE INDEX change_by_number ON change (number);
"""
SATURATION = 1.2
"""k1 of BM25: how soon more occurrences of a term count no more."""
NORMALISATION = 0.75
"""b of BM25: how much longer files are expected to repeat a term."""
RECENT = 2000
"""How many of the last commits count for which files change often."""
NUMBERS = "I"
"""The type code of the arrays that postings are stored as."""


@dataclass(frozen=True)
class IndexedFile:
    """A file of the tree; `length` counts its terms."""

    id: int
    path: str
    is_test: bool
    length: int


class SourceIndex:
    """Reads an index that `generator.retrieval.indexing` made. Safe to share between threads."""

    def __init__(self, directory: Path) -> None:
        self._location = f"{(directory.absolute() / NAME).as_uri()}?mode=ro&immutable=1"
        with self._open() as database:
            rows = database.execute("SELECT id, path, test, length FROM file ORDER BY id")
            self._files = {
                row[0]: IndexedFile(row[0], row[1], bool(row[2]), row[3]) for row in rows
            }
            self._modules = dict(
                database.execute("SELECT m.name, f.path FROM module m JOIN file f ON f.id = m.file")
            )
        self._ids = {file.path: file.id for file in self._files.values()}

    @property
    def modules(self) -> Mapping[str, str]:
        """Dotted module name -> path."""
        return self._modules

    def paths(self, *, tests: bool) -> tuple[str, ...]:
        """The files of the project's own code, or those of its tests."""
        return tuple(file.path for file in self._files.values() if file.is_test == tests)

    def __contains__(self, path: str) -> bool:
        return path in self._ids

    def is_test(self, path: str) -> bool:
        """Whether a file of the index is one of the tests."""
        return self._files[self._ids[path]].is_test

    def match(self, query: Mapping[str, float], *, tests: bool) -> dict[str, float]:
        """The BM25 score of each file that shares a term with a query of weighted terms.

        Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3.
        """
        corpus = {file.id: file.length for file in self._files.values() if file.is_test == tests}
        mean = sum(corpus.values()) / len(corpus) if corpus else 0.0
        scores: dict[int, float] = {}
        for term, postings in self._postings(query):
            found = [(file, count) for file, count in postings if file in corpus]
            weight = query[term] * _rarity(len(found), len(corpus))
            for file, count in found:
                norm = 1 - NORMALISATION + NORMALISATION * corpus[file] / mean
                gain = weight * count * (SATURATION + 1) / (count + SATURATION * norm)
                scores[file] = scores.get(file, 0.0) + gain
        return {self._files[file].path: score for file, score in scores.items()}

    def rarities(self, terms: Iterable[str], *, tests: bool) -> dict[str, float]:
        """How rare terms are, up to 1 for one that a single file has; unknown ones are left out.

        Their inverse document frequency, relative to the highest.
        """
        corpus = {file.id for file in self._files.values() if file.is_test == tests}
        highest = _rarity(1, len(corpus))
        found = {term: sum(f in corpus for f, _ in pairs) for term, pairs in self._postings(terms)}
        return {term: min(_rarity(n, len(corpus)) / highest, 1.0) for term, n in found.items() if n}

    def activity(self) -> dict[str, float]:
        """How often files changed of late, from 0 to 1 for the busiest, on a logarithmic scale."""
        query = "SELECT file, COUNT(*) FROM change WHERE number < ? GROUP BY file"
        with self._open() as database:
            counts = dict(database.execute(query, (RECENT,)))
        most = math.log1p(max(counts.values(), default=1))
        return {self._files[file].path: math.log1p(n) / most for file, n in counts.items()}

    def defining(self, name: str) -> tuple[str, ...]:
        """The files that define a class or function of this name, whatever it stands in."""
        with self._open() as database:
            rows = database.execute("SELECT file FROM definition WHERE name = ?", (name,))
            return tuple(self._files[row[0]].path for row in rows)

    def importing(self, path: str) -> tuple[str, ...]:
        """The test files that import a file."""
        query = "SELECT file FROM import WHERE imported = ?"
        with self._open() as database:
            rows = database.execute(query, (self._ids[path],))
            return tuple(self._files[row[0]].path for row in rows)

    def changes(self, path: str) -> tuple[tuple[str, ...], ...]:
        """What changed whenever a file did, newest first: the files of each such commit."""
        query = """
            SELECT c.number, o.file FROM change c JOIN change o ON o.number = c.number
            WHERE c.file = ? ORDER BY c.number
        """
        commits: dict[int, list[str]] = {}
        with self._open() as database:
            for number, file in database.execute(query, (self._ids[path],)):
                commits.setdefault(number, []).append(self._files[file].path)
        return tuple(tuple(paths) for paths in commits.values())

    def _postings(self, terms: Iterable[str]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        query = "SELECT files, counts FROM posting WHERE term = ?"
        with self._open() as database:
            for term in terms:
                for files, counts in database.execute(query, (term,)):
                    pairs = zip(_numbers(files), _numbers(counts), strict=True)
                    yield term, list(pairs)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(self._location, uri=True)) as database:
            yield database


def _rarity(found: int, files: int) -> float:
    return math.log(1 + (files - found + 0.5) / (found + 0.5))


def _numbers(stored: bytes) -> array.array[int]:
    numbers = array.array(NUMBERS)
    numbers.frombytes(stored)
    return numbers
