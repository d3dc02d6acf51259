"""Where a MUT stands in its file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod
from evaluator.benchmarks.tests4j.java_files import JavaMethod, read_java


@dataclass(frozen=True)
class FocalLines:
    """Lines of a MUT, and of all methods of its class that have its name, counted from 1."""

    own: frozenset[int]
    namesakes: frozenset[int]


def focal_lines(method: FocalMethod, source: bytes) -> FocalLines:
    """Where a MUT stands in the source of its file; nowhere if the file has no such method."""
    types = read_java(method.focal_path, source).types
    own = (kind for kind in types if kind.binary_name == method.focal_class)
    namesakes = [each for kind in own for each in kind.methods if each.name == method.name]
    same = [each for each in namesakes if each.parameters == method.parameters]
    return FocalLines(_lines(same), _lines(namesakes))


def _lines(methods: Iterable[JavaMethod]) -> frozenset[int]:
    return frozenset().union(*(each.lines for each in methods))
