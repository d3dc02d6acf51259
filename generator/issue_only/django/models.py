"""Models of a ticket: told from other classes, put right, and made up where they are left out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

RELATIONS = frozenset({"ForeignKey", "OneToOneField", "ManyToManyField"})
_ROOTS = frozenset({"models.Model", "Model", "AbstractUser", "AbstractBaseUser"})
_LIMITED = frozenset({"models.CharField", "CharField"})
_QUERIED = re.compile(r"\b([A-Z]\w*)\.(?:objects|_base_manager|_default_manager)\b")
_LOOKING = frozenset({"filter", "exclude", "get", "create", "get_or_create", "update"})
_NAMING = frozenset(
    {"order_by", "values", "values_list", "only", "defer", "distinct", "dates", "bulk_update"}
)


def is_model(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> bool:
    """Whether a class is a model: by a base of Django's, or one of the ticket that is a model."""
    for base in node.bases:
        name = ast.unparse(base)
        parent = classes.get(name)
        if name in _ROOTS or (parent not in (None, node) and is_model(parent, classes)):
            return True
    return False


def is_abstract(node: ast.ClassDef) -> bool:
    """Whether a model's Meta says that it is abstract."""
    return any(
        isinstance(part, ast.Assign) and ast.unparse(part) == "abstract = True"
        for meta in node.body
        if isinstance(meta, ast.ClassDef) and meta.name == "Meta"
        for part in meta.body
    )


def queried(text: str) -> set[str]:
    """The classes whose managers a text uses."""
    return set(_QUERIED.findall(text))


def targets(node: ast.AST) -> Iterator[ast.expr]:
    """What the relations in a class lead to."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _called(call) in RELATIONS:
            named = [k.value for k in call.keywords if k.arg == "to"]
            yield from call.args[:1] or named


def put_right(node: ast.ClassDef, models: Iterable[str], lacking: set[str]) -> ast.ClassDef:
    """The model as it can stand in one application of today's Django.

    Labels of applications go, parts that need what is `lacking` are left out, and relations of
    the time when it was no duty get their `on_delete`.
    """
    known = set(models)
    fresh = ast.parse(ast.unparse(node)).body[0]
    assert isinstance(fresh, ast.ClassDef)
    fresh.body = [part for part in fresh.body if not _needs(part, lacking)]
    fresh.body = fresh.body or [ast.Pass()]
    for part in ast.walk(fresh):
        if isinstance(part, ast.Call) and _called(part) in RELATIONS:
            _without_labels(part, known)
            if _called(part) != "ManyToManyField":
                _with_on_delete(part)
        if isinstance(part, ast.Call) and ast.unparse(part.func) in _LIMITED:
            _with(part, "max_length", "255")
        if isinstance(part, ast.ClassDef) and part.name == "Meta":
            kept = [p for p in part.body if not ast.unparse(p).startswith("app_label =")]
            part.body = kept or [ast.Pass()]
    return ast.fix_missing_locations(fresh)


def _needs(part: ast.stmt, lacking: set[str]) -> bool:
    used = {name.id for name in ast.walk(part) if isinstance(name, ast.Name)}
    return isinstance(part, ast.Assign) and bool(used & lacking)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _without_labels(call: ast.Call, known: set[str]) -> None:
    for part in ast.walk(call):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            label, _, name = part.value.rpartition(".")
            if label.isidentifier() and name in known:
                part.value = name


def _with_on_delete(call: ast.Call) -> None:
    if len(call.args) < 2:
        _with(call, "on_delete", "models.CASCADE")


def _with(call: ast.Call, argument: str, value: str) -> None:
    """Give a call a keyword that it lacks."""
    if not any(keyword.arg == argument for keyword in call.keywords):
        call.keywords.append(ast.keyword(argument, ast.parse(value, mode="eval").body))


def made_up(name: str, steps: Iterable[ast.AST], text: str) -> ast.ClassDef:
    """A model of which a ticket says no more than what it looks up."""
    fields: dict[str, str] = {}
    for step in steps:
        for field, value in _named(step, name):
            if field.isidentifier() and field != "None" and "__" not in field:
                fields.setdefault(field, _field(value))
    for column in re.findall(rf'"\w*_?{name.lower()}"\."(\w+)"', text, re.IGNORECASE):
        fields.setdefault(column, _field(None))
    lines = [f"    {field} = {made}" for field, made in fields.items() if field not in ("id", "pk")]
    body = "\n".join(lines) or "    pass"
    node = ast.parse(f"class {name}(models.Model):\n{body}").body[0]
    assert isinstance(node, ast.ClassDef)
    return node


def relations(node: ast.ClassDef) -> Mapping[str, str]:
    """The fields of a model that lead to another one, with its name."""
    found = {}
    for part in node.body:
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            for target in targets(part.value):
                name = target.value if isinstance(target, ast.Constant) else ast.unparse(target)
                found[part.targets[0].id] = str(name).rpartition(".")[2]
    return found


def looked_up(step: ast.AST) -> Iterator[tuple[str, ast.keyword]]:
    """The keywords of queries in some code, each with the model that its query begins at."""
    for call in ast.walk(step):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            model, _, rest = ast.unparse(call.func).partition(".objects")
            if rest and call.func.attr in _LOOKING:
                yield from ((model, keyword) for keyword in call.keywords)


def _named(step: ast.AST, model: str) -> Iterator[tuple[str, object]]:
    """Fields that code uses of a model, with the values that they are compared to."""
    yield from ((k.arg, _constant(k.value)) for m, k in looked_up(step) if m == model and k.arg)
    for call in ast.walk(step):
        if isinstance(call, ast.Call):
            called = ast.unparse(call.func)
            listed = [a for given in call.args for a in getattr(given, "elts", [])]
            if called.startswith(f"{model}.objects") and called.rpartition(".")[2] in _NAMING:
                yield from ((str(_constant(a)).strip("-"), None) for a in [*call.args, *listed])
            elif called in ("F", "models.F") and call.args:
                yield str(_constant(call.args[0])), None


def _constant(node: ast.expr) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _field(value: object) -> str:
    if isinstance(value, bool):
        return f"models.BooleanField(default={not value})"
    if isinstance(value, int):
        return "models.IntegerField(null=True)"
    return "models.CharField(max_length=255)"
