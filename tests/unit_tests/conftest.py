"""What the tests of unit-test writers have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from .project import make_project


@pytest.fixture
def project(tmp_path: Path) -> str:
    """The commit of a small Maven project in `repos/acme+words/repo`."""
    return make_project(tmp_path / "repos" / "acme+words" / "repo")
