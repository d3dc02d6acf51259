"""What `layout.gradle` has Gradle write down of each project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from evaluator.environment.tools import regular_files
from evaluator.errors import EnvironmentBuildError


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceSet(_Described):
    """A source set. Paths are absolute, in the copy of the tree that Gradle saw.

    `sources` are the files of Java below `roots` that are compiled, into `classes`; `compiled` has
    what Gradle made of those in other languages, and `made` what it made of `resources`, or
    generated beside them. `error` says why it has no class path, "" where it has one. `level` is ""
    where none is stated, and `processors` is None where annotation processors are looked for on
    the class path.
    """

    name: str
    roots: Sequence[Path]
    sources: Sequence[Path]
    resources: Sequence[Path]
    classes: Sequence[Path]
    compiled: Sequence[Path]
    made: Sequence[Path]
    class_path: Sequence[Path]
    error: str
    level: str
    encoding: str
    options: Sequence[str]
    processors: Sequence[Path] | None


class TestTask(_Described):
    """A task that runs the tests in some directories of `classes`."""

    classes: Sequence[Path]
    directory: Path
    machine: Sequence[str]
    variables: Mapping[str, str]


class Archive(_Described):
    """A task that makes an archive of classes."""

    name: str
    path: Path


class GradleProject(_Described):
    """One project of a build."""

    directory: Path
    sets: Sequence[SourceSet]
    tests: Sequence[TestTask]
    archives: Sequence[Archive]


def read_projects(directory: Path) -> Sequence[GradleProject]:
    """Those that were written down in a directory, in Gradle's own order.

    Raises EnvironmentBuildError: code of the tree could write there, too.
    """
    names = sorted(regular_files(directory), key=lambda name: (len(name), name))
    try:
        return [
            GradleProject.model_validate_json((directory / name).read_bytes()) for name in names
        ]
    except ValidationError as error:
        first = error.errors()[0]
        message = f"what Gradle wrote of a project is broken: {first['loc']}: {first['msg']}"
        raise EnvironmentBuildError(message) from error
