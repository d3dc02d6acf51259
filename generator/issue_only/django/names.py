"""Where names come from: which import gives a name that a ticket uses without importing it."""

from __future__ import annotations

import ast
import builtins
import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evaluator.python_source import parsed

_FACADES = (
    "django.core.exceptions",
    "django.core.validators",
    "django.db.models",
    "django.db.models.functions",
    "django.db",
    "django.test",
    "django.test.utils",
    "django.http",
    "django.urls",
    "django.forms",
    "django.template",
    "django.shortcuts",
    "django.conf",
    "django.contrib.auth.models",
    "django.contrib.auth.base_user",
    "django.contrib.contenttypes.models",
    "django.contrib.contenttypes.fields",
    "django.contrib.sites.models",
    "django.core.management",
    "django.core.files.storage",
    "django.core.mail",
    "django.core.signing",
    "django.apps",
    "django.utils.functional",
    "django.utils.html",
    "django.utils.safestring",
    "django.utils.deprecation",
    "django.utils.dateparse",
    "django.views.generic",
)
"""Modules that Django's documentation imports from; the first that has a name gives it."""

_PACKAGES = ("django", "django.db", "django.core", "django.contrib", "django.utils", "django.views")
"""Packages whose modules are imported by name, as in `from django.utils import timezone`."""

_STANDARD = {
    "Decimal": "decimal",
    "Enum": "enum",
    "Path": "pathlib",
    "partial": "functools",
    "namedtuple": "collections",
    "OrderedDict": "collections",
    "date": "datetime",
    "timedelta": "datetime",
    "pprint": "pprint",
}
_WITH_DRIVERS = ("django.contrib.postgres", "django.contrib.gis")
"""Packages that cannot be imported where the drivers of a database are not installed."""

_SHORTEST = 2
"""Names of no more letters are variables, whatever Django defines."""

_ABBREVIATED = {"_": "from django.utils.translation import gettext_lazy as _"}


class Names:
    """The names that a tree of Django defines."""

    def __init__(self, tree: Path) -> None:
        self._tree = tree
        self._origins: dict[str, str] = {}
        self._exports: dict[str, frozenset[str]] = {}

    def origin(self, name: str) -> str:
        """The import that binds a name, "" where none is known."""
        if name not in self._origins:
            self._origins[name] = self._origin(name)
        return self._origins[name]

    def _origin(self, name: str) -> str:
        if name in _ABBREVIATED:
            return _ABBREVIATED[name]
        for package in _PACKAGES:
            if self._file(f"{package}.{name}") is not None:
                return f"from {package} import {name}"
        for module in _FACADES:
            if name in self.exports(module) - sys.stdlib_module_names - _STANDARD.keys():
                return f"from {module} import {name}"
        return self._elsewhere(name)

    def _elsewhere(self, name: str) -> str:
        defined = self._definitions.get(name, ())
        tools = [module for module in defined if module.startswith("django.utils.")]
        if len(name) > _SHORTEST and (len(defined) == 1 or len(tools) == 1):
            return f"from {(tools or defined)[0]} import {name}"
        if name in sys.stdlib_module_names:
            return f"import {name}"
        return f"from {_STANDARD[name]} import {name}" if name in _STANDARD else ""

    def resolves(self, module: str, name: str = "") -> bool:
        """Whether an import finds its module, and the name in it: Django's, or the library's."""
        root = module.partition(".")[0]
        if root != "django":
            return root in sys.stdlib_module_names and root != "test"
        if name and self._file(f"{module}.{name}") is not None:
            return True
        return self._file(module) is not None and (not name or name in self.exports(module))

    def exports(self, module: str) -> frozenset[str]:
        """The names that a module of Django binds at its top level."""
        if module not in self._exports:
            file = self._file(module)
            tree = parsed(file.read_text(errors="replace")) if file is not None else None
            self._exports[module] = frozenset(self._bound(tree) if tree is not None else ())
        return self._exports[module]

    def _bound(self, tree: ast.Module) -> Iterator[str]:
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                yield from self._starred(node.module or "")
            else:
                yield from bound_names(node)

    def _starred(self, module: str) -> frozenset[str]:
        """What `from module import *` binds."""
        file = self._file(module)
        text = file.read_text(errors="replace") if file is not None else ""
        listed = re.search(r"^__all__ = [\[(](.*?)[\])]", text, re.MULTILINE | re.DOTALL)
        if listed:
            return frozenset(re.findall(r"['\"](\w+)['\"]", listed[1]))
        return self.exports(module)

    def tested_model(self, name: str, text: str) -> str:
        """The import of a model of Django's own tests that a text names with its table, or ""."""
        for label in re.findall(rf'"(\w+)_{name.lower()}"', text):
            file = self._tree / "tests" / label / "models.py"
            if file.is_file() and re.search(
                rf"^class {name}\b", file.read_text(errors="replace"), re.MULTILINE
            ):
                return f"from {label}.models import {name}"
        return ""

    @functools.cached_property
    def _definitions(self) -> dict[str, tuple[str, ...]]:
        """Public class or function -> the modules of Django that define it."""
        found: dict[str, tuple[str, ...]] = {}
        for file in sorted((self._tree / "django").rglob("*.py")):
            module = ".".join(file.relative_to(self._tree).with_suffix("").parts)
            if module.startswith(_WITH_DRIVERS):
                continue
            text = file.read_text(errors="replace")
            for name in set(re.findall(r"^(?:class|def) ([A-Za-z]\w*)", text, re.MULTILINE)):
                found[name] = (*found.get(name, ()), module.removesuffix(".__init__"))
        return found

    def _file(self, module: str) -> Path | None:
        path = self._tree.joinpath(*module.split("."))
        files = (path.with_suffix(".py"), path / "__init__.py")
        return next((file for file in files if file.is_file()), None)


def bound_names(node: ast.AST) -> set[str]:
    """The names that a statement binds where it stands."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, ast.Expr):
        return set()
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def free_names(node: ast.AST) -> set[str]:
    """The names that a node uses and does not bind itself, those of Python left out."""
    used: set[str] = set()
    bound = set(dir(builtins))
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            (used if isinstance(part.ctx, ast.Load) else bound).add(part.id)
        elif isinstance(part, ast.arg):
            bound.add(part.arg)
        elif isinstance(part, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            bound.add(part.name)
        elif isinstance(part, ast.Import | ast.ImportFrom):
            bound |= bound_names(part)
        elif isinstance(part, ast.ExceptHandler) and part.name:
            bound.add(part.name)
    return used - bound
