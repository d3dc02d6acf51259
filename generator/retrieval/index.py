"""The index of one tree, on disk: terms, definitions, imports, and what changed together.

It is a SQLite file of postings, read by the terms of a query: libraries for BM25 keep the whole
corpus in memory, or bring NumPy along, and none can be opened in milliseconds.
"""

from __future__ import annotations

import array
import contextlib
import math
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.languages import is_test_file, runnable_test_files
from generator.languages import Language, is_source, language_of_file, languages
from generator.retrieval.terms import term_counts, terms_in

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


def is_own_source(path: str) -> bool:
    """Whether a file holds code of the project itself."""
    return is_source(path) and not is_test_file(path)


def is_runnable_test(path: str) -> bool:
    """Whether a file is one of tests that a framework can run."""
    return is_test_file(path) and bool(runnable_test_files([path]))


def resolve_module(dotted: str, modules: Mapping[str, str]) -> tuple[str, str]:
    """The file that a dotted name leads into, and the rest of the name; "" for no file."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        path = modules.get(".".join(parts[:length]))
        if path is not None:
            return path, ".".join(parts[length:])
    return "", dotted


def best_ending(reported: str, paths: Iterable[str]) -> str:
    """The one path that a path on somebody else's machine ends with; "" for none or several.

    A path with directories has to share one at least: everybody has a `utils.py`.
    """
    known = tuple(paths)
    parts = reported.replace("\\", "/").split("/")
    for start in range(max(len(parts) - 1, 1)):
        ending = "/".join(parts[start:])
        found = [path for path in known if path == ending or path.endswith(f"/{ending}")]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


LARGEST_FILE = 2 * 2**20
"""Bytes of a file above which it is taken for data, not code."""
WIDEST_CHANGE = 30
"""Files of a commit above which it does not show which belong together."""
_WEIGHT_OF_PATH = 4
"""How many occurrences a word in a file's path stands for."""


@dataclass(frozen=True)
class _File:
    id: int
    path: str
    text: str
    is_test: bool


def write_index(
    place: Path, tree: Path, paths: Iterable[str], history: Iterable[Sequence[str]]
) -> None:
    """Write the index of the files at `paths` below `tree` into the directory `place`."""
    place.mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(place / NAME)) as database, database:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + SCHEMA)
        known = [path for path in paths if path.isprintable()]
        files = list(_files(tree, known))
        _write_terms(database, files)
        for language in languages():
            _write_names(database, files, language, known)
        _write_history(database, {file.path: file.id for file in files}, history)


def _files(tree: Path, paths: Iterable[str]) -> Iterator[_File]:
    number = 0
    for path in sorted(paths):
        is_test = is_runnable_test(path)
        if not (is_test or is_own_source(path)):
            continue
        text = _read(tree / path)
        if not is_test or language_of_file(path).sources.holds_test(text):
            yield _File(number, path, text, is_test)
            number += 1


def _read(file: Path) -> str:
    """The text of a file; none where it is too large or could not be laid down."""
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        return ""
    return content.decode("utf-8", errors="replace") if len(content) <= LARGEST_FILE else ""


def _write_terms(database: sqlite3.Connection, files: Iterable[_File]) -> None:
    postings: dict[str, tuple[array.array[int], array.array[int]]] = {}
    for file in files:
        counts = _counts(file)
        for term, count in counts.items():
            if term not in postings:
                postings[term] = (array.array(NUMBERS), array.array(NUMBERS))
            postings[term][0].append(file.id)
            postings[term][1].append(count)
        row = (file.id, file.path, file.is_test, counts.total())
        database.execute("INSERT INTO file VALUES (?, ?, ?, ?)", row)
    rows = ((term, f.tobytes(), c.tobytes()) for term, (f, c) in sorted(postings.items()))
    database.executemany("INSERT INTO posting VALUES (?, ?, ?)", rows)


def _counts(file: _File) -> Counter[str]:
    counts = term_counts(file.text)
    for term in terms_in(re.findall(r"\w+", file.path)):
        counts[term] += _WEIGHT_OF_PATH
    return counts


def _write_names(
    database: sqlite3.Connection, files: Sequence[_File], language: Language, paths: Sequence[str]
) -> None:
    """What the files of one language define and import."""
    layout = language.sources.layout(paths)
    ids = {file.path: file.id for file in files}
    rows = [(name, ids[path]) for name, path in layout.modules.items() if path in ids]
    database.executemany("INSERT INTO module VALUES (?, ?)", rows)
    for file in files:
        if language_of_file(file.path) is not language:
            continue
        if file.is_test:
            names = layout.imports(file.path, file.text)
            found = (resolve_module(name, layout.modules)[0] for name in names)
            imported = {ids[path] for path in found if path in ids} - {file.id}
            pairs = [(file.id, number) for number in imported]
            database.executemany("INSERT INTO import VALUES (?, ?)", pairs)
        else:
            defined = [(name, file.id) for name in language.sources.definitions(file.text)]
            database.executemany("INSERT INTO definition VALUES (?, ?)", defined)


def _write_history(
    database: sqlite3.Connection, ids: Mapping[str, int], history: Iterable[Sequence[str]]
) -> None:
    for number, paths in enumerate(history):
        if len(paths) > WIDEST_CHANGE:
            continue
        known = {ids[path] for path in paths if path in ids}
        database.executemany("INSERT INTO change VALUES (?, ?)", [(number, i) for i in known])
