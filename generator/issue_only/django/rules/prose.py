"""Sentences that say how something should be, where that can be looked up in one assertion."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from evaluator.python_source import parsed
from generator.issue_only.django.attempt import Attempt, assertion_fails
from generator.issue_only.django.material import Material
from generator.issue_only.django.steps import written

_DEFAULT = re.compile(
    r"\bdefaults?\b[^.\n]{0,60}?\bto (?:be )?(?P<value>0o\d+|\"[^\"\n]+\"|'[^'\n]+'|\d+|True|False)"
)
_SETTINGS = "django/conf/global_settings.py"
_SPECIAL = re.compile(
    r"\b(?:add|implement|provid|defin)\w*\b[^.\n]{0,30}?\b(?:__)?(?P<name>eq|iter)(?:__)?"
    r" (?:method|function)"
)
_PROMISES = {
    "eq": "self.assertEqual({name}('message'), {name}('message'))",
    "iter": "self.assertIn('__iter__', dir({name}))",
}
_UNEQUAL = re.compile(r"\b(?:should(?:n't| not)|must not) (?:be|compare) equal\b")


def defaults(material: Material, tree: Path) -> Iterator[Attempt]:
    """A setting should have another default."""
    text = material.ticket.text
    value = _DEFAULT.search(text)
    if value is None:
        return
    for name in _settings_named(material.ticket.title, tree):
        line = f"self.assertEqual(global_settings.{name}, {value['value']})"
        imports = ["from django.conf import global_settings"]
        module = written(material, tree, [line], imports=imports, plain=True)
        if module is not None:
            words = f"the default of {name} is not {value['value']}"
            yield Attempt("default", 0.8, module, assertion_fails, words)


def _settings_named(title: str, tree: Path) -> list[str]:
    """The settings of Django in a title; a plural's ending may be left out."""
    module = parsed((tree / _SETTINGS).read_text(errors="replace"))
    known = {
        target.id
        for node in (module.body if module else ())
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    words = re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", title)
    return [name for word in words for name in (word, f"{word}S") if name in known]


def special_methods(material: Material, tree: Path) -> Iterator[Attempt]:
    """A class should have what a special method makes of it: equality, or iteration."""
    asked = _SPECIAL.search(material.ticket.text)
    for name in _classes_named(material) if asked else ():
        line = _PROMISES[asked["name"]].format(name=name) if asked else ""
        module = written(material, tree, [line], plain=True)
        if module is not None:
            words = f"{name} has no {asked['name'] if asked else ''}"
            yield Attempt("special_method", 0.7, module, assertion_fails, words)


def _classes_named(material: Material) -> Iterator[str]:
    """The classes of Django in the title; a plural's ending may be there."""
    for word in re.findall(r"\b[A-Z]\w+", material.ticket.title):
        for name in dict.fromkeys((word, word.removesuffix("s"))):
            if material.import_of(name).startswith("from django."):
                yield name


def unequal(material: Material, tree: Path) -> Iterator[Attempt]:
    """A comparison that the ticket shows should not hold."""
    if not _UNEQUAL.search(material.ticket.text):
        return
    for step in material.runnable(material.steps):
        node = step.node
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Compare)):
            continue
        compare = node.value
        if isinstance(compare.ops[0], ast.Eq) and not isinstance(
            compare.comparators[0], ast.Constant
        ):
            sides = f"{ast.unparse(compare.left)}, {ast.unparse(compare.comparators[0])}"
            module = written(material, tree, [f"self.assertNotEqual({sides})"])
            if module is not None:
                words = f"`{ast.unparse(compare)}` holds"
                yield Attempt("unequal", 0.8, module, assertion_fails, words)
