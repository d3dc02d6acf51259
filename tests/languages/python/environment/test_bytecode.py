"""The bytecode that is laid over a tree: what has it, and that a change is never judged by it."""

from __future__ import annotations

import datetime
import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.interpreter import Interpreter, find_interpreters
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe

from .conftest import MakeRecipe, Write

CHECKED = 0b11
FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": "PRICE = 1\n",
    "shop/legacy.py": "print 'written for another Python'\n",
    "shop/tests/test_prices.py": "def test(): pass\n",
    "tool.py": "",
    "docs/conf.py": "",
    "test_tool.py": "",
}


def build(
    environments: PythonBuilder, recipe: PythonRecipe, tree: Path, key: str = "tree"
) -> PythonEnvironment:
    return environments.build(recipe, date=datetime.date(2021, 1, 1), tree=tree, tree_key=key)


def compiled(environment: PythonEnvironment) -> dict[str, bytes]:
    """The flags and hash of each module's bytecode, by the module's path."""
    (overlay,) = environment.overlays
    return {
        f"{path.parent.parent.relative_to(overlay)}/{path.name.partition('.')[0]}": head(path)
        for path in overlay.rglob("*.pyc")
    }


def head(path: Path) -> bytes:
    return path.read_bytes()[4:8]


def test_modules_and_packages_are_compiled_to_be_checked_by_content(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    environment = build(environments, recipe(), write_tree(FILES))
    found = compiled(environment)
    assert set(found) == {"shop/__init__", "shop/prices", "./tool"}
    assert {struct.unpack("<I", flags)[0] for flags in found.values()} == {CHECKED}


def test_only_what_lies_below_the_import_roots_is_compiled(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    tree = write_tree({"src/shop/__init__.py": "", "other/__init__.py": ""})
    environment = build(environments, recipe(import_roots=("src",)), tree)
    assert set(compiled(environment)) == {"src/shop/__init__"}


def test_a_change_of_the_same_size_and_date_is_what_is_imported(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    tree = write_tree(FILES)
    environment = build(environments, recipe(), tree)
    copy = tmp_path / "copy"
    shutil.copytree(tree, copy)
    for overlay in environment.overlays:
        shutil.copytree(overlay, copy, dirs_exist_ok=True)
    dates = (copy / "shop/prices.py").stat()
    assert price(environment, copy) == "1"
    (copy / "shop/prices.py").write_text("PRICE = 2\n")
    os.utime(copy / "shop/prices.py", ns=(dates.st_atime_ns, dates.st_mtime_ns))
    assert price(environment, copy) == "2"


def price(environment: PythonEnvironment, tree: Path) -> str:
    command = [str(environment.python), "-c", "import shop.prices as p; print(p.PRICE)"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_key_is_that_of_what_is_installed_alone(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    one = build(environments, recipe(), write_tree(FILES), "one")
    two = build(environments, recipe(), write_tree({**FILES, "tool.py": "TWO = 2\n"}), "two")
    assert one.overlays != two.overlays
    assert one.key == two.key


def test_an_interpreter_that_cannot_check_by_content_gets_none(
    environments: PythonBuilder,
    recipe: MakeRecipe,
    write_tree: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (own,) = find_interpreters(recipe())
    old = Interpreter(own.path, "3.6.15", own.prefix)
    module = "evaluator.languages.python.environment.build.find_interpreters"
    monkeypatch.setattr(module, lambda _: (old,))
    assert build(environments, recipe(), write_tree(FILES)).overlays == ()
