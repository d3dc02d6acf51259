"""The dataset as one JSON file: the only interface between repositories and test generators.

Whatever writes tests needs nothing but this file, and whatever evaluates them needs the file and
the repositories that it names (thesis, chapter 3, p. 9). Its schema is `docs/tests4j.schema.json`.
"""

from __future__ import annotations

import collections
import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from evaluator.errors import InputError
from evaluator.field_paths import field_path
from evaluator.schemas import Section, published_schema
from evaluator.storage.files import write_whole

SCHEMA_VERSION: Final = 1
_SHOWN = 20


class MappingKind(enum.StrEnum):
    """How tests were assigned to methods."""

    HEURISTIC = "heuristic"
    CALLS = "calls"


class SplitName(enum.StrEnum):
    """The parts that a dataset is divided into."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


class TestFramework(enum.StrEnum):
    """What runs a repository's tests."""

    __test__ = False  # pytest collects classes by this beginning

    JUNIT3 = "junit3"
    JUNIT4 = "junit4"
    JUPITER = "jupiter"
    TESTNG = "testng"


def _refused(message: str) -> PydanticCustomError:
    return PydanticCustomError("refused", "{message}", {"message": message})


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or "\\" in path or path.startswith("/") or ".." in parts:
        raise _refused("is no path inside the repository; write it from the root, with slashes")
    return path


_Repository = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*/[A-Za-z0-9_-][A-Za-z0-9_.-]*$")
]
_Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
_Path = Annotated[str, AfterValidator(_inside)]
_Filled = Annotated[str, Field(min_length=1)]


class HumanTest(Section):
    """A test that a person wrote for the method."""

    name: _Filled
    """Name of the test method"""
    source: _Filled
    """Its text, annotations included"""
    tokens: Annotated[int, Field(ge=0)] | None = None
    """How many tokens the source has; null where no tokenizer was used"""


class FocalMethod(Section):
    """A method under test (MUT), with what a generator may see of its surroundings."""

    id: _Filled
    """`OWNER/NAME:FOCAL_PATH:FOCAL_CLASS.NAME(PARAMETERS)`, unique in the dataset"""
    focal_path: _Path
    """File of the method"""
    focal_class: _Filled
    """Binary name of its class, such as `org.example.Outer$Inner`"""
    name: _Filled
    """Name of the method"""
    parameters: tuple[str, ...]
    """Erased types of its parameters without packages, such as `int`, `String[]` or `List`"""
    source: _Filled
    """Text of the method"""
    tokens: Annotated[int, Field(ge=0)] | None = None
    """How many tokens the source has; null where no tokenizer was used"""
    focal_context: str
    """The focal class as a generator sees it: its name, public fields and public methods' heads"""
    test_path: _Path
    """File of the tests"""
    test_class: _Filled
    """Binary name of the test class"""
    test_context: str
    """The test class as a generator sees it: imports, fields, heads of methods; no tests"""
    tests: Annotated[tuple[HumanTest, ...], Field(min_length=1)]
    """What people wrote to test the method"""


class RepositorySnapshot(Section):
    """A repository at one commit, and the methods that its tests are about."""

    name: _Repository
    """`OWNER/NAME`"""
    commit: _Commit
    """Full id of the commit"""
    split: SplitName | None = None
    """Part of the dataset; null where the dataset was not split"""
    framework: TestFramework
    """What runs most of its test classes"""
    java_level: str | None = None
    """Java version that the root pom names, such as `1.8` or `11`; null where it names none"""
    exclude: tuple[_Path, ...] = ()
    """Beginnings of paths that are left out"""
    methods: tuple[FocalMethod, ...]
    """Methods with tests"""

    @property
    def test_count(self) -> int:
        """How many tests its methods have."""
        return sum(len(method.tests) for method in self.methods)

    @model_validator(mode="after")
    def _has_ids_of_its_own(self) -> RepositorySnapshot:
        for number, method in enumerate(self.methods):
            expected = method_id(
                self.name, method.focal_path, method.focal_class, method.name, method.parameters
            )
            if method.id != expected:
                raise _refused(f"methods[{number}].id is {method.id!r} and should be {expected!r}")
        return self

    @model_validator(mode="after")
    def _names_no_method_twice(self) -> RepositorySnapshot:
        # Of other repositories, ids differ by their beginnings.
        for method in _twice(each.id for each in self.methods):
            raise _refused(f"names the method {method} twice; merge their tests")
        return self


class Tests4JDataset(Section):
    """Methods of Java repositories, and the tests that people wrote for them.

    Files with the same schema_version keep every field described here.
    """

    __test__ = False

    schema_version: Literal[1] = SCHEMA_VERSION
    name: _Filled
    """What the dataset is called"""
    mapping: MappingKind
    """How tests were assigned to methods: by names and calls in the source, or by recorded calls"""
    repositories: tuple[RepositorySnapshot, ...]

    def methods(self) -> Iterator[tuple[RepositorySnapshot, FocalMethod]]:
        """Each method with its repository."""
        return ((each, method) for each in self.repositories for method in each.methods)

    @model_validator(mode="after")
    def _names_no_repository_twice(self) -> Tests4JDataset:
        for repository in _twice(each.name for each in self.repositories):
            raise _refused(f"names the repository {repository} twice; keep one of them")
        return self


def method_id(
    repository: str, focal_path: str, focal_class: str, name: str, parameters: Sequence[str]
) -> str:
    """The id of a method, which says where it is and which of its overloads it is."""
    return f"{repository}:{focal_path}:{focal_class}.{name}({','.join(parameters)})"


def _twice(names: Iterable[str]) -> list[str]:
    return [name for name, count in collections.Counter(names).items() if count > 1]


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) that is published for the file."""
    made = Tests4JDataset.model_json_schema()
    return published_schema({**made, "title": "Tests4J dataset"}, identifier="tests4j:1")


def load_dataset(path: Path) -> Tests4JDataset:
    """Read a dataset. Raises InputError naming each field that is wrong, and what to do."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    try:
        return Tests4JDataset.model_validate_json(content)
    except ValidationError as error:
        raise InputError(_report(path, error.errors(include_url=False))) from error


def save_dataset(dataset: Tests4JDataset, path: Path) -> None:
    """Write a dataset, whole or not at all; the directory is made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, dataset.model_dump_json(indent=1).encode() + b"\n")


def _report(path: Path, errors: Sequence[ErrorDetails]) -> str:
    shown = "".join(
        f"\n  {field_path(error['loc']) or 'the file'}: {_message(error)}"
        for error in errors[:_SHOWN]
    )
    rest = len(errors) - _SHOWN
    more = f"\n  and {rest} more" if rest > 0 else ""
    return (
        f"{path} is no Tests4J dataset of version {SCHEMA_VERSION} "
        f"(docs/tests4j.schema.json describes it):{shown}{more}"
    )


_MESSAGES = {
    "missing": "is missing; add it",
    "extra_forbidden": "is not known; remove it",
}


def _message(error: ErrorDetails) -> str:
    if error["loc"] == ("schema_version",) and error["type"] == "literal_error":
        return (
            f"is {error['input']!r}; write the dataset anew with `fixgate tests4j map`, "
            "or read it with the version of fixgate that wrote it"
        )
    if error["type"] == "string_pattern_mismatch":
        return f"{_short(error['input'])} does not match {error.get('ctx', {}).get('pattern')}"
    known = _MESSAGES.get(error["type"])
    return known or error["msg"].replace("Input should", "should")


def _short(value: object) -> str:
    return re.sub(r"(?s)^(.{60}).+$", r"\1...", repr(value))
