"""Makes the index of a tree."""

from __future__ import annotations

import array
import contextlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.languages import Language, language_of_file, languages
from generator.retrieval.index import NAME, NUMBERS, SCHEMA
from generator.retrieval.paths import is_own_source, is_runnable_test, resolve_module
from generator.retrieval.words import term_counts, terms_in

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
