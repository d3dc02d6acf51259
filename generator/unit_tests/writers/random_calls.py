"""Calls of a method with random values, in the manner of Randoop and with less knowledge.

Nothing is run, and nothing is asserted: such a test passes if nothing is thrown, and fails if
anything is, rightly or wrongly. It shows how much coverage mere calling yields. Methods that tests
cannot call, and instances that nothing known can make, are left out.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    RepositorySnapshot,
    Tests4JDataset,
)
from evaluator.languages.java.sources.declarations import modifiers
from generator.costs import CostTracker
from generator.unit_tests.code import canonical_name, method_node, simple_name
from generator.unit_tests.style import annotation
from generator.unit_tests.writer import UnitTests
from generator.unit_tests.writers.values import (
    Creation,
    Creations,
    Values,
    creations,
    parameter_types,
)

_ATTEMPTS = 4
"""How often a value is drawn for each test that is wanted, as many are equal."""


@dataclass(frozen=True)
class RandomCalls:
    """Up to `samples` different calls of each method, the same ones for equal seeds.

    `known` says of each repository how its focal classes are made.
    """

    known: Mapping[str, Creations]
    samples: int = 32
    seed: int = 0
    name: str = "random"

    @staticmethod
    def of(dataset: Tests4JDataset, samples: int, seed: int) -> RandomCalls:
        """With what each repository's focal classes are made by."""
        known = {each.name: creations(each.methods) for each in dataset.repositories}
        return RandomCalls(known, samples, seed)

    @property
    def settings(self) -> object:
        """Both numbers."""
        return [self.samples, self.seed]

    def write(
        self, repository: RepositorySnapshot, method: FocalMethod, _costs: CostTracker
    ) -> UnitTests:
        """Calls of the method, each a test."""
        node = method_node(method.source)
        if node is None:
            return UnitTests.nothing("the method cannot be read")
        if "private" in modifiers(node):
            return UnitTests.nothing("the method is private")
        known = self.known[repository.name]
        draw = random.Random(f"{self.seed} {method.id}")  # noqa: S311 - hides nothing
        calls = _Calls(method, node, known.get(simple_name(method.focal_class), ()))
        values = Values(known, draw)
        drawn = [calls.body(values, draw) for _ in range(_ATTEMPTS * self.samples)]
        different = list(dict.fromkeys(body for body in drawn if body))[: self.samples]
        if not different:
            return UnitTests.nothing(f"nothing known makes a {simple_name(method.focal_class)}")
        return UnitTests(tuple(_test(method, n, body) for n, body in enumerate(different)))


@dataclass(frozen=True)
class _Calls:
    method: FocalMethod
    node: Node
    made_by: Sequence[Creation]

    def body(self, values: Values, draw: random.Random) -> str:
        """The statements of a test; "" where no instance can be made."""
        owner, name = canonical_name(self.method.focal_class), self.method.name
        arguments = values.arguments(parameter_types(self.node))
        if self.node.type == "constructor_declaration":
            return f"    new {owner}({arguments});\n"
        if "static" in modifiers(self.node):
            return f"    {owner}.{name}({arguments});\n"
        if not self.made_by:
            return ""
        made = values.made(draw.choice(self.made_by))
        return f"    {owner} subject = {made};\n    subject.{name}({arguments});\n"


def _test(method: FocalMethod, number: int, body: str) -> str:
    beginning = annotation(method)
    titled = f"{method.name[:1].upper()}{method.name[1:]}"
    return f"{beginning}public void test{titled}{number}() throws Throwable {{\n{body}}}\n"
