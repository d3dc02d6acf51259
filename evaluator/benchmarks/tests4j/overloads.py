"""Which of several overloads calls mean, as far as their text shows it.

Methods2Test takes the first overload of a name, whatever it is called with. Here the numbers and
types of arguments decide, by what Java converts without a cast (Java Language Specification,
sections 5.1 and 15.12.2), and by names such as `StringReader`, which by custom is a `Reader`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from tree_sitter import Node

from evaluator.benchmarks.tests4j.argument_types import FUNCTION, NULL, UNKNOWN, type_of
from evaluator.benchmarks.tests4j.java_files import JavaMethod
from evaluator.languages.java.syntax import field

_WIDENING = ("byte", "short", "int", "long", "float", "double")
_BOXES = {
    "boolean": "Boolean",
    "byte": "Byte",
    "char": "Character",
    "double": "Double",
    "float": "Float",
    "int": "Integer",
    "long": "Long",
    "short": "Short",
}
_PRIMITIVES = {box: primitive for primitive, box in _BOXES.items()}
_FINAL = frozenset({"String", "Class", *_PRIMITIVES})
_GENERAL = frozenset({"Object", "Serializable"})
_OF_FINAL = frozenset({"CharSequence", "Comparable", "Number", "Type"})
_IMPOSSIBLE, _POSSIBLE, _LIKELY, _WIDENED, _SAME = -1, 0, 1, 9, 10
"""How well an argument fits; the farther a number is widened, the less than `_WIDENED`."""

Fit = tuple[bool, int]
"""Whether it is without variable arguments, and how well the types fit: greater is better."""


def meant(
    overloads: Sequence[JavaMethod], calls: Sequence[Node], known: Mapping[str, str]
) -> JavaMethod:
    """The overload that most calls mean; the first one where no call shows it.

    `calls` are invocations of their name, and `known` the erased types of variables.
    """
    places = [place for call in calls for place in _best(overloads, call, known)]
    counts = Counter(places)
    return overloads[max(counts, key=counts.__getitem__, default=0)]


def _best(overloads: Sequence[JavaMethod], call: Node, known: Mapping[str, str]) -> Sequence[int]:
    """The place of the first of those that fit a call best; nothing where none fits."""
    given = field(call, "arguments")
    listed = [] if given is None else given.named_children
    types = [type_of(each, known) for each in listed if "comment" not in each.type]
    fits = {place: _fit(method, types) for place, method in enumerate(overloads)}
    possible = {place: fit for place, fit in fits.items() if fit is not None}
    return [max(possible, key=possible.__getitem__)] if possible else []


def _fit(method: JavaMethod, types: Sequence[str]) -> Fit | None:
    """How well an overload takes arguments of some types; None where it cannot."""
    parameters = method.parameters
    if len(parameters) == len(types):
        score = _together(types, parameters)
        if score is not None:
            return True, score
    if not method.takes_any_number or len(types) < len(parameters) - 1:
        return None
    *fixed, last = parameters
    repeated = [last.removesuffix("[]")] * (len(types) - len(fixed))
    score = _together(types, [*fixed, *repeated])
    return None if score is None else (False, score)


def _together(types: Sequence[str], parameters: Sequence[str]) -> int | None:
    scores = [_score(*pair) for pair in zip(types, parameters, strict=True)]
    return None if _IMPOSSIBLE in scores else sum(scores)


def _score(given: str, wanted: str) -> int:
    """How well an argument of a type fits a parameter of another one."""
    if given == UNKNOWN:
        return _POSSIBLE
    if given == wanted:
        return _SAME
    if given in _BOXES:
        return _of_primitive(given, wanted)
    if wanted in _BOXES:
        return _LIKELY if _PRIMITIVES.get(given) == wanted else _IMPOSSIBLE
    return _of_object(given, wanted)


def _of_primitive(given: str, wanted: str) -> int:
    if wanted in _WIDENING and given != "boolean":
        begin = _WIDENING.index("int" if given == "char" else given)
        steps = _WIDENING.index(wanted) - begin
        return _WIDENED - steps if steps >= 0 else _IMPOSSIBLE
    boxed = wanted == _BOXES[given] or wanted in _GENERAL | _OF_FINAL
    return _LIKELY if boxed else _IMPOSSIBLE


def _of_object(given: str, wanted: str) -> int:
    """Of types that are not known here, any may inherit from any other."""
    if given == NULL or wanted in _GENERAL:
        return _POSSIBLE
    if given == FUNCTION:
        return _IMPOSSIBLE if wanted in _FINAL or wanted.endswith("[]") else _POSSIBLE
    if given.endswith("[]") != wanted.endswith("[]"):
        return _IMPOSSIBLE
    if given.endswith("[]"):
        return _of_elements(given.removesuffix("[]"), wanted.removesuffix("[]"))
    if given in _FINAL or wanted in _FINAL:
        return _LIKELY if given in _FINAL and wanted in _OF_FINAL else _IMPOSSIBLE
    return _LIKELY if given.endswith(wanted) else _POSSIBLE


def _of_elements(given: str, wanted: str) -> int:
    """Arrays of primitive types are converted to no others."""
    return _IMPOSSIBLE if {given, wanted} & _BOXES.keys() else _of_object(given, wanted)
