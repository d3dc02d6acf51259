"""Datasets on the Hugging Face hub."""

from __future__ import annotations

import re
from pathlib import Path

from evaluator.errors import InputError

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
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import RepositoryNotFoundError
    except ImportError as error:
        raise InputError(
            f"{name}: there is no file of this name, and to get a dataset from the hub an extra is "
            "needed; install it with: pip install 'fixgate[hub]'"
        ) from error
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
