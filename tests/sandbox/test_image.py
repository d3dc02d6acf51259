"""What is refused before an image is made; making one takes minutes."""

from __future__ import annotations

import os
import shutil

import pytest

from evaluator.errors import SandboxError
from evaluator.sandbox import image


@pytest.mark.docker
def test_a_base_that_is_neither_here_nor_pinned_is_refused():
    with pytest.raises(SandboxError, match=r"no-such-base:latest is not pinned"):
        image.build_image(base="no-such-base:latest", say=lambda line: None)


def test_without_debootstrap_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(image, "DEBOOTSTRAP", str(tmp_path / "debootstrap"))
    with pytest.raises(SandboxError, match=r"`debootstrap`.*--base"):
        image.build_image(suite="bookworm", mirror="http://localhost", say=lambda line: None)


@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("debootstrap"), reason="needs root and debootstrap"
)
def test_a_failure_of_debootstrap_is_shown():
    with pytest.raises(SandboxError, match=r"(?s)debootstrap failed:.*no-such-release"):
        image.build_image(
            suite="no-such-release", mirror="http://localhost:9", say=lambda line: None
        )
