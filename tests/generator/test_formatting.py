"""That generated code is formatted as its repository formats, and nothing else is touched."""

from __future__ import annotations

import pytest

from evaluator.diff import Changes
from generator.languages.python.test_files import NO_STYLE, Format, formatted, style_of
from tests.sources import source_of

OLD = b"def   ugly( ):\n    return {'a':1}\n"
ADDED = b"\n\ndef test_new( ):\n    assert {'a':1} ==  {'a':2}\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, NO_STYLE),
        ({"pyproject.toml": b"[tool.black]\nline-length = 79\n"}, Format(79)),
        (
            {"pyproject.toml": b"[tool.black]\nskip-string-normalization = true\n"},
            Format(88, True),
        ),
        (
            {"pyproject.toml": b"[tool.ruff.format]\nquote-style = 'preserve'\n"},
            Format(88, True),
        ),
        ({"pyproject.toml": b"[tool.ruff]\nline-length = 100\n"}, Format(100)),
        ({".pre-commit-config.yaml": b"- repo: https://github.com/psf/black\n"}, Format()),
        ({"pyproject.toml": b"not = = toml"}, NO_STYLE),
    ],
)
def test_a_repository_says_how_it_formats(files, expected):
    assert style_of(files.get) == expected


def test_only_added_lines_are_formatted():
    new = Changes({"tests/test_a.py": OLD + ADDED})
    done = formatted(new, {"tests/test_a.py": OLD}.get, Format())
    content = done.contents["tests/test_a.py"]
    assert content == OLD + b'\n\ndef test_new():\n    assert {"a": 1} == {"a": 2}\n'


def test_a_repository_without_a_formatter_and_code_that_is_none_are_left_alone():
    new = Changes({"tests/test_a.py": OLD + ADDED})
    assert formatted(new, source_of({}), NO_STYLE) == new
    broken = Changes(
        {"tests/test_a.py": b"def f(:\n", "tests/data.txt": b"x  =1", "tests/b.py": None}
    )
    assert formatted(broken, source_of({}), Format()) == broken
