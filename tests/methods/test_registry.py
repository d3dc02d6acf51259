from __future__ import annotations

import textwrap
import uuid
from pathlib import Path

import pytest

from evaluator.errors import InputError
from generator.methods import METHODS, discover, method, summary

ONE = '''
class Some:
    """Says what it does.

    And more.
    """

    name = "one"
    needs_model = False
    replay_only = False

    def candidates(self, work):
        return iter(())

    def choose(self, work, considered):
        return None
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh package of methods that can be imported."""
    folder = tmp_path / f"methods_{uuid.uuid4().hex}"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def add(package: Path, module: str, source: str) -> None:
    (package / f"{module}.py").write_text(textwrap.dedent(source))


def test_every_method_is_known_by_its_name_and_says_what_it_is() -> None:
    assert list(METHODS) == sorted(METHODS)
    for name, found in METHODS.items():
        assert method(name) is found
        assert found.name == name
        assert summary(found)


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="`nothing` is not known; use one of"):
        method("nothing")


def test_a_module_is_found_by_lying_in_the_folder(package: Path) -> None:
    add(package, "one", ONE)
    add(package, "_shared", "raise SystemExit('never imported')")
    found = discover(package.name, [str(package)])
    assert list(found) == ["one"]
    assert summary(found["one"]) == "Says what it does."


def test_what_a_module_imports_is_not_its_own(package: Path) -> None:
    add(package, "one", ONE)
    other = f"from {package.name}.one import Some\nclass Two(Some):\n    'Two.'\n    name = 'two'\n"
    add(package, "two", other)
    assert list(discover(package.name, [str(package)])) == ["one", "two"]


@pytest.mark.parametrize(
    ("module", "source", "message"),
    [
        ("one", "x = 1", "exactly one method, .* it has none"),
        ("one", ONE + "\nclass Other(Some):\n    'Other.'", "it has Some, Other"),
        ("two", ONE, "must hold the method `two`, not `one`"),
        ("one", ONE.replace('    """Says', '    text = """Says'), "needs a docstring"),
    ],
)
def test_a_module_without_exactly_one_method_is_named(
    package: Path, module: str, source: str, message: str
) -> None:
    add(package, module, source)
    with pytest.raises(TypeError, match=rf"{package.name}\.{module}.*{message}"):
        discover(package.name, [str(package)])
