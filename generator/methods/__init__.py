"""Methods by name. Each is one module of this folder, named after the method that it holds.

A method comes in by its file and goes with it: listings, help and tests are made from `METHODS`.
Modules whose names begin with an underscore hold what several methods share, and no method.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType

from evaluator import InputError
from generator.method import Method

_PARTS = ("name", "needs_model", "replay_only", "candidates", "choose")
"""What a class must have to be a method; see `generator.method.Method`."""


def discover(package: str, path: Iterable[str]) -> Mapping[str, Method]:
    """The methods in the modules of a package, by name, sorted.

    Raises TypeError, naming the module, where one does not hold exactly one method of its name.
    """
    names = sorted(m.name for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))
    found = [_method_of(importlib.import_module(f"{package}.{name}")) for name in names]
    return MappingProxyType({method.name: method for method in found})


def method(name: str) -> Method:
    """The method of a name. Raises InputError for a name that is not known."""
    try:
        return METHODS[name]
    except KeyError:
        raise InputError(f"method `{name}` is not known; use one of {', '.join(METHODS)}") from None


def summary(method: Method) -> str:
    """What listings say of a method: the first line of its docstring."""
    return (inspect.getdoc(type(method)) or "").partition("\n")[0]


def _method_of(module: ModuleType) -> Method:
    classes = [value for value in vars(module).values() if _is_method_of(module, value)]
    if len(classes) != 1:
        names = ", ".join(cls.__name__ for cls in classes) or "none"
        raise TypeError(
            f"{module.__name__} must define exactly one method, a public class with "
            f"{', '.join(_PARTS)}; it has {names}"
        )
    made: Method = classes[0]()
    wanted = module.__name__.rpartition(".")[2].replace("_", "-")
    if made.name != wanted:
        raise TypeError(f"{module.__name__} must hold the method `{wanted}`, not `{made.name}`")
    if not summary(made):
        raise TypeError(f"{module.__name__}: {type(made).__name__} needs a docstring for listings")
    return made


def _is_method_of(module: ModuleType, value: object) -> bool:
    return (
        isinstance(value, type)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
        and all(hasattr(value, part) for part in _PARTS)
    )


METHODS: Mapping[str, Method] = discover(__name__, __path__)
"""Every method by name."""
