"""The script that runs statements, under every interpreter that targets use."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.interpreters import MINORS, python

INSIDE = Path(__file__).parents[2] / "generator" / "languages" / "python" / "issue_only" / "inside"


def told(
    directory: Path, sources: Sequence[str], executable: str = "", **program: Any
) -> list[dict[str, Any]]:
    package = directory / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shapes.py").write_text(
        "class Square:\n    side = 1\n\ndef area(s):\n    return 4\n"
    )
    statements = [{"source": source, "texts": program.get("texts", [])} for source in sources]
    specification = {
        "setup": program.get("setup", ""),
        "statements": statements,
        "packages": program.get("packages", ["pkg"]),
        "unicode": False,
        "displays": program.get("displays", False),
        "seconds": program.get("seconds", 20),
        "total_seconds": program.get("total_seconds", 60),
    }
    (directory / "program.json").write_text(json.dumps(specification))
    command = [executable or shutil.which("python3") or "python3"]
    script = str(INSIDE / "fixgate_statements.py")
    done = subprocess.run(
        [*command, script, "program.json", "results.jsonl"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    lines = (directory / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("minor", MINORS)
def test_every_interpreter(tmp_path: Path, minor: int) -> None:
    executable = str(python(minor))
    sources = ["x = [1, 2]", "x", "print('é', x)", "x[5]"]
    _, value, printed, raised = told(tmp_path, sources, executable)
    assert value["views"]["repr"] == "[1, 2]"
    assert printed["stdout"] == "é [1, 2]\n"
    error = raised["error"]
    assert (error["type"], error["message"]) == ("IndexError", "list index out of range")
    assert error["names"] == ["IndexError", "LookupError", "Exception", "BaseException", "object"]
    assert [frame[2] for frame in error["frames"]] == ["<module>"]


def test_a_usual_short_name_of_the_package_itself_is_known_at_once(tmp_path: Path) -> None:
    """Elsewhere `u` means units only beside arrays."""
    (tmp_path / "astropy").mkdir()
    (tmp_path / "astropy" / "__init__.py").write_text("")
    (tmp_path / "astropy" / "units.py").write_text("metre = 1\n")
    (own,) = told(tmp_path, ["u.metre"], packages=["astropy"])
    assert own["imports"] == ["from astropy import units as u"]
    (tmp_path / "pkg").rename(tmp_path / "former")
    (other,) = told(tmp_path, ["u.metre"])
    assert other["error"]["type"] == "NameError"


def test_names_are_those_of_the_modules_that_the_issue_uses(tmp_path: Path) -> None:
    """As a field of a model, which forms have too."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").write_text("")
    for name in ("forms", "models"):
        (tmp_path / "shop" / f"{name}.py").write_text("class Model: pass\nclass Field: pass\n")
    sources = ["from shop import models", "class A(models.Model):\n    field = Field()"]
    _, made = told(tmp_path, sources, packages=["shop"])
    assert made["imports"] == ["from shop.models import Field"]


def test_names_that_nobody_defined_are_imported_once(tmp_path: Path) -> None:
    first, second = told(tmp_path, ["area(Square())", "Square.side"])
    assert first["imports"] == [
        "from pkg.shapes import area",
        "from pkg.shapes import Square",
    ]
    assert second["imports"] == []


def test_names_of_a_star_import_are_told_one_by_one(tmp_path: Path) -> None:
    _, second = told(tmp_path, ["from pkg.shapes import *", "area(1)"])
    assert second["imports"] == ["from pkg.shapes import area"]


def test_a_module_is_imported_for_its_attributes_only(tmp_path: Path) -> None:
    first, second = told(tmp_path, ["json.dumps(1)", "json"])
    assert first["imports"] == ["import json"]
    assert second["views"]["repr"].startswith("<module 'json'")


def test_a_name_whose_definition_failed_is_not_looked_for(tmp_path: Path) -> None:
    _, second = told(tmp_path, ["Square = missing()", "Square"])
    assert second["error"]["type"] == "NameError"


def test_a_value_is_compared_with_texts(tmp_path: Path) -> None:
    (first,) = told(tmp_path, ["2 + 2"], texts=["4", "5", "no code at all", "area(1)"])
    assert first["texts"] == [True, False, None, True]
    assert first["imports"] == ["from pkg.shapes import area"]


def test_what_is_printed_is_looked_at_as_a_value_too(tmp_path: Path) -> None:
    (first,) = told(tmp_path, ["print([1,  2])"])
    assert (first["stdout"], first["views"]["repr"]) == ("[1, 2]\n", "[1, 2]")


def test_a_value_that_cannot_be_shown(tmp_path: Path) -> None:
    source = "class Bad:\n    def __repr__(self):\n        raise KeyError('no')"
    _, second = told(tmp_path, [source, "Bad()"])
    assert (second["error"]["type"], second["error"]["shown_by"]) == ("KeyError", "repr")


def test_causes_are_told(tmp_path: Path) -> None:
    source = "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise RuntimeError('r') from e"
    (only,) = told(tmp_path, [source])
    assert only["error"]["causes"] == [["ZeroDivisionError", "division by zero"]]


def test_a_statement_that_takes_too_long_is_left(tmp_path: Path) -> None:
    first, second = told(tmp_path, ["while True:\n    pass", "1"], seconds=1)
    assert first["error"]["slow"] is True
    assert second["views"]["repr"] == "1"


def test_a_statement_that_sleeps_for_good_is_left(tmp_path: Path) -> None:
    first, second = told(tmp_path, ["import time; time.sleep(60)", "1"], seconds=1)
    assert first["error"]["slow"] is True
    assert second["views"]["repr"] == "1"


def test_no_statement_is_begun_after_the_end(tmp_path: Path) -> None:
    sources = ["import time", "while time.process_time() < 1.5:\n    pass", "1", "2"]
    assert len(told(tmp_path, sources, total_seconds=1)) == 2


def test_exits_are_told_and_survived(tmp_path: Path) -> None:
    first, second = told(tmp_path, ["raise SystemExit(3)", "1"])
    assert first["error"]["type"] == "SystemExit"
    assert second["views"]["repr"] == "1"


def test_setup_is_run_before_in_silence(tmp_path: Path) -> None:
    (only,) = told(tmp_path, ["x"], setup="x = 3\nprint('quiet')")
    assert only["views"]["repr"] == "3"
