"""Instances of SWE-bench and SWT-Bench, read from files or from the Hugging Face hub.

The hub variants `nmuendler/SWT-bench*_bm25_*` hold the tests in `patch`, where everybody else
holds the code. Graded that way round, every result would be wrong.
"""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from evaluator.diff import split
from evaluator.errors import InputError, extra_needed
from evaluator.languages import is_test_file, language_of, languages
from evaluator.model import Instance
from evaluator.storage.files import write_whole
from evaluator.swtbench.fields import (
    RequiredText,
    RowFields,
    Text,
    kind_of,
    matching,
    read_row,
    refusal,
    short,
)
from evaluator.swtbench.rows import SUFFIXES, Problems, read_rows

_NAME = re.compile(r"(?P<name>[\w-][\w.-]*/[\w-][\w.-]*)(:(?P<split>\w+))?", re.ASCII)
_PATTERNS = ("data/{}-*.parquet", "{}-*.parquet", "{}.parquet", "*/{}-*.parquet", "*/{}.parquet")


def is_dataset_name(source: str) -> bool:
    """Whether this is `OWNER/NAME` or `OWNER/NAME:SPLIT`."""
    return _NAME.fullmatch(source) is not None


def dataset_files(source: str) -> tuple[Path, ...]:
    """The Parquet files of a split of a dataset, from the hub or from the hub's local cache.

    Whatever `huggingface_hub` heeds (HF_HOME, HF_HUB_OFFLINE, HF_ENDPOINT, HF_TOKEN) holds here.
    Raises InputError where the extra is not installed, the hub cannot be reached, or it has no
    such dataset or split.
    """
    match = _NAME.fullmatch(source)
    if match is None:
        raise InputError(
            f"{source!r} is no dataset name of the form OWNER/NAME or OWNER/NAME:SPLIT"
        )
    name, split = match["name"], match["split"] or "test"
    patterns = [pattern.format(split) for pattern in _PATTERNS]
    snapshot = _snapshot(name, patterns)
    files = {path for pattern in patterns for path in snapshot.glob(pattern)}
    if not files:
        raise InputError(
            f"{name}: has no Parquet files of a split {split!r}; name one as {name}:SPLIT"
        )
    return tuple(sorted(files))


def _snapshot(name: str, patterns: list[str]) -> Path:
    with extra_needed("hub", f"{name}: there is no file of this name, and a dataset of the hub"):
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import RepositoryNotFoundError
    try:
        return Path(snapshot_download(name, repo_type="dataset", allow_patterns=patterns))
    except RepositoryNotFoundError as error:
        raise InputError(
            f"{name}: the hub has no such dataset, or does not show it to you; "
            "look at the name, or set HF_TOKEN if it is private"
        ) from error
    except Exception as error:  # those of the HTTP library below, which is another by version
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{name}: there is no file of this name, and the dataset cannot be had from the hub "
            f"({reason}). Download its Parquet file elsewhere and name that file, "
            "or set HF_HOME to a cache of the hub that has it"
        ) from error


_WRAPPER = re.compile(r"\s*<patch>\n?(.*?)\n?</patch>\s*", re.DOTALL)


class Orientation(enum.Enum):
    """Which way round a row holds its two patches."""

    USUAL = "usual"
    SWAPPED = "swapped"
    UNCLEAR = "unclear"


def unwrapped(patch: str) -> str:
    """The patch without the `<patch>` tags that prompts put around it."""
    match = _WRAPPER.fullmatch(patch)
    return f"{match[1]}\n" if match else patch


def orientation(patch: str, test_patch: str) -> Orientation:
    """Decided by the paths: swapped if all of `patch` are tests and none of `test_patch` is.

    Unclear where `patch` is all tests though `test_patch` has some too, or `test_patch` has none
    though `patch` has some.
    """
    code, tests = split(patch, is_test_file), split(test_patch, is_test_file)
    if not code.code_files:
        return Orientation.UNCLEAR if tests.test_files else Orientation.SWAPPED
    unclear = code.test_files and not tests.test_files
    return Orientation.UNCLEAR if unclear else Orientation.USUAL


def common_orientation(orientations: Iterable[Orientation]) -> Orientation:
    """How the clear rows of a dataset are held, if they agree: datasets are swapped as a whole."""
    clear = set(orientations) - {Orientation.UNCLEAR}
    return clear.pop() if len(clear) == 1 else Orientation.UNCLEAR


@dataclass(frozen=True)
class Dataset:
    """The instances of a dataset, and notes on what was read otherwise than it stands there."""

    instances: tuple[Instance, ...]
    notes: tuple[str, ...] = ()


def load_instances(source: str) -> Dataset:
    """Read SWE-bench rows from a .jsonl, .json or .parquet file, or from the hub.

    A hub dataset is `OWNER/NAME`, or `OWNER/NAME:SPLIT` (split `test` by default); a file of the
    same name goes first. Rows whose golden code and golden tests are in each other's field are
    turned round, with a note. Raises InputError naming line and field of all that is wrong.
    """
    problems = Problems(source)
    rows = [row for path in _files(source) for row in _parsed_rows(path, problems)]
    _check_unique(rows, problems)
    instances, notes = _turned(source, rows, problems)
    problems.check()
    if not instances:
        raise InputError(f"{source}: holds no rows; name a file with SWE-bench instances")
    return Dataset(tuple(instances), tuple(notes))


def save_instances(instances: Iterable[Instance], path: Path) -> None:
    """Write instances as JSON Lines with SWE-bench's fields, whole or not at all."""
    lines = [json.dumps(to_row(instance), ensure_ascii=False) + "\n" for instance in instances]
    write_whole(path, "".join(lines).encode())


def to_row(instance: Instance) -> dict[str, str | None]:
    """The row of an instance as SWE-bench has it: test lists as JSON strings, dates in UTC.

    SWE-bench is all Python and has no `language`; other rows say theirs.
    """
    row = dataclasses.asdict(instance)
    if instance.language == "python":
        del row["language"]
    created = row.pop("created_at")
    lists = {name.upper(): json.dumps(row.pop(name)) for name in ("fail_to_pass", "pass_to_pass")}
    return row | lists | {"created_at": created and created.astimezone(datetime.UTC).isoformat()}


@dataclass(frozen=True)
class _Parsed:
    where: str
    instance: Instance


def _files(source: str) -> tuple[Path, ...]:
    path = Path(source)
    if path.exists():
        return (path,)
    if is_dataset_name(source) and path.suffix not in SUFFIXES:
        return dataset_files(source)
    raise InputError(
        f"{source}: no such file; name a .jsonl, .json or .parquet file, "
        "or a dataset on the hub as OWNER/NAME or OWNER/NAME:SPLIT"
    )


def _parsed_rows(path: Path, problems: Problems) -> Iterator[_Parsed]:
    for row in read_rows(path, problems):
        fields = read_row(row, _Row, problems)
        if fields is not None:
            yield _Parsed(row.where, _instance(fields))


def _instance(fields: _Row) -> Instance:
    """The instance of a row; its language is that of its patches' paths if the row names none."""
    paths = (path for patch in (fields.patch, fields.test_patch) for path in _paths(patch))
    language = fields.language or language_of(paths).name
    return Instance(**{**dict(fields), "language": language})


def _paths(patch: str) -> Iterator[str]:
    parts = split(patch, is_test_file)
    yield from (*parts.test_files, *parts.code_files)


def _diff(text: str) -> str:
    patch = unwrapped(text)
    if not re.search(r"^(diff --git |\+\+\+ )", patch, re.MULTILINE):
        raise refusal(f"{short(patch)} is no unified diff")
    return patch


def _moment(value: object) -> object:
    """A moment in UTC where it names no zone; None for null and empty text."""
    text = value.strip() if isinstance(value, str) else ""
    try:
        moment = datetime.datetime.fromisoformat(text) if text else value
    except ValueError as error:
        message = f"{short(text)} is no ISO 8601 date, such as 2020-01-31T12:00:00Z"
        raise refusal(message) from error
    if isinstance(moment, datetime.datetime):
        return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    if moment is None or isinstance(moment, str):
        return None
    raise refusal(f"expected text, found {kind_of(moment)}")


def _tests(value: object) -> object:
    """A list of names, as such or as JSON text."""
    if isinstance(value, str) and value:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise refusal(f"the text is no JSON list of tests ({error})") from error
    tests = [] if value is None or value == "" else value
    if not isinstance(tests, list) or not all(isinstance(test, str) for test in tests):
        raise refusal("expected a list of test names, as such or as JSON text")
    return tuple(tests)


def _known_language(name: str) -> str:
    names = [known.name for known in languages()]
    if name and name.lower() not in names:
        raise refusal(f"`{name.lower()}` is not known; known are {', '.join(names)}")
    return name.lower()


_Diff = Annotated[RequiredText, AfterValidator(_diff)]
_Tests = Annotated[tuple[str, ...], BeforeValidator(_tests)]
_ID_RULE = "an id has letters, digits and _ . + - only and no '..', since it names a directory"
_COMMIT_RULE = "a commit is given by its id: 40 hexadecimal digits, or the first 7 or more of them"


class _Row(RowFields):
    """The fields of SWE-bench."""

    instance_id: Annotated[RequiredText, matching(r"\w[\w.+-]{0,199}", _ID_RULE)]
    repo: Annotated[
        RequiredText, matching(r"[\w-][\w.-]*/[\w-][\w.-]*", "a repository is named OWNER/NAME")
    ]
    base_commit: Annotated[RequiredText, matching(r"[0-9a-f]{7,64}", _COMMIT_RULE)]
    patch: _Diff
    test_patch: _Diff
    problem_statement: Text = ""
    hints_text: Text = ""
    created_at: Annotated[datetime.datetime | None, BeforeValidator(_moment)] = None
    version: Text = ""
    fail_to_pass: _Tests = Field(default=(), alias="FAIL_TO_PASS")
    pass_to_pass: _Tests = Field(default=(), alias="PASS_TO_PASS")
    environment_setup_commit: Text = ""
    language: Annotated[Text, AfterValidator(_known_language)] = ""


def _check_unique(rows: Iterable[_Parsed], problems: Problems) -> None:
    first: dict[str, str] = {}
    for row in rows:
        name = row.instance.instance_id
        if name in first:
            problems.add(row.where, f"{name} is there already ({first[name]})", field="instance_id")
        first.setdefault(name, row.where)


def _turned(
    source: str, rows: Iterable[_Parsed], problems: Problems
) -> tuple[list[Instance], list[str]]:
    """The instances with the golden code in `patch`, and a note where they were not."""
    found = {row: orientation(row.instance.patch, row.instance.test_patch) for row in rows}
    common = common_orientation(found.values())
    resolved = {row: common if o is Orientation.UNCLEAR else o for row, o in found.items()}
    for row, result in resolved.items():
        if result is Orientation.UNCLEAR:
            problems.add(row.where, _UNCLEAR, field="patch")
    instances = [_turn(row.instance, result) for row, result in resolved.items()]
    return instances, _notes(source, resolved)


_UNCLEAR = (
    "cannot tell whether it holds the golden code or the golden tests, since test files are in it "
    'and does not differ from those of "test_patch"; put the code into "patch"'
)


def _turn(instance: Instance, held: Orientation) -> Instance:
    if held is Orientation.SWAPPED:
        return dataclasses.replace(instance, patch=instance.test_patch, test_patch=instance.patch)
    return instance


def _notes(source: str, resolved: Mapping[_Parsed, Orientation]) -> list[str]:
    swapped = sum(held is Orientation.SWAPPED for held in resolved.values())
    if not swapped:
        return []
    return [
        f'{source}: {swapped} of {len(resolved)} rows hold the golden tests in "patch" and the '
        'golden code in "test_patch"; they were read the right way round'
    ]
