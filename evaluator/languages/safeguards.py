"""What a language knows of how a change can deceive its tests, and how tests are tried.

Each field of `Safeguards` is a function that a language gives; the functions here are their
neutral forms, for a language that cannot examine something, and say what each returns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.environment.types import Environment
from evaluator.languages.named_data import NO_DATA, NamedData
from evaluator.languages.sources import Changed
from evaluator.languages.substitutions import Substitution
from evaluator.model import Source


@dataclass(frozen=True, order=True)
class Concern:
    """Something in a changed file that tests cannot be relied on to notice.

    `what` says it in words that follow "the change" or the path.
    """

    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.path} ({self.what})"


Test = tuple[str, bytes | None]
"""The path of a test file and its content."""


@dataclass(frozen=True)
class BaseTree:
    """What a change is compared with: its pristine tree, a reader of it, and its environment.

    `judged` are the files of the tests that judge the change.
    """

    tree: Path
    source: Source
    environment: Environment
    judged: Sequence[Test] = ()

    def given(self, changed: Changed) -> Mapping[str, bytes]:
        """The files of the tests that a change does not bring along itself."""
        return {
            path: content
            for path, content in self.judged
            if content is not None and changed.get(path) != content
        }


@dataclass(frozen=True)
class NegatedTests:
    """Test files whose assertions are tried with other expected values, as path -> content.

    Each of the test functions named in `functions` fails at its end; its message holds
    `TOKEN noticed NUMBER` with the number of assertions that do not hold with another value. Where
    some do, `held LINE, LINE; ` stands before `noticed`, with a line for each time.
    """

    contents: Mapping[str, bytes] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    token: str = ""


@dataclass(frozen=True)
class Mutant:
    """One place of a changed file, its content with another thing there, and what that is."""

    path: str
    line: int
    content: bytes
    what: str


@dataclass(frozen=True)
class OtherExample:
    """A copy of a test function in a file, with another example in it.

    `function` is its name, `original` that of the function that it is a copy of; `line` and
    `original_line` are where they begin, the one in the file with the copies and the other in the
    file as it was, counted from 1.
    """

    path: str
    function: str
    line: int
    original: str
    original_line: int
    substitution: Substitution


@dataclass(frozen=True)
class OtherExamples:
    """Test files with copies of functions, as path -> content, and what the copies are."""

    contents: Mapping[str, bytes] = field(default_factory=dict)
    examples: tuple[OtherExample, ...] = ()

    @classmethod
    def of(
        cls,
        tests: Mapping[str, Collection[str]],
        read: Source,
        copied: Callable[
            [str, bytes, Collection[str]], Iterable[tuple[str, bytes, Iterable[OtherExample]]]
        ],
    ) -> OtherExamples:
        """Those of files, path -> tests.

        `copied` gives for a file its path, its content and the copies in it, or nothing.
        """
        files = (
            found
            for path, names in tests.items()
            for found in copied(path, read(path) or b"", names)
        )
        kept = [(path, content, tuple(copies)) for path, content, copies in files]
        contents = {path: content for path, content, _ in kept}
        return cls(contents, tuple(each for *_, copies in kept for each in copies))


def changed_configuration(changed: Changed, base: BaseTree) -> Sequence[Concern]:
    """The changed files that decide how tests run, or what code they run with."""
    return ()


def edited_data(changed: Changed, base: BaseTree) -> Sequence[Concern]:
    """The changed files that hold data which given tests read, and make them others."""
    return ()


def unmet_dependencies(changed: Changed, base: BaseTree) -> Sequence[Concern]:
    """Dependencies that changed files add and that the environment does not meet."""
    return ()


def reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What only the old content of a file reaches for of what runs or tests it, and only the new.

    Nothing for a file that is not the language's.
    """
    return (), ()


def hidden(path: str, old: bytes, new: bytes) -> Iterable[str]:
    """What cannot be read in the new content of a file; nothing where it is not the language's."""
    return ()


def refused_calls(path: str, old: bytes, new: bytes) -> Iterable[str]:
    """How public functions or classes of a file can no longer be used as its old content allowed.

    Nothing for a file that is not the language's.
    """
    return ()


def unseen_effects(path: str, old: bytes, new: bytes) -> Iterable[str]:
    """What only the new content of a file does beside its results, in words that follow its path.

    Nothing for a file that is not the language's.
    """
    return ()


def special_cases(
    changed: Changed, source: Source, tests: Sequence[Test], issue: str
) -> Sequence[Concern]:
    """Values of the examples in `tests` and `issue` that new branches of the code ask for."""
    return ()


def negate_assertions(
    files: Sequence[str],
    functions: frozenset[str],
    read: Source,
    environment: Environment,
    key: str,
) -> NegatedTests:
    """Test files, and those that they use, rewritten so that `functions` try their assertions.

    The same `key` gives the same contents.
    """
    return NegatedTests()


def other_examples(
    tests: Mapping[str, Collection[str]],
    read: Source,
    changed: Collection[str],
    tree: Path,
    data: NamedData = NO_DATA,
) -> OtherExamples:
    """Test files with copies of functions that have other examples of the same kind.

    `tests` are the names of tests by the paths of their files, `changed` the paths that the change
    edits: what their packages list is alike, and words of their data stay. `tree` is the base's.
    What stands in files of `data` that tests name stays, too.
    """
    return OtherExamples()


def mutants(path: str, content: bytes, lines: Collection[int]) -> Iterable[Mutant]:
    """Small faults in some lines, counted from 1, of a source file."""
    return ()


@dataclass(frozen=True, eq=False)
class Safeguards:
    """What is known of a language's tests, and of how code can deceive them.

    `compiled` are suffixes of compiled code, `opaque` maps those of other files that nobody can
    read, and that code may run, to what they are.
    """

    changed_configuration: Callable[[Changed, BaseTree], Sequence[Concern]] = changed_configuration
    edited_data: Callable[[Changed, BaseTree], Sequence[Concern]] = edited_data
    unmet_dependencies: Callable[[Changed, BaseTree], Sequence[Concern]] = unmet_dependencies
    reached: Callable[[str, bytes, bytes], tuple[Collection[str], Collection[str]]] = reached
    hidden: Callable[[str, bytes, bytes], Iterable[str]] = hidden
    refused_calls: Callable[[str, bytes, bytes], Iterable[str]] = refused_calls
    unseen_effects: Callable[[str, bytes, bytes], Iterable[str]] = unseen_effects
    special_cases: Callable[[Changed, Source, Sequence[Test], str], Sequence[Concern]] = (
        special_cases
    )
    negate_assertions: Callable[
        [Sequence[str], frozenset[str], Source, Environment, str], NegatedTests
    ] = negate_assertions
    other_examples: Callable[
        [Mapping[str, Collection[str]], Source, Collection[str], Path, NamedData], OtherExamples
    ] = other_examples
    mutants: Callable[[str, bytes, Collection[int]], Iterable[Mutant]] = mutants
    compiled: frozenset[str] = frozenset()
    opaque: Mapping[str, str] = field(default_factory=dict)
