"""Repositories with their mapped methods, as the dataset has them."""

from __future__ import annotations

import collections
import functools
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from evaluator.benchmarks.tests4j.contexts import cut_focal_class, cut_test_class
from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    HumanTest,
    RepositorySnapshot,
    TestFramework,
    method_id,
)
from evaluator.benchmarks.tests4j.java_files import JavaFile, JavaMethod, JavaType
from evaluator.benchmarks.tests4j.mapping import Link, MethodMapping
from evaluator.benchmarks.tests4j.sources import RepositorySources, framework_of, most_common
from evaluator.errors import InputError
from evaluator.field_paths import problem_lines

CountTokens = Callable[[str], int]
"""How many tokens a text has."""


class RepositoryAtCommit(BaseModel):
    """What a list of repositories says of one; other fields do not count."""

    model_config = ConfigDict(frozen=True, strict=True)

    repo: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]
    commit: Annotated[str, Field(pattern=r"^[0-9a-f]{7,40}$")]
    exclude: tuple[str, ...] = ()


def read_repositories(arguments: Sequence[str]) -> tuple[RepositoryAtCommit, ...]:
    """The repositories that `OWNER/NAME@COMMIT` and JSON lists of them name, each once.

    Raises InputError naming file and field of what is wrong.
    """
    rows = [row for argument in arguments for row in _named(argument)]
    return tuple({row.repo: row for row in rows}.values())


def _named(argument: str) -> Iterable[RepositoryAtCommit]:
    path = Path(argument)
    if not path.is_file():
        return (_one(argument),)
    try:
        rows = json.loads(path.read_bytes())
        return TypeAdapter(tuple[RepositoryAtCommit, ...]).validate_python(rows, strict=False)
    except ValidationError as error:
        raise InputError(_listed(path, error)) from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}") from error


def _one(argument: str) -> RepositoryAtCommit:
    repo, _, commit = argument.rpartition("@")
    try:
        return RepositoryAtCommit(repo=repo, commit=commit)
    except ValidationError as error:
        raise InputError(
            f"{argument!r} is neither a file nor OWNER/NAME@COMMIT with 7 to 40 hexadecimal digits"
        ) from error


def _listed(path: Path, error: ValidationError) -> str:
    example = '[{"repo": "OWNER/NAME", "commit": "0123abc..."}]'
    return f"{path} is no list of repositories, such as {example}:{problem_lines(error)}"


def snapshot(
    sources: RepositorySources, mapping: MethodMapping, count_tokens: CountTokens | None = None
) -> RepositorySnapshot:
    """A repository with the methods that a mapping assigns tests to, in the order of their ids.

    A method that tests of several classes are about gets those of the class that has most of them:
    a method has one test class (thesis, p. 17).
    """
    groups: dict[str, list[Link]] = collections.defaultdict(list)
    for link in mapping.links(sources):
        groups[_id(sources, link)].append(link)
    return RepositorySnapshot(
        name=sources.name,
        commit=sources.commit,
        framework=most_common(_framework(sources, links[0]) for links in groups.values()),
        java_level=sources.java_level,
        exclude=sources.exclude,
        methods=tuple(
            _method(name, _of_one_class(groups[name]), sources, count_tokens)
            for name in sorted(groups)
        ),
    )


def _framework(sources: RepositorySources, link: Link) -> TestFramework:
    return framework_of(link.test_file, is_junit3=sources.tests.is_junit3(link.test_class))


def _id(sources: RepositorySources, link: Link) -> str:
    return method_id(
        sources.name,
        link.focal_file.path,
        link.focal_class.binary_name,
        link.focal.name,
        link.focal.parameters,
    )


def _of_one_class(links: Sequence[Link]) -> Sequence[Link]:
    paths = [link.test_file.path for link in links]
    chosen = max(paths, key=paths.count)
    return [link for link in links if link.test_file.path == chosen]


def _method(
    name: str, links: Sequence[Link], sources: RepositorySources, count: CountTokens | None
) -> FocalMethod:
    first = links[0]
    return FocalMethod(
        id=name,
        focal_path=first.focal_file.path,
        focal_class=first.focal_class.binary_name,
        name=first.focal.name,
        parameters=first.focal.parameters,
        source=first.focal.source,
        tokens=count(first.focal.source) if count else None,
        focal_context=cut_focal_class(first.focal_class, first.focal),
        test_path=first.test_file.path,
        test_class=first.test_class.binary_name,
        test_context=_test_context(sources, first.test_file, first.test_class),
        tests=tuple(_test(link.test, count) for link in links),
    )


@functools.lru_cache(maxsize=16)  # Methods of one class have tests in one class.
def _test_context(sources: RepositorySources, file: JavaFile, kind: JavaType) -> str:
    return cut_test_class(file, kind, sources.tests.of(kind))


def _test(test: JavaMethod, count: CountTokens | None) -> HumanTest:
    tokens = count(test.source) if count else None
    return HumanTest(name=test.name, source=test.source, tokens=tokens)
