from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.java.repository import BROKEN, CODE, POM


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A Maven project, of which the pom is to be changed."""
    place = tmp_path / "words"
    (place / CODE).parent.mkdir(parents=True)
    (place / CODE).write_text(BROKEN)
    (place / "pom.xml").write_text(POM)
    return place
