"""Find the imports that people leave out: which line would define a name."""

import ast
import builtins
import importlib
import importlib.util
import os
import re
import sys
import types

ALIASES = {
    "_": "from gettext import gettext as _",
    "np": "import numpy as np",
    "pd": "import pandas as pd",
    "plt": "import matplotlib.pyplot as plt",
    "mpl": "import matplotlib as mpl",
    "xr": "import xarray as xr",
    "sp": "import sympy as sp",
    "sns": "import seaborn as sns",
    "so": "import seaborn.objects as so",
    "u": "from astropy import units as u",
    "array": "from numpy import array",
    "nan": "from numpy import nan",
    "inf": "from numpy import inf",
    "StringIO": "from io import StringIO",
    "BytesIO": "from io import BytesIO",
    "Path": "from pathlib import Path",
    "OrderedDict": "from collections import OrderedDict",
    "defaultdict": "from collections import defaultdict",
    "namedtuple": "from collections import namedtuple",
    "Decimal": "from decimal import Decimal",
    "Fraction": "from fractions import Fraction",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
    "dataclass": "from dataclasses import dataclass",
    "assert_array_equal": "from numpy.testing import assert_array_equal",
    "assert_allclose": "from numpy.testing import assert_allclose",
    "assert_almost_equal": "from numpy.testing import assert_almost_equal",
}
GREEK = (
    "alpha beta gamma delta epsilon eta theta iota kappa mu nu xi pi rho sigma tau phi chi psi omega"
).split()
SYMBOL = re.compile(r"(?:[a-z]|%s)(?:_?\d+)?$" % "|".join(GREEK))
DEFINITION = re.compile(r"^(?:class|def)[ \t]+(\w+)|^(\w+(?:[ \t]*=[ \t]*\w+)*)[ \t]*=[^=]", re.M)
SKIPPED = {"tests", "test", "testing", "conftest", "benchmarks", "__pycache__", "externals"}


def star_module(tree):
    """The module of `from module import *`, None for anything else."""
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.ImportFrom):
        return None
    return tree.body[0].module if tree.body[0].names[0].name == "*" else None


def free_names(tree, namespace):
    """(name, attributes that are read of it) of what a statement needs and nobody defined."""
    bound = set(bound_names(tree))
    rebound = set(rebound_names(tree))
    bare, with_attributes = [], []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            with_attributes.append(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            bare.append(node)
    attributed = {}
    for node in with_attributes:
        attributed.setdefault(node.value.id, set()).add(node.attr)
    names = dict.fromkeys(node.id for node in bare)
    for name in names:
        known = name in namespace or hasattr(builtins, name)
        if not known and (name not in bound or name in rebound):
            yield name, attributed.get(name, set())


def bound_at_top(source):
    """Names that a statement would have set, had it not failed: nothing else may stand for them."""
    try:
        return set(bound_names(ast.parse(source)))
    except SyntaxError:
        return set()


def bound_names(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            yield node.name
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]


def rebound_names(tree):
    """Names that an assignment reads before it sets them."""
    body = tree.body if isinstance(tree.body, list) else []
    for node in body:
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            for part in ast.walk(node.value):
                if isinstance(part, ast.Name):
                    yield part.id


class Names:
    """Looks names up in modules imported with a star, in those of the packages that are used already,
    then among the usual, then in packages."""

    def __init__(self, packages, root):
        self.packages = packages
        self.root = root
        self.stars = []
        self._defined = None

    def add_star(self, module):
        self.stars.insert(0, importlib.import_module(module))

    def line_for(self, name, attributes, namespace):
        """The line that defines a name of which attributes are read, None where nothing is found."""
        for star in self.stars:
            if hasattr(star, name) and not hasattr(sys.modules.get("%s.%s" % (star.__name__, name)), "__path__"):
                return "from %s import %s" % (star.__name__, name)
        if name in self.packages:
            return "import " + name
        for module in self._used(namespace):
            if isinstance(getattr(module, name, None), (type, types.FunctionType)):
                return "from %s import %s" % (module.__name__, name)
        return self._usual(name, attributes) or self._from_packages(name) or self._module(name, attributes)

    def _used(self, namespace):
        """The modules of the packages that have a name already, parts before the whole."""
        found = {value.__name__: value for value in namespace.values() if isinstance(value, types.ModuleType)}
        own = [name for name in found if name.split(".")[0] in self.packages]
        return [found[name] for name in sorted(own, key=lambda name: -name.count("."))]

    def _usual(self, name, attributes):
        module = ALIASES[name].split()[1].split(".")[0] if name in ALIASES else ""
        if module in self.packages:
            return ALIASES[name]
        if name in ("array", "nan", "inf", "u") and "numpy" not in sys.modules:
            return None
        if module and available(module):
            return ALIASES[name]
        if attributes and len(name) > 1 and available(name):
            return "import " + name
        return None

    def _from_packages(self, name):
        for package in self.packages:
            if not available(package):
                continue
            value = getattr(importlib.import_module(package), name, None)
            if value is not None:
                return "from %s import %s" % (package, name)
        if "sympy" in self.packages:
            line = symbol_line(name)
            if line:
                return line
        return self._from_modules(name) if len(name) > 2 or name.isupper() else None

    def _from_modules(self, name):
        if self._defined is None:
            self._defined = dict(self._definitions())
        for module in sorted(self._defined.get(name, ()), key=lambda m: (m.count("._"), m.count("."), m)):
            try:
                value = getattr(importlib.import_module(module), name)
            except Exception:
                continue
            if len(name) > 2 or (name.isupper() and isinstance(value, type)):
                return "from %s import %s" % (shortest(module, name, value), name)
        return None

    def _module(self, name, attributes):
        """The import of a module of the packages that has the attributes which are read of it."""
        found = [m for package in self.packages for m, _ in modules(package) if m.endswith("." + name)]
        for module in sorted(found, key=lambda m: (m.count("."), m)) if attributes else ():
            try:
                value = importlib.import_module(module)
            except Exception:
                continue
            if all(hasattr(value, attribute) for attribute in attributes):
                return "from %s import %s" % (module.rpartition(".")[0], name)
        return None

    def _definitions(self):
        found = {}
        for package in self.packages:
            for module, path in modules(package):
                with open(path, encoding="utf-8", errors="replace") as stream:
                    for match in DEFINITION.finditer(stream.read()):
                        for name in re.split(r"\W+", match.group(1) or match.group(2)):
                            found.setdefault(name, []).append(module)
        return found


def shortest(module, name, value):
    """The outermost package around a module that holds the same value by the same name."""
    parts = module.split(".")
    for end in range(1, len(parts)):
        package = ".".join(parts[:end])
        if getattr(sys.modules.get(package), name, None) is value:
            return package
    return module


def symbol_line(name):
    """What isympy defines by itself, and whatever looks like a symbol."""
    if name in ("f", "g", "h"):
        return "from sympy import Function; %s = Function('%s')" % (name, name)
    if name in ("k", "m", "n"):
        return "from sympy import Symbol; %s = Symbol('%s', integer=True)" % (name, name)
    if SYMBOL.match(name):
        return "from sympy import Symbol; %s = Symbol('%s')" % (name, name)
    return None


def available(module):
    if module in sys.modules:
        return True
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def modules(package):
    """(dotted name, file) of the modules of a package, without its tests."""
    spec = importlib.util.find_spec(package)
    for root in (spec.submodule_search_locations or []) if spec else []:
        for directory, directories, files in os.walk(root):
            directories[:] = sorted(d for d in directories if d not in SKIPPED and not d.startswith("."))
            for file in sorted(files):
                if file.endswith(".py") and not file.startswith("test_"):
                    parts = os.path.relpath(os.path.join(directory, file[:-3]), root).split(os.sep)
                    names = [package] + [p for p in parts if p != "__init__" and p != "."]
                    yield ".".join(names), os.path.join(directory, file)
