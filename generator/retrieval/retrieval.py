"""Finds what a writer of tests should look at: code, test files, and where a new test belongs."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluator import CheckoutError
from evaluator.checkout.mirror import changed_together
from evaluator.storage import make_once, short_key
from generator.languages import outline_text
from generator.retrieval.context import Context, ContextBuilder
from generator.retrieval.files import rank_sources, rank_tests
from generator.retrieval.index import VERSION, SourceIndex, write_index
from generator.retrieval.symbols import SourceText, find_anchor, rank_symbols
from generator.retrieval.terms import issue_query, read_mentions, terms_of
from generator.retrieval.types import Anchor, RankedFile, RankedSymbol
from generator.task import Task

FILES_READ = 8
"""How many of the ranked source files are searched for functions and classes."""
FILES_OUTLINED = 5
"""How many of them a context outlines, where there is room."""
SYMBOLS_FOLLOWED = 8
"""How many of the ranked functions and classes are looked for in tests."""


class Retrieval:
    """Looks things up for one task. Safe to share between threads.

    The index of the tree is made once and kept below `cache`, for all tasks on the same commit of
    the same repository, as another may have less of its history; only the tree of the base commit
    and the history of its ancestors go into it. Every method
    raises CheckoutError where the repository lacks the commit or a file's content.
    """

    def __init__(self, task: Task, cache: Path) -> None:
        self._task = task
        self._cache = cache
        self._mentions = read_mentions(task.issue)
        self._query = issue_query(self._mentions)

    def source_files(self, n: int = 10) -> tuple[RankedFile, ...]:
        """The files of the project's own code that the issue is about, best first."""
        return tuple(self._sources[:n])

    def functions(self, n: int = 10) -> tuple[RankedSymbol, ...]:
        """The functions and classes that the issue is about, best first."""
        return tuple(self._symbols[:n])

    def test_files(self, n: int = 5) -> tuple[RankedFile, ...]:
        """The test files that a test for the issue may belong into, best first."""
        return tuple(self._tests[:n])

    def anchor(self, test_file: str) -> Anchor:
        """Where in a test file of the base commit a new test belongs."""
        symbols = self._symbol_query
        both = {*self._query, *symbols}
        query = {term: self._query.get(term, 0.0) + symbols.get(term, 0.0) for term in both}
        return find_anchor(test_file, self.read(test_file), query)

    def context(self, budget_tokens: int) -> Context:
        """The pieces of a prompt; together they take at most so many tokens, as estimated."""
        builder = ContextBuilder(self.read, budget_tokens)
        issue = builder.issue(self._task.issue)
        anchors = [self.anchor(file.path) for file in self.test_files(1)]
        tests = builder.tests(anchors[0]) if anchors else ()
        code = builder.code(self.functions())
        outlines = builder.outlines(self.source_files(FILES_OUTLINED))
        return Context(issue, tests, code, outlines)

    def outline(self, path: str) -> str:
        """The classes and functions of a file, with line numbers and signatures."""
        return outline_text(path, self.read(path))

    def read(self, path: str) -> str:
        """The text of a file at the base commit, "" where there is none."""
        return (self._task.subject.source(path) or b"").decode("utf-8", errors="replace")

    @functools.cached_property
    def _index(self) -> SourceIndex:
        subject = self._task.subject
        mirror = self._task.mirror
        place = short_key(mirror.git_directory)
        key = f"{mirror.resolve(subject.commit)}.{place}.{VERSION}"
        shelf = self._cache / "retrieval" / subject.repo.replace("/", "+")
        return SourceIndex(make_once(shelf, key, self._make_index))

    def _make_index(self, place: Path) -> None:
        subject = self._task.subject
        listing = self._task.mirror.listing(subject.commit)
        paths = [path for path, entry in listing.items() if entry.is_file]
        write_index(place, subject.pristine, paths, self._history())

    def _history(self) -> Sequence[Sequence[str]]:
        """What changed together; nothing where the repository is a shallow clone."""
        with contextlib.suppress(CheckoutError):
            return tuple(changed_together(self._task.mirror, self._task.subject.commit))
        return ()

    @functools.cached_property
    def _sources(self) -> Sequence[RankedFile]:
        return rank_sources(self._index, self._mentions)

    @functools.cached_property
    def _symbols(self) -> Sequence[RankedSymbol]:
        files = [SourceText(file, self.read(file.path)) for file in self._sources[:FILES_READ]]
        return rank_symbols(files, self._mentions, self._query)

    @functools.cached_property
    def _tests(self) -> Sequence[RankedFile]:
        return rank_tests(self._index, self._mentions, self._sources, self._symbol_query)

    @functools.cached_property
    def _symbol_query(self) -> Mapping[str, float]:
        """The terms of the names of the best symbols, each by the rank of the first that has it."""
        query: dict[str, float] = {}
        for rank, ranked in enumerate(self._symbols[:SYMBOLS_FOLLOWED]):
            for term in terms_of(ranked.symbol.short_name):
                query.setdefault(term, 1 / (1 + rank))
        return query
