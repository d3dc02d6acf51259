"""Values of another kind in the TOML files of a project: an error with their place, or nothing."""

from __future__ import annotations

import contextlib
import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.languages.python.environment.discover import discover_recipe

SETUPTOOLS = {
    "packages": {"find": {"where": ["src"]}},
    "package-dir": {"": "src"},
    "dynamic": {"dependencies": {"file": ["requirements.txt"]}},
}
POETRY = {
    "name": "own",
    "version": "1",
    "dependencies": {"python": "^3.8", "more": {"version": "^1", "extras": ["a"]}, "two": [{}]},
    "group": {"test": {"dependencies": {"pytest": "*"}}},
    "dev-dependencies": {"pytest": "*"},
    "extras": {"all": ["more"]},
    "packages": [{"include": "own", "from": "src"}],
    "scripts": {"own": "own:main"},
    "plugins": {"own.parts": {"a": "own:a"}},
}
DOCUMENT: dict[str, Any] = {
    "build-system": {"requires": ["setuptools"]},
    "project": {
        "name": "own",
        "version": "1",
        "requires-python": ">=3.8",
        "dependencies": ["click"],
        "optional-dependencies": {"test": ["pytest"]},
        "classifiers": ["Programming Language :: Python :: 3.11"],
        "scripts": {"own": "own:main"},
        "entry-points": {"own.parts": {"a": "own:a"}},
    },
    "dependency-groups": {"test": ["pytest", {"include-group": "more"}], "more": ["six"]},
    "tool": {
        "uv": {
            "workspace": {"members": ["core"], "exclude": ["old"]},
            "sources": {"core": {"workspace": True}, "far": [{"path": "far"}]},
            "dev-dependencies": ["pytest"],
        },
        "pdm": {"dev-dependencies": {"test": ["pytest"]}},
        "hatch": {
            "envs": {"test": {"dependencies": ["pytest"], "features": ["test"]}},
            "build": {"targets": {"wheel": {"packages": ["src/own"]}}},
        },
        "setuptools": SETUPTOOLS,
        "poetry": POETRY,
        "tox": {"legacy_tox_ini": "[testenv]", "env_run_base": {"deps": ["pytest"]}},
        "pytest": {"ini_options": {"python_files": ["*"], "DJANGO_SETTINGS_MODULE": "own.a"}},
        "setuptools_scm": {"write_to": "own/_version.py"},
    },
}
OTHERS = st.sampled_from([3, True, "x", "", [], {}, [3], ["x"], [[]], {"a": 1}, [{"a": 1}], "1..2"])


def _toml(document: dict[str, Any]) -> str:
    return "\n".join(f"{json.dumps(key)} = {_inline(value)}" for key, value in document.items())


def _inline(value: Any) -> str:
    match value:
        case dict():
            pairs = (f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


def _places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    keys = value if isinstance(value, dict) else range(len(value) if type(value) is list else 0)
    for key in keys:
        yield from _places(value[key], (*place, key))


def _changed(place: tuple[Any, ...], other: Any) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    around: Any = document
    for key in place[:-1]:
        around = around[key]
    around[place[-1]] = other
    return document


@given(st.sampled_from(list(_places(DOCUMENT))), OTHERS, st.booleans())
def test_no_value_ends_in_another_error(place: tuple[Any, ...], other: Any, alone: bool) -> None:
    document = _changed(place, other)
    if alone and place[0] == "tool":
        del document["project"]
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory)
        (tree / "pyproject.toml").write_text(_toml(document))
        with contextlib.suppress(InputError):
            discover_recipe(tree)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("pyproject.toml", "tool.uv = 3", "pyproject.toml: `tool.uv` must be a table"),
        (
            "pyproject.toml",
            "project.dependencies = 'click'",
            "pyproject.toml: `project.dependencies` must be an array",
        ),
        (
            "pyproject.toml",
            "dependency-groups.test = ['a', 3]",
            r"pyproject.toml: `dependency-groups.test\[1\]` must be a string",
        ),
        ("Pipfile", "packages = []", "Pipfile: `packages` must be a table"),
        ("tox.toml", "env_run_base = 1", "tox.toml: `env_run_base` must be a table"),
        ("hatch.toml", "envs.test = 1", "hatch.toml: `envs.test` must be a table"),
    ],
)
def test_an_error_names_file_and_field(file: str, text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    with pytest.raises(InputError, match=message):
        discover_recipe(tmp_path)


def test_what_is_valid_is_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(_toml(DOCUMENT))
    assert "click" in discover_recipe(tmp_path).packages
