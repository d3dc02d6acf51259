"""The metadata of a project says what its own files say of it, in whichever form."""

from __future__ import annotations

import json
from email.message import Message
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.python.environment.described import by_poetry, by_setuptools, by_standard
from evaluator.languages.python.environment.install import write_metadata
from evaluator.languages.python.environment.project import read_project

from .conftest import MakeRecipe, Write

STANDARD = """
[project]
name = "own"
version = "1.5"
description = "What it is about"
requires-python = ">=3.9"
license = {text = "MIT"}
keywords = ["one", "two"]
authors = [{name = "Ada"}, {name = "Bo", email = "bo@example.org"}, {email = "c@example.org"}]
maintainers = [{name = "Di"}]
classifiers = ["Topic :: Software Development"]
[project.urls]
Homepage = "https://example.org"
"Source Code" = "https://example.org/own"
"""
POETRY = """
[tool.poetry]
name = "own"
version = "1.5"
description = "What it is about"
license = "MIT"
authors = ["Ada <ada@example.org>", "Bo <bo@example.org>"]
homepage = "https://example.org"
repository = "https://example.org/own"
[tool.poetry.urls]
Changes = "https://example.org/changes"
"""
SETUP_CFG = """
[metadata]
name = own
version = 1.5
description = What it is about
long_description = file: README
url = https://example.org
author = Ada
author-email = ada@example.org
license = MIT
keywords = one, two
project_urls =
    Source Code = https://example.org/own?a=b
"""
SETUP_PY = """
from setuptools import setup
setup(name="own", version="1.5", description="What it is\\n  about", url="https://example.org",
      author="Ada", author_email=unknown(), keywords=["one", "two"], license="MIT",
      project_urls={"Source Code": "https://example.org/own", "Other": other})
"""
PBR = """
[metadata]
name = own
summary = What it is about
home-page = https://example.org
author = Ada
"""


@pytest.mark.parametrize(
    ("file", "text", "wanted"),
    [
        (
            "pyproject.toml",
            STANDARD,
            {
                "Requires-Python": [">=3.9"],
                "License": ["MIT"],
                "Keywords": ["one,two"],
                "Author": ["Ada"],
                "Author-email": ["Bo <bo@example.org>, c@example.org"],
                "Maintainer": ["Di"],
                "Maintainer-email": None,
                "Classifier": ["Topic :: Software Development"],
                "Project-URL": [
                    "Homepage, https://example.org",
                    "Source Code, https://example.org/own",
                ],
            },
        ),
        (
            "pyproject.toml",
            STANDARD.replace('{text = "MIT"}', '"MIT"'),
            {"License": None, "License-Expression": ["MIT"]},
        ),
        (
            "pyproject.toml",
            POETRY,
            {
                "Home-page": ["https://example.org"],
                "License": ["MIT"],
                "Author": ["Ada"],
                "Author-email": ["ada@example.org"],
                "Project-URL": [
                    "Repository, https://example.org/own",
                    "Changes, https://example.org/changes",
                ],
            },
        ),
        (
            "setup.cfg",
            SETUP_CFG,
            {
                "Home-page": ["https://example.org"],
                "Author-email": ["ada@example.org"],
                "Keywords": ["one, two"],
                "Project-URL": ["Source Code, https://example.org/own?a=b"],
            },
        ),
        (
            "setup.py",
            SETUP_PY,
            {
                "Home-page": ["https://example.org"],
                "Author": ["Ada"],
                "Author-email": None,
                "Keywords": ["one,two"],
                "Project-URL": ["Source Code, https://example.org/own"],
            },
        ),
        ("setup.cfg", PBR, {"Home-page": ["https://example.org"], "Author": ["Ada"]}),
    ],
)
def test_what_files_say_is_in_the_metadata(
    write_tree: Write,
    recipe: MakeRecipe,
    tmp_path: Path,
    file: str,
    text: str,
    wanted: dict[str, list[str] | None],
) -> None:
    tree = write_tree({file: text})
    write_metadata(read_project(tree), recipe(), tree, tmp_path / "place")
    found = cast(Message, PathDistribution(tmp_path / "place" / "own.egg-info").metadata)
    assert {name: found.get_all(name) for name in wanted} == wanted
    assert found.get_all("Name") == ["own"]
    assert found.get_all("Summary") == ["What it is about"]


WORDS = st.text() | st.sampled_from(["name", "email", "text", "a\nName: b", "\x85", "<"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["description", "license", "keywords", "authors", "urls", "project_urls", "author", "homepage"]
)


@given(st.dictionaries(NAMES, VALUES))
def test_whatever_they_say_no_field_has_two_lines(table: dict[str, object]) -> None:
    for read in (by_standard, by_setuptools, by_poetry):
        for values in read(table).values():
            assert all(value and len(value.splitlines()) == 1 for value in values), values


def test_a_description_cannot_add_a_field(
    write_tree: Write, recipe: MakeRecipe, tmp_path: Path
) -> None:
    label = json.dumps("a\nName: b")
    text = (
        f'[project]\nname = "own"\nclassifiers = [{label}]\n[project.urls]\n{label} = "https://x"\n'
    )
    tree = write_tree({"pyproject.toml": text})
    write_metadata(read_project(tree), recipe(), tree, tmp_path / "place")
    found = cast(Message, PathDistribution(tmp_path / "place" / "own.egg-info").metadata)
    assert found.get_all("Name") == ["own"]
