"""`fixgate check-config`, and what is published for hooks and editors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result

from bot.cli import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".github").mkdir()

    def run(text: str | None, *arguments: str, name: str = "fixgate.yml") -> Result:
        if text is not None:
            (tmp_path / ".github" / name).write_text(text)
        return CliRunner().invoke(main, ["check-config", *arguments])

    return run


@pytest.mark.parametrize("name", ["fixgate.yml", "fixgate.yaml"])
def test_a_good_file(check, name):
    done = check("verify:\n  gate: required\n  paths_ignore: ['*.svg']\n", name=name)
    assert (done.exit_code, done.output) == (0, "No mistakes found.\n")


def test_each_mistake_has_its_file_line_and_key(check):
    done = check("verify:\n  gate: hard\n  quik: true\nlimits:\n  minutes_per_issue: 0\n")
    assert done.exit_code == 1
    first, second, third = done.output.splitlines()
    assert first.startswith(".github/fixgate.yml:2: verify.gate: `hard` is not known here; write")
    assert second.startswith(".github/fixgate.yml:3: verify.quik: unknown key `quik`; known keys")
    assert third.startswith(".github/fixgate.yml:5: limits.minutes_per_issue: `0` ")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("verify: [\n", 2, "is no valid YAML"),
        ("- verify\n", 1, "is not an object of keys and values"),
        ("verify:\n  paths_ignore: ['!']\n", 2, "is no pattern as in .gitignore"),
        ("environment:\n  framework: 5\n", 2, "framework"),
    ],
)
def test_other_mistakes(check, text, line, says):
    done = check(text)
    assert done.exit_code == 1
    assert done.output.startswith(f".github/fixgate.yml:{line}: ")
    assert says in done.output


def test_a_file_that_cannot_be_read_is_named(check, tmp_path):
    assert "there is no .github/fixgate.yml here; name a file" in check(None).output
    missing = check(None, "other.yml")
    assert (missing.exit_code, "other.yml: cannot be read" in missing.output) == (2, True)
    (tmp_path / "latin.yml").write_bytes(b"label: \xe4\n")
    assert "latin.yml: is not in UTF-8 (byte 8)" in check(None, "latin.yml").output


def test_the_schema_is_published_for_editors(check):
    published = json.loads((ROOT / "docs" / "fixgate.schema.json").read_text())
    assert json.loads(check(None, "--schema").output) == published


def test_the_hook_takes_the_files_that_the_app_reads():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"] == "fixgate check-config"
    for name in (".github/fixgate.yml", ".github/fixgate.yaml"):
        assert re.search(hook["files"], name)
    assert not re.search(hook["files"], "docs/fixgate.yml")
