"""How a language's source files are read, and what holds for one that nothing is known of.

Each field of `Sources` and `TestCode` is a function that a language gives; the functions here are
their neutral forms, and say what each returns. Paths are relative to the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from evaluator.environment.types import Environment
from evaluator.model import Source, TestOutcome, Transition

Changed = Mapping[str, bytes | None]
"""Path -> new content, None for a file that is removed."""


@dataclass(frozen=True)
class Touched:
    """What a change touches of the base.

    `files` are the changed source files that were there before, and what holds other changed files
    (the package, say). `functions` maps a path to the first lines, on the base, of the functions
    that the change rewrites or removes. `loaded` are the files of which it changes something
    outside of functions, so that every importer is affected. `names` are those of the functions, of
    their classes, and of the files.
    """

    files: frozenset[str] = frozenset()
    functions: Mapping[str, frozenset[int]] = field(default_factory=dict)
    loaded: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


MissingIn = Callable[[Transition, Source], str]
"""What a test that fails without a change lacks there, in words; "" where it fails by behaviour.

The source reads the test's file.
"""


def executable_lines(path: str, content: bytes, lines: Collection[int]) -> Collection[int]:
    """Those of some lines, counted from 1, that hold code; all where nothing better is known."""
    return lines


def loading_lines(content: bytes) -> Collection[int]:
    """The lines that run once, when a source is loaded, and in no function; none where unknown."""
    return ()


def behaviour(content: bytes) -> str | None:
    """What a source does, as text that is the same whatever its comments; None for no valid one."""
    return content.decode("utf-8", "replace")


def is_data(path: str, source: Source) -> bool:
    """Whether code may read a file that is no source: one that is shipped with the code."""
    return False


def touched(path: str, source: Source, new: bytes | None) -> Touched:
    """What a change of one file touches; `source` reads the base."""
    before = frozenset({path} if source(path) is not None else ())
    return Touched(files=before, loaded=before, names=frozenset({PurePosixPath(path).stem}))


def imports(files: Mapping[str, bytes], roots: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """The path of each source file -> the paths that it imports; modules lie below the roots."""
    return dict.fromkeys(files, frozenset())


def import_roots(environment: Environment) -> tuple[str, ...]:
    """The directories of a tree below which modules are found."""
    return ("",)


def inert(before: bytes | None, after: bytes) -> bytes | None:
    """What a changed file would be with its additions, and the behaviour that it had before.

    None where that is not known.
    """
    return None


def absences(changed: Changed, source: Source) -> MissingIn:
    """Finds what tests lack without the change; `source` reads the base."""
    return lambda transition, tests: ""


@dataclass(frozen=True)
class Sources:
    """How the source files of a language are read."""

    executable_lines: Callable[[str, bytes, Collection[int]], Collection[int]] = executable_lines
    loading_lines: Callable[[bytes], Collection[int]] = loading_lines
    behaviour: Callable[[bytes], str | None] = behaviour
    is_data: Callable[[str, Source], bool] = is_data
    touched: Callable[[str, Source, bytes | None], Touched] = touched
    imports: Callable[[Mapping[str, bytes], Sequence[str]], Mapping[str, frozenset[str]]] = imports
    import_roots: Callable[[Environment], tuple[str, ...]] = import_roots
    absences: Callable[[Changed, Source], MissingIn] = absences
    inert: Callable[[bytes | None, bytes], bytes | None] = inert


def count_tests(content: bytes) -> int:
    """How many tests a file defines, or about how many."""
    return 1


def subject_of(path: str) -> str:
    """What a test file is named for, as the stem of a file; its own stem where that is unknown."""
    return PurePosixPath(path).stem


def names_used(outcome: TestOutcome, source: Source) -> frozenset[str]:
    """Every name in a test's function, else in its file; none where there is no code."""
    return frozenset()


def compared(outcome: TestOutcome, source: Source) -> Sequence[Sequence[str]]:
    """The sides, as code, of each assertion in a test that may have failed."""
    return ()


def only_negative(outcome: TestOutcome, source: Source) -> bool:
    """Whether a test says only what must not be, so that any other behaviour satisfies it."""
    return False


def texts(test: TestOutcome | Transition, source: Source) -> Iterable[str]:
    """The literal texts in a test's function."""
    return ()


@dataclass(frozen=True)
class TestCode:
    """What the code of a language's tests says.

    `unspecific_names` are names of test files and their directories that stand for no test.
    """

    __test__ = False

    count_tests: Callable[[bytes], int] = count_tests
    subject_of: Callable[[str], str] = subject_of
    names_used: Callable[[TestOutcome, Source], frozenset[str]] = names_used
    compared: Callable[[TestOutcome, Source], Sequence[Sequence[str]]] = compared
    only_negative: Callable[[TestOutcome, Source], bool] = only_negative
    texts: Callable[[TestOutcome | Transition, Source], Iterable[str]] = texts
    unspecific_names: frozenset[str] = frozenset({"test", "tests", "testing"})
