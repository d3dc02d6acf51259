"""Instances of SWE-bench and SWT-Bench, read from files or from the hub."""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from evaluator.diff import split
from evaluator.errors import InputError
from evaluator.languages import is_test_file, language_of, languages
from evaluator.model import Instance
from evaluator.storage.files import write_whole
from evaluator.swtbench.formats import SUFFIXES, read_rows
from evaluator.swtbench.hub import dataset_files, is_dataset_name
from evaluator.swtbench.orientation import (
    Orientation,
    common_orientation,
    orientation,
    unwrapped,
)
from evaluator.swtbench.rows import Fields, Problems, fields_of

_INSTANCE_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,199}")
_REPO = re.compile(r"[A-Za-z0-9_-][\w.-]*/[A-Za-z0-9_-][\w.-]*", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


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
        fields = fields_of(row, problems)
        if fields is not None:
            before = len(problems)
            instance = _instance(fields)
            if len(problems) == before:
                yield _Parsed(row.where, instance)


def _instance(fields: Fields) -> Instance:
    patch, test_patch = _patch(fields, "patch"), _patch(fields, "test_patch")
    return Instance(
        instance_id=_matching(fields, "instance_id", _INSTANCE_ID, _ID_RULE),
        repo=_matching(fields, "repo", _REPO, "a repository is named OWNER/NAME"),
        base_commit=_matching(fields, "base_commit", _COMMIT, _COMMIT_RULE),
        patch=patch,
        test_patch=test_patch,
        problem_statement=fields.text("problem_statement"),
        hints_text=fields.text("hints_text"),
        created_at=_moment(fields, "created_at"),
        version=fields.text("version"),
        fail_to_pass=_tests(fields, "FAIL_TO_PASS"),
        pass_to_pass=_tests(fields, "PASS_TO_PASS"),
        environment_setup_commit=fields.text("environment_setup_commit"),
        language=_language(fields, patch, test_patch),
    )


def _language(fields: Fields, *patches: str) -> str:
    """The language that the row names, else that of the paths in its patches."""
    names = [known.name for known in languages()]
    named = fields.text("language").lower()
    if named and named not in names:
        fields.problem("language", f"`{named}` is not known; known are {', '.join(names)}")
    return named or language_of(path for patch in patches for path in _paths(patch)).name


def _paths(patch: str) -> Iterator[str]:
    parts = split(patch, is_test_file)
    yield from (*parts.test_files, *parts.code_files)


_ID_RULE = "an id has letters, digits and _ . + - only and no '..', since it names a directory"
_COMMIT_RULE = "a commit is given by its id: 40 hexadecimal digits, or the first 7 or more of them"


def _matching(fields: Fields, name: str, pattern: re.Pattern[str], rule: str) -> str:
    text = fields.required_text(name)
    if text and (not pattern.fullmatch(text) or ".." in text):
        fields.problem(name, f"{_short(text)} cannot be used: {rule}")
    return text


def _patch(fields: Fields, name: str) -> str:
    patch = unwrapped(fields.required_text(name))
    if patch and not re.search(r"^(diff --git |\+\+\+ )", patch, re.MULTILINE):
        fields.problem(name, f"{_short(patch)} is no unified diff")
    return patch


def _moment(fields: Fields, name: str) -> datetime.datetime | None:
    value = fields.value(name)
    if isinstance(value, datetime.datetime):
        return _aware(value)
    text = fields.text(name).strip()
    try:
        return _aware(datetime.datetime.fromisoformat(text)) if text else None
    except ValueError:
        fields.problem(name, f"{_short(text)} is no ISO 8601 date, such as 2020-01-31T12:00:00Z")
        return None


def _aware(moment: datetime.datetime) -> datetime.datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)


def _tests(fields: Fields, name: str) -> tuple[str, ...]:
    value = fields.value(name)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            fields.problem(name, f"the text is no JSON list of tests ({error})")
            return ()
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(test, str) for test in value):
        fields.problem(name, "expected a list of test names, as such or as JSON text")
        return ()
    return tuple(value)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


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
