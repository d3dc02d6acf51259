"""What the pages say of commands, files, settings and packages is so."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import click
import pytest

from bot.cli import main
from bot.configuration import Configuration, read_configuration
from tests.docs.conftest import PAGES, ROOT, all_commands, yaml_blocks

CONFIGURATION = ROOT / "docs" / "configuration.md"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    done = subprocess.run([*command, out], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return out


def test_the_site_is_built_and_lists_every_command(site: Path) -> None:
    page = (site / "commands" / "index.html").read_text("utf-8")
    for name in main.list_commands(click.Context(main)):
        assert f'id="{name}"' in page
    assert "Sentinel" not in page


def test_the_site_asks_nobody_else_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        assert not re.findall(r'<(?:script|link|img)[^>]*"(?:https?:)?//[^"]*"', page.read_text())


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


@pytest.mark.parametrize(
    "page", sorted({*PAGES, *ROOT.glob("[A-Z]*.md")}), ids=lambda page: page.name
)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert "://" in target or (page.parent / target).exists(), target


def test_every_path_that_the_architecture_names_is_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = re.findall(r"`((?:evaluator|generator|bot|tests|docs|deploy)(?:/[\w.-]+)*)`", text)
    assert len(named) > 30
    # A folder that has nothing left but compiled files is not there.
    assert [path for path in named if not _has_source(ROOT / path)] == []


def _has_source(path: Path) -> bool:
    found = path.rglob("*") if path.is_dir() else [path]
    return any(one.is_file() and one.suffix != ".pyc" for one in found)


@pytest.mark.parametrize(
    ("page", "arguments"), all_commands(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_command_has_these_options(page: str, arguments: tuple[str, ...]) -> None:
    context = click.Context(main)
    command: click.Command = main
    rest = list(arguments)
    while isinstance(command, click.Group) and rest[:1] != ["COMMAND"]:
        name, found, rest = command.resolve_command(context, rest)
        assert name is not None
        assert found is not None
        command = found
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known | {"--help"}


def test_the_defaults_of_the_configuration_are_these() -> None:
    told, _ = yaml_blocks(CONFIGURATION)
    configuration, mistakes = read_configuration(told.replace("regression_budget: 60", ""))
    assert mistakes == ()
    assert configuration == Configuration()


def test_an_environment_can_be_configured_so() -> None:
    _, told = yaml_blocks(CONFIGURATION)
    assert read_configuration(told)[1] == ()


def test_every_setting_that_is_listed_is_read() -> None:
    sources = "".join(
        path.read_text("utf-8")
        for part in ("bot", "generator")
        for path in (ROOT / part).rglob("*.py")
    )
    listed = set(re.findall(r"`FIXGATE_([A-Z_]+)`", CONFIGURATION.read_text("utf-8")))
    assert len(listed) > 20
    for name in listed:
        known = (name, f"FIXGATE_{name}", name.removesuffix("_FILE"))
        assert any(f'"{one}"' in sources for one in known), name


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    needed = [
        *project["project"]["dependencies"],
        *(one for extra in project["project"]["optional-dependencies"].values() for one in extra),
        *(one for group in project["dependency-groups"].values() for one in group),
    ]
    names = {re.split(r"[^\w-]", one)[0] for one in needed if isinstance(one, str)} - {"fixgate"}
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    listed = {
        name.strip()
        for row in re.findall(r"^\| ([a-z].*?) \|", page, re.MULTILINE)
        for name in re.split(r", with |, |[ ()]", row)
    }
    assert names <= listed
    assert metadata.version("fixgate") == project["project"]["version"]
