"""Tests of what needs PyTorch; modules of tests import it, so that they are skipped as a whole."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import skip_without


class _NeedsTuning(pytest.Module):
    """A module of tests that is imported only where the extra `tuning` is installed."""

    def collect(self):
        skip_without("tuning")
        return super().collect()


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    return _NeedsTuning.from_parent(parent, path=module_path)


@pytest.fixture
def accelerated() -> Iterator[None]:
    """What a test makes of tensors and models lies where models compute."""
    import torch

    from generator.tuning.devices import compute_device

    torch.set_default_device(compute_device())
    yield
    torch.set_default_device("cpu")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A directory with a very small GPT-NeoX of random weights, and its tokenizer."""
    from .small import save_model

    return save_model(tmp_path / "tiny")


@pytest.fixture
def divided(tmp_path: Path) -> Path:
    """A dataset with some methods in each split."""
    from .small import save_divided

    return save_divided(tmp_path / "divided.json")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "fixgate", str(place)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("a small file system can be mounted by root only, and not in every container")
    yield place
    subprocess.run(["umount", str(place)], check=True)
