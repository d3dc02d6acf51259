"""Writes a test module for Django's own suite."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.issue_only.django.material import Supplies

_WORDS_IN_A_NAME = 6
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019](?=\w)")
_PLACES = (
    ("django.db.migrations", "migrations"),
    ("django.core.validators", "validators"),
    ("django.core.management", "user_commands"),
    ("django.core.checks", "check_framework"),
    ("django.contrib.auth", "auth_tests"),
    ("django.contrib.admin", "admin_utils"),
    ("django.contrib.sessions", "sessions_tests"),
    ("django.contrib.messages", "messages_tests"),
    ("django.contrib.sitemaps", "sitemaps_tests"),
    ("django.contrib.contenttypes", "contenttypes_tests"),
    ("django.core.serializers", "serializers"),
    ("django.core.paginator", "pagination"),
    ("django.core.signing", "signing"),
    ("django.core.mail", "mail"),
    ("django.core.files", "files"),
    ("django.core.exceptions", "validators"),
    ("django.core.cache", "cache"),
    ("django.forms", "forms_tests/tests"),
    ("django.template", "template_tests"),
    ("django.urls", "urlpatterns"),
    ("django.views", "view_tests"),
    ("django.http", "httpwrappers"),
    ("django.dispatch", "dispatch"),
    ("django.conf", "settings_tests"),
    ("django.middleware", "middleware"),
    ("django.utils", "utils_tests"),
    ("django.db", "queries"),
)
"""Modules of Django -> the directory below `tests/` that holds the tests of what is in them."""

MODEL_PLACES = ("queries", "expressions", "model_regress", "model_fields", "basic", "many_to_one")
"""Applications among Django's tests to which models may be added, as they are tried in turn."""


@dataclass(frozen=True)
class TestModule:
    """A test file to be: where it goes and what it says.

    With a `line` (from 1) of a file that stands already, `source` is a method named `method` for
    the class there.
    """

    __test__ = False

    path: str
    source: str
    line: int | None = None
    method: str = ""


def class_name(title: str) -> str:
    """A test class's name for a ticket's title."""
    words = [part for word in _words(title) for part in word.split("_")]
    name = "".join(word[:1].upper() + word[1:] for word in words) + "Tests"
    return name if name.isidentifier() else f"Reported{name}"


def method_name(title: str) -> str:
    """A test method's name for a ticket's title."""
    return "test_" + "_".join(word.lower() for word in _words(title))


def _words(title: str) -> list[str]:
    words = [word.strip("_") for word in re.findall(r"[A-Za-z0-9_]+", _APOSTROPHE.sub("", title))]
    kept = [word for word in words if len(word) > 1]
    return kept[:_WORDS_IN_A_NAME] or ["reported"]


def directory(tree: Path, modules: Iterable[str], models: Sequence[str] = ()) -> str:
    """The directory of tests for some modules of Django, or one where models can be added."""
    imported = [f"{module}." for module in modules]
    own = [m.partition(".")[0] for m in imported if not m.startswith("django.")]
    if own:
        return f"tests/{own[0]}"
    fitting = [
        place
        for prefix, place in _PLACES
        if any(module.startswith(f"{prefix}.") for module in imported)
        and (tree / "tests" / place).is_dir()
    ]
    if models:
        fitting = [place for place in fitting if place != "utils_tests"]
        places = [p for p in [*fitting[:1], *MODEL_PLACES] if _has_room(tree, p, models)]
        return f"tests/{places[0]}" if places else ""
    return f"tests/{fitting[0]}" if fitting else "tests/utils_tests"


def _has_room(tree: Path, place: str, models: Sequence[str]) -> bool:
    """Whether an application has no model of these names yet."""
    file = tree / "tests" / place / "models.py"
    if not file.is_file():
        return False
    taken = re.findall(r"^class (\w+)", file.read_text(errors="replace"), re.MULTILINE)
    return not {name.lower() for name in taken} & {name.lower() for name in models}


def module_source(supplies: Supplies, imports: Iterable[str], body: str) -> str:
    """A module: imports in the order of isort, definitions, and a test class."""
    parts = [_import_block([*supplies.imports, *imports])]
    parts += [ast.unparse(node) for node in supplies.definitions]
    return "\n\n\n".join([*parts, body.strip("\n")]) + "\n"


def test_case(name: str, base: str, methods: Iterable[str]) -> str:
    """A test class of methods that are given without their indentation."""
    blocks = [textwrap.indent(method.strip("\n"), "    ") for method in methods]
    return f"class {name}({base}):\n" + "\n\n".join(blocks)


def method(
    name: str, lines: Iterable[str], decorators: Iterable[str] = (), arguments: str = "self"
) -> str:
    """A test method of statements that are given without their indentation."""
    body = "\n".join(textwrap.indent(line.strip("\n"), "    ") for line in lines)
    return (
        "".join(f"@{decorator}\n" for decorator in decorators) + f"def {name}({arguments}):\n{body}"
    )


def _import_block(lines: Iterable[str]) -> str:
    nodes = [ast.parse(line).body[0] for line in dict.fromkeys(lines)]
    groups: dict[bool, list[str]] = {False: [], True: []}
    for line in _merged(nodes):
        groups[line.split()[1].partition(".")[0] not in sys.stdlib_module_names].append(line)
    return "\n\n".join("\n".join(sorted(g, key=_import_key)) for g in groups.values() if g)


def _import_key(line: str) -> tuple[bool, str]:
    return (line.startswith("from "), line.split()[1])


def _merged(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """One line for each module."""
    named: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            named.setdefault(node.module or "", set()).update(map(ast.unparse, node.names))
        else:
            yield ast.unparse(node)
    for module, names in named.items():
        yield f"from {module} import {', '.join(sorted(names, key=_name_key))}"


def _name_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2, name)
