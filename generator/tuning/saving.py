"""Files that are saved whole or not at all, however they are written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from evaluator.storage import write_whole
from generator.tuning.errors import SavingFailedError


@contextmanager
def saving(path: Path) -> Iterator[Path]:
    """Yields a place to write to, which becomes `path` in one step at the end.

    Raises SavingFailedError where writing fails; then `path` is as it was.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.chmod(0o644)
        _sync(temporary)
        temporary.replace(path)
    # The writers of torch and safetensors have no errors of their own for a full disk.
    except (OSError, RuntimeError, SafetensorError) as error:
        raise saving_failed(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Raises SavingFailedError where a file at or under `path` cannot be written meanwhile."""
    try:
        yield
    except OSError as error:
        raise saving_failed(path, error) from error


def save_bytes(path: Path, content: bytes) -> None:
    """Write a small file. Raises SavingFailedError."""
    with writing_to(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)


def save_tensors(path: Path, tensors: Mapping[str, Any]) -> None:
    """Write tensors by their names as safetensors. Raises SavingFailedError."""
    with saving(path) as place:
        save_file({name: tensor.detach().cpu() for name, tensor in tensors.items()}, place)


def save_state(path: Path, state: object) -> None:
    """Write what `torch.load(..., weights_only=True)` reads. Raises SavingFailedError."""
    with saving(path) as place:
        torch.save(state, place)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def saving_failed(path: Path, error: Exception) -> SavingFailedError:
    """What to say where a file or directory could not be written."""
    return SavingFailedError(
        f"{path} could not be saved ({error}): make room on the disk, or write elsewhere; the same "
        "command then goes on from what was saved before"
    )
