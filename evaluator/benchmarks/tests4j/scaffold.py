"""Inserts samples into the human test class of their MUT, from which its tests were removed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.java_files import read_java
from evaluator.benchmarks.tests4j.post_processing import renamed
from evaluator.benchmarks.tests4j.samples import Sample
from evaluator.languages.java.syntax import field


@dataclass(frozen=True)
class InsertedSample:
    """A sample in its test class: the name of its method there, and its first and last line."""

    sample: Sample
    name: str
    first_line: int
    last_line: int

    def holds(self, line: int) -> bool:
        """Whether a line, counted from 1, is one of its own."""
        return self.first_line <= line <= self.last_line


@dataclass(frozen=True)
class Filled:
    """A test file with samples: its content, and where each of them is."""

    content: bytes
    inserted: tuple[InsertedSample, ...]


class NoScaffoldError(Exception):
    """The file has no class of the name that the dataset states."""


def free_names(scaffold: bytes, samples: Sequence[Sample]) -> Mapping[Sample, str]:
    """A name for the method of each sample that no other method of the test file has."""
    taken = {method.name for each in read_java("", scaffold).types for method in each.methods}
    names = {}
    for sample in samples:
        names[sample] = _free(sample.test.name, taken)
        taken.add(names[sample])
    return names


def as_it_is(_: Sample, source: str) -> str:
    """The source of a sample."""
    return source


def fill(
    scaffold: bytes,
    samples: Sequence[Sample],
    names: Mapping[Sample, str],
    edited: Callable[[Sample, str], str] = as_it_is,
) -> Filled:
    """A test file with samples at the end of their classes, under the names that are given.

    `edited` gives the source that stands for a sample's own. Raises NoScaffoldError.
    """
    ends = _ends(scaffold, {each.method.test_class for each in samples})
    content, inserted, at = bytearray(), list[InsertedSample](), 0
    for test_class in sorted(ends, key=ends.__getitem__):
        content += scaffold[at : ends[test_class]] + b"\n"
        at = ends[test_class]
        for sample in samples:
            if sample.method.test_class == test_class:
                first = content.count(b"\n") + 1
                source = edited(sample, renamed(sample.test, names[sample]))
                content += _encoded(source) + b"\n"
                inserted.append(InsertedSample(sample, names[sample], first, content.count(b"\n")))
    return Filled(bytes(content + scaffold[at:]), tuple(inserted))


def _ends(scaffold: bytes, wanted: Iterable[str]) -> Mapping[str, int]:
    """Where the body of each class ends, in bytes."""
    bodies = {each.binary_name: field(each.node, "body") for each in read_java("", scaffold).types}
    ends = {}
    for name in wanted:
        body = bodies.get(name)
        if body is None:
            raise NoScaffoldError(f"the file of the tests has no class {name}")
        ends[name] = body.end_byte - 1
    return ends


def _free(name: str, taken: set[str]) -> str:
    numbered = (f"{name}_{number}" for number in itertools.count(2))
    return next(each for each in itertools.chain([name], numbered) if each not in taken)


def _encoded(source: str) -> bytes:
    """In characters that every encoding of sources has; the compiler reads the escapes."""
    units = source.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[i : i + 2], "big") for i in range(0, len(units), 2))
    return "".join(chr(code) if code < 128 else f"\\u{code:04x}" for code in codes).encode("ascii")
