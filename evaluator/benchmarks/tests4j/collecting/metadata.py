"""What is known of a repository before it is cloned, and where that comes from."""

from __future__ import annotations

import datetime
import enum
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluator.checkout import Mirror, Repositories
from evaluator.errors import CheckoutError, InputError
from evaluator.field_paths import field_path

_KILOBYTE = 1024


class Existence(enum.StrEnum):
    """Whether a repository is there; `EMPTY` has no commit at the time in question."""

    FOUND = "found"
    GONE = "gone"
    BLOCKED = "blocked"
    EMPTY = "empty"


class RepositoryMetadata(BaseModel):
    """A repository as its host describes it; a row of a file of metadata."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repo: Annotated[str, Field(pattern=r"^[\w.-]+/[\w.-]+$")]
    """The name that was asked for"""
    existence: Existence = Existence.FOUND
    full_name: str = ""
    """Its name now, where it was renamed"""
    kilobytes: Annotated[int, Field(ge=0)] = 0
    """Size with its history, compressed"""
    commit: str = ""
    """Last commit of the main branch"""
    committed_at: datetime.datetime | None = None
    root_files: tuple[str, ...] = ()
    """Names of files and directories at the root of that commit"""

    @property
    def name(self) -> str:
        """The name that it has now."""
        return self.full_name or self.repo


class MetadataSource(Protocol):
    """Finds out what is known of a repository."""

    def find(self, repo: str) -> RepositoryMetadata:
        """The metadata of `OWNER/NAME`. Raises FixgateError where nothing can be found out."""


class RecordedMetadata:
    """Metadata from a JSONL file; a repository without a row counts as gone.

    Raises InputError naming line and field of what is wrong.
    """

    def __init__(self, path: Path) -> None:
        self._rows = {row.repo: row for row in read_metadata(path)}

    def find(self, repo: str) -> RepositoryMetadata:
        """The row of a repository."""
        return self._rows.get(repo) or RepositoryMetadata(repo=repo, existence=Existence.GONE)


class MirrorMetadata:
    """Metadata from clones on this machine; sizes are those of the clones.

    The commit is the one that is listed, or else that of HEAD.
    """

    def __init__(self, repositories: Repositories, cache: Path, commits: Mapping[str, str]) -> None:
        self._repositories = repositories
        self._cache = cache
        self._commits = commits

    def find(self, repo: str) -> RepositoryMetadata:
        """What the first clone says that holds the commit; gone where none does."""
        try:
            return self._found(repo)
        except CheckoutError:
            return RepositoryMetadata(repo=repo, existence=Existence.GONE)

    def _found(self, repo: str) -> RepositoryMetadata:
        wanted = self._commits[repo]
        mirror = self._repositories.find(repo, wanted) if wanted else self._local(repo)
        commit = mirror.commit(wanted or mirror.named("HEAD"))
        return RepositoryMetadata(
            repo=repo,
            kilobytes=_kilobytes(mirror),
            commit=commit.id,
            committed_at=commit.date,
            root_files=tuple(sorted({path.split("/")[0] for path in mirror.listing(commit.id)})),
        )

    def _local(self, repo: str) -> Mirror:
        """The first of the places that is one on this machine."""
        places = [place for place in self._repositories.places(repo) if Path(place).is_dir()]
        if not places:
            raise CheckoutError(f"there is no clone of {repo}")
        return Mirror.open(Path(places[0]), self._cache)


def _kilobytes(mirror: Mirror) -> int:
    objects = mirror.git_directory / "objects"
    sizes = (path.stat().st_size for path in objects.rglob("*") if path.is_file())
    return sum(sizes) // _KILOBYTE


def read_metadata(path: Path) -> Iterable[RepositoryMetadata]:
    """The rows of a JSONL file of metadata. Raises InputError naming line and field."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    return [_row(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _row(path: Path, number: int, line: str) -> RepositoryMetadata:
    try:
        return RepositoryMetadata.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = field_path(first["loc"]) or "the row"
        raise InputError(f"{path}, line {number}, {place}: {first['msg']}") from error


def to_line(metadata: RepositoryMetadata) -> str:
    """The row of a file of metadata."""
    return json.dumps(metadata.model_dump(mode="json"))
