"""Dependencies that a change declares, against the environment that its tests ran in."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.languages.python.safeguards.dependencies import unmet_dependencies
from evaluator.languages.safeguards import BaseTree
from tests.sources import source_of

PROJECT = """
[project]
name = "p"
version = "1"
dependencies = ["attrs>=20"{more}]
[project.optional-dependencies]
test = ["pytest"{tests}]
docs = ["sphinx"{docs}]
"""


@pytest.fixture
def pristine(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(project())
    (tmp_path / "requirements.txt").write_text("idna\n")
    return tmp_path


def project(more: str = "", tests: str = "", docs: str = "") -> str:
    return PROJECT.format(more=more, tests=tests, docs=docs)


def said(pristine: Path, changed: dict[str, bytes | None]) -> list[str]:
    environment = PythonEnvironment(
        key="k",
        python=pristine / "none" / "bin" / "python",
        recipe=PythonRecipe(python=("3.11",)),
        packages=("attrs==21.4.0", "black==22.8", "pytest==7.0", "idna==3.1"),
        visible=(),
        overlays=(),
    )
    base = BaseTree(pristine, source_of({}), environment)
    return [str(concern) for concern in unmet_dependencies(changed, base)]


@pytest.mark.parametrize(
    "content",
    [
        project(),
        project().replace("1", "2"),
        project().replace("attrs>=20", "attrs>=21.3,<22"),
        project(more=', "idna>=3"'),
        project(docs=', "furo"'),
        project(more=", \"tomli; python_version < '3.0'\""),
        project() + "[tool.ruff]\nline-length = 100\n",
        project(tests=', "pytest_cov", "coverage[toml]>=7"'),
        project().replace('"attrs>=20"', ""),
    ],
)
def test_what_the_environment_has_is_fine(pristine: Path, content: str) -> None:
    assert said(pristine, {"pyproject.toml": content.encode()}) == []


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (project(more=', "evil"'), "needs evil, tested with none"),
        (project(tests=', "pytest-evil"'), "needs pytest-evil, tested with none"),
        (project().replace("attrs>=20", "attrs>=22"), "needs attrs>=22, tested with 21.4.0"),
        (project(more=', "x @ git+https://h/x"'), "takes a dependency from"),
        ("[[[", "dependencies that cannot be read"),
    ],
)
def test_what_it_lacks_is_named(pristine: Path, content: str, what: str) -> None:
    (found, *_) = said(pristine, {"pyproject.toml": content.encode()})
    assert found.startswith(f"pyproject.toml ({what}")


def test_requirement_files_are_read(pristine: Path) -> None:
    changed: dict[str, bytes | None] = {"requirements-test.txt": b"-e ../evil\nmore\n"}
    assert said(pristine, changed) == [
        "requirements-test.txt (takes a dependency from -e ../evil)",
        "requirements-test.txt (needs more, tested with none)",
    ]
    assert said(pristine, {"requirements.txt": None, "m.py": b"import x"}) == []


def test_the_file_is_named_that_brings_it(pristine: Path) -> None:
    changed: dict[str, bytes | None] = {
        "pyproject.toml": project(docs=', "furo"').encode(),
        "requirements.txt": b"idna\nboth\n",
        "requirements-test.txt": b"both\nmore\n",
    }
    assert said(pristine, changed) == [
        "requirements-test.txt (needs both, tested with none)",
        "requirements-test.txt (needs more, tested with none)",
    ]
    changed["pyproject.toml"] = project(tests=', "both"').encode()
    assert said(pristine, changed) == [
        "pyproject.toml (needs both, tested with none)",
        "requirements-test.txt (needs more, tested with none)",
    ]


def test_a_lock_matters_for_what_is_installed(pristine: Path) -> None:
    entry = b'[[package]]\nname = "%s"\nversion = "%s"\n'
    (pristine / "uv.lock").write_bytes(entry % (b"attrs", b"21.4.0"))
    checking = entry % (b"ruff", b"1") + entry % (b"black", b"22.12")
    newer = entry % (b"attrs", b"23.1") + checking
    assert said(pristine, {"uv.lock": newer}) == ["uv.lock (locks attrs==23.1, tested with 21.4.0)"]
