"""What a dataset is like: tables 3.3 and 3.4 of the thesis, and its figures of methods (p. 14)."""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict
from tree_sitter import Node

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    RepositorySnapshot,
    SplitName,
    Tests4JDataset,
)
from evaluator.languages.java.syntax import field, found, parsed, text
from evaluator.report.figures import FigureTable, write_figures
from evaluator.report.wording import percent
from evaluator.storage.files import write_whole

_BRANCHES = frozenset(
    {"if_statement", "for_statement", "enhanced_for_statement", "while_statement", "do_statement"}
    | {"catch_clause", "ternary_expression"}
)
_COMMENTS = frozenset({"line_comment", "block_comment"})
_GETTER, _SETTER = re.compile("get[A-Z]"), re.compile("set[A-Z]")
_NOT_SPLIT = "none"


class _Figures(BaseModel):
    model_config = ConfigDict(frozen=True)


class SplitFigures(_Figures):
    """A row of table 3.3. `share` is of all tests."""

    repositories: int
    methods: int
    tests: int
    share: float


class Distribution(_Figures):
    """A column of table 3.4; quartiles as in `statistics.quantiles(method="inclusive")`."""

    mean: float
    smallest: float
    quartiles: tuple[float, float, float]
    largest: float
    total: float


class MethodFigures(_Figures):
    """Shares of getters and setters, and the mean cyclomatic complexity.

    Getters and setters are methods named as such; `plain` ones only return or set a field.
    """

    getters: float
    setters: float
    plain_getters: float
    plain_setters: float
    complexity: float


class DatasetFigures(_Figures):
    """All of it. Distributions without values are left out."""

    name: str
    mapping: str
    splits: Mapping[str, SplitFigures]
    distributions: Mapping[str, Distribution]
    methods: MethodFigures
    java_levels: Mapping[str, int]
    frameworks: Mapping[str, int]
    repositories: Mapping[str, SplitFigures]


def describe(dataset: Tests4JDataset) -> DatasetFigures:
    """The figures of a dataset."""
    repositories = dataset.repositories
    total = sum(each.test_count for each in repositories)
    methods = [method for _, method in dataset.methods()]
    return DatasetFigures(
        name=dataset.name,
        mapping=dataset.mapping,
        splits={
            name: _figures([each for each in repositories if _split(each) == name], total)
            for name in (*SplitName, _NOT_SPLIT)
            if any(_split(each) == name for each in repositories)
        },
        distributions=_distributions(repositories, methods),
        methods=_method_figures(methods),
        java_levels=_counted(each.java_level or "not stated" for each in repositories),
        frameworks=_counted(each.framework for each in repositories),
        repositories={each.name: _figures([each], total) for each in repositories},
    )


def _counted(values: Iterable[str]) -> Mapping[str, int]:
    return dict(sorted(Counter(values).items()))


def _split(repository: RepositorySnapshot) -> str:
    return repository.split or _NOT_SPLIT


def _figures(repositories: Sequence[RepositorySnapshot], total: int) -> SplitFigures:
    tests = sum(each.test_count for each in repositories)
    methods = sum(len(each.methods) for each in repositories)
    return SplitFigures(
        repositories=len(repositories),
        methods=methods,
        tests=tests,
        share=tests / total if total else 0.0,
    )


def _distributions(
    repositories: Sequence[RepositorySnapshot], methods: Sequence[FocalMethod]
) -> Mapping[str, Distribution]:
    values = {
        "tests per repository": [each.test_count for each in repositories],
        "methods per repository": [len(each.methods) for each in repositories],
        "tests per method": [len(method.tests) for method in methods],
        "tokens per method": [m.tokens for m in methods if m.tokens is not None],
        "tokens per test": [t.tokens for m in methods for t in m.tests if t.tokens is not None],
    }
    return {name: distribution(listed) for name, listed in values.items() if listed}


def distribution(values: Sequence[float]) -> Distribution:
    """How values are distributed, of which there is at least one."""
    listed = list(values)
    low, middle, high = (
        statistics.quantiles(listed, n=4, method="inclusive") if len(listed) > 1 else listed * 3
    )
    return Distribution(
        mean=statistics.fmean(values),
        smallest=min(values),
        quartiles=(low, middle, high),
        largest=max(values),
        total=sum(values),
    )


def _method_figures(methods: Sequence[FocalMethod]) -> MethodFigures:
    nodes = [_declared(method.source) for method in methods]
    count = max(len(methods), 1)
    return MethodFigures(
        getters=sum(_GETTER.match(method.name) is not None for method in methods) / count,
        setters=sum(_SETTER.match(method.name) is not None for method in methods) / count,
        plain_getters=sum(map(is_plain_getter, nodes)) / count,
        plain_setters=sum(map(is_plain_setter, nodes)) / count,
        complexity=statistics.fmean(map(complexity, nodes)) if nodes else 0.0,
    )


def _declared(source: str) -> Node | None:
    """The declaration that a method's text is; None where it is none."""
    root = parsed(f"class A {{ {source} }}".encode())
    return None if root is None else next(found(root, "method_declaration"), None)


def is_plain_getter(method: Node | None) -> bool:
    """Whether a method takes nothing and only returns a field."""
    statement = _only_statement(method, parameters=0)
    if statement is None or statement.type != "return_statement":
        return False
    (value,) = statement.named_children or (statement,)
    return _is_field(value)


def is_plain_setter(method: Node | None) -> bool:
    """Whether a method only sets a field to its one parameter."""
    statement = _only_statement(method, parameters=1)
    if method is None or statement is None or statement.type != "expression_statement":
        return False
    assignment = statement.named_children[0]
    if assignment.type != "assignment_expression":
        return False
    left, right = field(assignment, "left"), field(assignment, "right")
    given = next(found(method, "formal_parameter"), None)
    name = text(field(given, "name")) if given is not None else ""
    return left is not None and _is_field(left) and text(right) == name


def _only_statement(method: Node | None, *, parameters: int) -> Node | None:
    """The statement that is all that a method with some number of parameters does."""
    body = None if method is None else field(method, "body")
    given = None if method is None else field(method, "parameters")
    if body is None or given is None or len(given.named_children) != parameters:
        return None
    statements = [each for each in body.named_children if each.type not in _COMMENTS]
    return statements[0] if len(statements) == 1 else None


def _is_field(node: Node) -> bool:
    if node.type == "field_access":
        return text(field(node, "object")) == "this"
    return node.type == "identifier"


def complexity(method: Node | None) -> int:
    """McCabe's cyclomatic complexity: 1 and each branch, case, `&&` and `||`."""
    return 1 if method is None else 1 + sum(_branches(node) for node in found(method, *_KINDS))


_KINDS = (*_BRANCHES, "switch_label", "binary_expression")


def _branches(node: Node) -> bool:
    if node.type == "switch_label":
        return not text(node).startswith("default")
    if node.type == "binary_expression":
        return text(field(node, "operator")) in ("&&", "||")
    return True


def write_statistics(figures: DatasetFigures, json_file: Path, page: Path) -> None:
    """Write the figures as JSON and as a page."""
    content = json.dumps(figures.model_dump(mode="json"), indent=1).encode() + b"\n"
    write_whole(json_file, content)
    lead = f"{figures.name}: tests assigned to methods by the mapping “{figures.mapping}”."
    write_figures(page, "Tests4J dataset", lead, _tables(figures))


def _tables(figures: DatasetFigures) -> list[FigureTable]:
    return [
        _share_table("Splits", "Table 3.3 of the thesis.", "Split", figures.splits),
        _distribution_table(figures.distributions),
        _method_table(figures),
        _share_table("Repositories", "With their mapped tests.", "Name", figures.repositories),
    ]


def _share_table(
    title: str, caption: str, kind: str, figures: Mapping[str, SplitFigures]
) -> FigureTable:
    columns = (kind, "Repositories", "Methods", "Tests", "Tests, %")
    rows = (
        (name, str(row.repositories), str(row.methods), str(row.tests), percent(row.share))
        for name, row in figures.items()
    )
    return FigureTable(title, caption, columns, tuple(rows))


def _distribution_table(figures: Mapping[str, Distribution]) -> FigureTable:
    columns = ("Of", "Mean", "Smallest", "25 %", "50 %", "75 %", "Largest", "Total")
    rows = (
        (name, f"{each.mean:.1f}", *map(_number, _steps(each)), _number(each.total))
        for name, each in figures.items()
    )
    return FigureTable("Distributions", "Table 3.4 of the thesis.", columns, tuple(rows))


def _steps(values: Distribution) -> tuple[float, ...]:
    return (values.smallest, *values.quartiles, values.largest)


def _number(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def _method_table(figures: DatasetFigures) -> FigureTable:
    rows = [
        ("Getters, % of methods", percent(figures.methods.getters), "18.4"),
        ("Setters, % of methods", percent(figures.methods.setters), "2.7"),
        ("Plain getters, %", percent(figures.methods.plain_getters), ""),
        ("Plain setters, %", percent(figures.methods.plain_setters), ""),
        ("Cyclomatic complexity, mean", f"{figures.methods.complexity:.2f}", "2.29"),
    ]
    rows += [(f"Java {level}", str(count), "") for level, count in figures.java_levels.items()]
    rows += [(name, str(count), "") for name, count in figures.frameworks.items()]
    caption = "Methods, Java level of the root pom, and framework of most mapped tests."
    return FigureTable(
        "Methods and repositories", caption, ("Figure", "Here", "Thesis"), tuple(rows)
    )
