"""What differs between languages for a writer of tests: one value of small parts each."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluator.diff import Changes, Source
from evaluator.diff.text import moved
from generator.report_text import Notation
from generator.rules import RuleSettings
from generator.task import Candidate, Task, TestRunner


@dataclass(frozen=True)
class Symbol:
    """A function or class. `name` is qualified (`Class.method`); lines count from 1, inclusive.

    `signature` is what stands after the name on the definition's first line. `is_test` says whether
    a runner takes it for a test, where it stands in a file of tests.
    """

    name: str
    is_class: bool
    first: int
    last: int
    signature: str = ""
    is_test: bool = False

    @property
    def short_name(self) -> str:
        """The name without what it stands in."""
        return self.name.rpartition(".")[2]

    @property
    def parent(self) -> str:
        """The qualified name of what it stands in, "" at the top level."""
        return self.name.rpartition(".")[0]


class Outlines(Protocol):
    """What a source defines."""

    def outline(self, text: str) -> tuple[Symbol, ...]:
        """The classes and functions of a file, in order; any text has an outline."""
        ...

    def outline_text(self, symbols: Sequence[Symbol]) -> str:
        """An outline for people and models."""
        ...


class Layout(Protocol):
    """The sources of one tree, by the names under which other sources import them."""

    @property
    def modules(self) -> Mapping[str, str]:
        """Paths by dotted names."""
        ...

    def imports(self, path: str, text: str) -> Iterator[str]:
        """The dotted names that a file of the tree imports."""
        ...


class Sources(Protocol):
    """What an index of a tree holds of its sources."""

    def layout(self, paths: Iterable[str]) -> Layout:
        """The layout of a tree with files at these paths."""
        ...

    def definitions(self, text: str) -> frozenset[str]:
        """The names of all classes and functions, wherever they stand."""
        ...

    def holds_test(self, text: str) -> bool:
        """Whether a file of tests defines one."""
        ...


class TestFiles(Protocol):
    """Code that a model wrote for a test file."""

    def read_test_file(self, reply: str) -> str:
        """The code of a whole test file. Raises UnreadableReplyError where there is none."""
        ...

    def why_broken(self, text: str) -> str:
        """Why a text is no source of the language, "" where it is."""
        ...

    def defined_names(self, code: str) -> frozenset[str]:
        """The names that code defines at its top level. Raises PatchError for code that is none."""
        ...


class Assertion(Protocol):
    """One assertion of a test, by its number in the code."""

    @property
    def number(self) -> int:
        """Its place among the assertions, counted from 1."""
        ...

    @property
    def test(self) -> str:
        """The name of the test it stands in."""
        ...

    @property
    def text(self) -> str:
        """Its source, as it stands in the code."""
        ...


class Assertions(Protocol):
    """Finds assertions and inverts them, and nothing else. Raises PatchError for broken code."""

    def new_tests(self, before: str, after: str) -> frozenset[str]:
        """The tests of a file that it did not have before, or not like this."""
        ...

    def assertions_of(self, code: str, tests: Collection[str]) -> Sequence[Assertion]:
        """The assertions of the named tests, in the order of the code."""
        ...

    def flipped(self, assertion: Any) -> str:
        """The text of the opposite of one of these assertions, "" where there is no plain one."""
        ...

    def replaced(self, code: str, tests: Collection[str], texts: Mapping[int, str]) -> str:
        """The code with the assertions of these numbers replaced, every other byte as it was.

        Raises UnreadableReplyError, saying which replacement is no assertion.
        """
        ...


@dataclass(frozen=True)
class PromptWords:
    """What prompts say of a language, and the small examples of replies in them.

    `fence` marks a block of its code; `program` says what stands ready in a shell, and `writing`
    by what a file can be written there. `expecting` is how an exception is expected, `addition`
    what may be added to a test file, and `passing` such an addition to `passing_file`, with an
    assertion in place of whose value `assertion` has another one.

    `standing` is a line of the test file `edited_file`, `added` a test below it, and `diff` their
    unified diff. `blocks` is a change of a test file in the block format, "" where code cannot be
    placed by its definitions. `tests` says which files count as tests, after "those that". `trace`
    is what people call the frames that an error shows, `checkers` are programs that a project may
    have its code formatted and checked by.
    """

    fence: str
    program: str
    writing: str
    expecting: str
    addition: str
    passing_file: str
    passing: str
    assertion: str
    edited_file: str
    standing: str
    added: str
    diff: str
    blocks: str
    tests: str
    trace: str
    checkers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Language:
    """One language that tests are written in.

    `name` is the evaluator's for it, `title` what people call it; `suffixes` are those of all files
    that its code stands in. `package_files` are names of files that stand for their directory, and
    `test_mark` is what the name of a file or directory has because tests are in it.
    `new_test_file` is the path of a test that has no place yet. `formatted` gives the same changes
    as their repository formats them. `reproducers` are tests from an issue's text alone, the surest
    first, by those of its `rules` in use; they raise SandboxError. `notation` is how issues show
    the language. `indented` moves lines of code from one indentation to another.
    `placed` puts test code into the test file at a path, imports among its own, or makes the file
    of it; it raises PatchError for code that is none or has no place there.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    package_files: tuple[str, ...]
    test_mark: re.Pattern[str]
    new_test_file: str
    outlines: Outlines
    sources: Sources
    test_files: TestFiles
    assertions: Assertions
    placed: Callable[[Source, str, str], Changes]
    formatted: Callable[[Changes, Source], Changes]
    reproducers: Callable[[Task, TestRunner, RuleSettings], Iterator[Candidate]]
    rules: frozenset[str]
    words: PromptWords
    notation: Notation = field(default_factory=Notation)
    indented: Callable[[Sequence[str], str, str], list[str]] = moved
