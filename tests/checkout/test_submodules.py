"""Submodules that tests name."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.checkout.submodules import submodule_named

MODULES = """\
[submodule "data"]
\tpath = tests/data
\turl = https://example.org/data.git
[submodule "more"]
  path="tests/data/more data"
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("[Errno 2] No such file or directory: '/testbed/tests/data/one.json'", "tests/data"),
        ("no 'tests/data/more data/x'", "tests/data/more data"),
        ("tests/data", "tests/data"),
        ("tests/database/one.json", ""),
        ("my-tests/data/one.json", ""),
        ("tests/datab", ""),
        ("", ""),
    ],
)
def test_the_submodule_that_a_text_names(tmp_path: Path, text: str, path: str) -> None:
    assert submodule_named(text, tmp_path) == ""
    (tmp_path / ".gitmodules").write_text(MODULES)
    assert submodule_named(text, tmp_path) == path
