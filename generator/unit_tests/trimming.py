"""What is removed from a prompt that is too long, in the order of the thesis (section 5.2, p. 31).

Fields of the focal class, its methods but for constructors, then methods, imports and fields of the
test class. What is still too long is cut, which happened to less than 1 % of the thesis's prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from generator.unit_tests.code import without

Fits = Callable[[str], bool]
"""Whether a text fits into the budget: must hold for every end of a text that fits."""


@dataclass(frozen=True)
class Surroundings:
    """The classes around the method and the test, as Java; "" where one is not shown."""

    focal: str
    test: str


def steps(surroundings: Surroundings) -> Iterator[Surroundings]:
    """The surroundings as they are, and after each further step of removal."""
    focal, test = surroundings.focal, surroundings.test
    yield Surroundings(focal, test)
    for kinds in (_FIELDS, _METHODS):
        focal = without(focal, _of(kinds))
        yield Surroundings(focal, test)
    for kinds in (_METHODS, _IMPORTS, _FIELDS):
        test = without(test, _of(kinds))
        yield Surroundings(focal, test)


_FIELDS = ("field_declaration", "constant_declaration")
_METHODS = ("method_declaration",)
_IMPORTS = ("import_declaration",)


def _of(kinds: tuple[str, ...]) -> Callable[[Node], bool]:
    return lambda node: node.type in kinds


def fitting_end(text: str, fits: Fits) -> str:
    """The longest end of a text that fits: models go on from the end. Found in log2(n) steps."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        if fits(text[middle:]):
            high = middle
        else:
            low = middle + 1
    return text[low:]
