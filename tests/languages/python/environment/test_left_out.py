"""What an environment does without: packages, projects below the root, compiled modules."""

from __future__ import annotations

import dataclasses
import datetime
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from evaluator.environment.types import Uncompiled
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.languages.python.environment.types import PythonEnvironment

from .conftest import MakeRecipe, Write, backend_project, build, told, two_interpreters

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def test_packages_for_tests_that_cannot_be_built_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for name in ("broken", "broken-too"):
        index.add_sdist(name, "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_wheel("alpha", "1.0", requires=("broken",))
    wanted = recipe("alpha", "broken", "Broken_Too", optional_packages=("broken", "broken-too"))
    found = [build(environments, wanted, write_tree({})) for _ in range(2)]
    assert [environment.packages for environment in found] == [("alpha==1.0",)] * 2
    assert {frozenset(environment.unbuilt) for environment in found} == {
        frozenset({"broken", "broken-too"})
    }
    built = [path for path in index.requested if path.endswith(".tar.gz")]
    index.requested.clear()
    assert built
    assert build(environments, wanted, write_tree({})).unbuilt
    assert index.requested == []


def test_what_a_lock_file_pins_is_not_asked_for_by_it(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("broken", "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_wheel("alpha", "1.0", requires=("broken",))
    lock = "".join(
        f'[[package]]\nname = "{name}"\nversion = "1.0"\n\n' for name in ("alpha", "broken")
    )
    wanted = recipe("alpha", optional_packages=("alpha",), requirement_files=("poetry.lock",))
    found = build(environments, wanted, write_tree({"poetry.lock": lock}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("broken",))


def test_packages_for_tests_that_no_index_has_any_more_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    wanted = recipe("alpha", "withdrawn", optional_packages=("alpha", "withdrawn"))
    found = build(environments, wanted, write_tree({}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("withdrawn",))
    with pytest.raises(EnvironmentBuildError, match="was not found in the package registry"):
        build(environments, dataclasses.replace(wanted, optional_packages=()), write_tree({}))


def test_packages_for_tests_whose_archives_nobody_takes_any_more_are_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_file("packed", "Packed-1.0.tar.bz2", b"")
    index.add_wheel("packed", "2.0")
    wanted = recipe("alpha", "packed<2", optional_packages=("packed",))
    found = build(environments, wanted, write_tree({}))
    assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("packed",))


def test_what_no_index_has_is_left_out_for_the_interpreter_that_builds_the_rest(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    first, second = two_interpreters(("3.13", "3.12", "3.11"))
    too_new = (
        f"import sys; sys.version_info[:2] != ({second.replace('.', ', ')}) and sys.exit('no')"
    )
    index.add_sdist("alpha", "1.0", before=too_new)
    wanted = recipe("alpha", "withdrawn", optional_packages=("withdrawn",), python=(first, second))
    for _ in range(2):
        found = build(environments, wanted, write_tree({}))
        assert (found.packages, found.unbuilt) == (("alpha==1.0",), ("withdrawn",))
        assert told(found, "import sys; print('%d.%d' % sys.version_info[:2])") == second


@pytest.mark.parametrize("cause", ["MemoryError", "OSError(28, 'No space left on device')"])
def test_nothing_is_left_out_because_a_machine_was_exhausted(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, cause: str
) -> None:
    index.add_sdist("greedy", "1.0", before=f"raise {cause}")
    wanted = recipe("greedy", optional_packages=("greedy",))
    with pytest.raises(EnvironmentBuildError, match="cannot be built") as failed:
        build(environments, wanted, write_tree({}))
    assert cause in failed.value.log
    assert "fixgate.yml" not in str(failed.value)


def test_what_a_project_needs_itself_is_not_left_out(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("broken", "1.0", before="raise SystemExit('mysql.h: not found')")
    index.add_sdist("optional", "1.0", before="raise SystemExit('mysql.h: not found')")
    wanted = recipe("broken", "optional", optional_packages=("optional",))
    with pytest.raises(EnvironmentBuildError, match="cannot be built") as failed:
        build(environments, wanted, write_tree({}))
    assert "mysql.h: not found" in failed.value.log
    assert "write what does under `environment: packages` in .github/fixgate.yml" in str(
        failed.value
    )


UNCOMPILED: Mapping[str, str] = {
    "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n',
    "b.py": "raise SystemExit('error: llhttp.h: not found')",
    "setup.py": "from setuptools import Extension, setup\n"
    "setup(name='own', ext_modules=[Extension('own._fast', ['own/_fast.c'], optional=True)])\n",
    "own/__init__.py": "",
    "own/_fast.c": "",
    "tests/test_own.py": "import pytest\n",
}


NO_CYTHON = "import sys\nsys.exit(\"error: '_headers.pxi' not found\")\n"


def add_tools(index: Any) -> None:
    """What builds and tests projects."""
    for name in ("pytest", "setuptools", "wheel"):
        index.add_wheel(name, "40.0")


def test_modules_of_which_cython_makes_nothing_are_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("cython", "3.0", {"cython.py": NO_CYTHON})
    add_tools(index)
    files = {path.replace(".c", ".pyx"): text for path, text in UNCOMPILED.items()}
    environment = build_members(environments, write_tree(files))
    reason = "error: '_headers.pxi' not found"
    assert environment.uncompiled == (Uncompiled("compiled modules of the project", reason),)


@pytest.mark.parametrize("changed", ["own/__init__.py", "own/_fast.c"])
def test_modules_that_cannot_be_compiled_and_are_optional_are_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, changed: str
) -> None:
    add_tools(index)
    tree = write_tree(UNCOMPILED)
    without = (Uncompiled("compiled modules of the project", "error: llhttp.h: not found"),)
    for _ in range(2):
        environment = build_members(environments, tree)
        assert (environment.uncompiled, environment.recipe.install) == (without, "metadata")
    if changed.endswith(".py"):
        assert build_members(environments, tree, [changed]).uncompiled == without
    else:
        with pytest.raises(EnvironmentBuildError, match=r"llhttp\.h: not found"):
            build_members(environments, tree, [changed])


def test_what_is_left_out_of_one_tree_is_tried_again_for_the_next(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    """Its own build, which a change may have written, says nothing of other trees."""
    add_tools(index)
    assert build_members(environments, write_tree(UNCOMPILED)).uncompiled
    whole = {path: UNCOMPILED[path] for path in UNCOMPILED if path not in ("b.py", "own/_fast.c")}
    backend = backend_project("own", "1", {"own/_fast.so": ""})["backend.py"]
    whole["pyproject.toml"] = whole["pyproject.toml"].replace('"b"', '"backend"')
    tree = write_tree({**whole, "backend.py": backend})
    recipe = dataclasses.replace(discover_recipe(tree), python=(PYTHON,))
    date = datetime.date(2021, 1, 1)
    built = environments.build(recipe, date=date, tree=tree, tree_key="another tree")
    assert (built.uncompiled, built.recipe.install) == ((), "wheel")


@pytest.mark.parametrize(
    ("old", "new"),
    [(", optional=True", ""), ("tests/test_own.py", ".github/fixgate.yml")],
    ids=["needed", "by the user"],
)
def test_modules_that_cannot_be_compiled_are_not_left_out_where_they_are_needed(
    environments: PythonBuilder, index: Any, write_tree: Write, old: str, new: str
) -> None:
    add_tools(index)
    files = {path.replace(old, new): text.replace(old, new) for path, text in UNCOMPILED.items()}
    if ".github/fixgate.yml" in files:
        files[".github/fixgate.yml"] = "environment: {install: wheel}\n"
    with pytest.raises(EnvironmentBuildError, match=r"llhttp\.h: not found"):
        build_members(environments, write_tree(files))


MEMBER = '[project]\nname = "{0}"\nversion = "2"\ndependencies = {1}\n'
PLUG_IN = '[project.entry-points.shop]\nx = "{0}:x"\n'
BROKEN = "raise SystemExit('error: mysql.h: not found')"
REASON = "broken cannot be built: error: mysql.h: not found"


def shop(**needed: list[str]) -> dict[str, str]:
    """The files of a repository whose root is no project; each below it needs packages."""
    files = {"tests/test_shop.py": "import core\n"}
    for name, packages in needed.items():
        files[f"{name}/pyproject.toml"] = MEMBER.format(name, packages) + PLUG_IN.format(name)
        files[f"{name}/{name}.py"] = ""
    return files


def build_members(
    environments: PythonBuilder, tree: Path, changed: Collection[str] = ()
) -> PythonEnvironment:
    recipe = dataclasses.replace(discover_recipe(tree), python=(PYTHON,))
    return build(environments, recipe, tree, changed=changed)


def test_a_member_that_needs_what_cannot_be_built_is_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_wheel("alpha", "1.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=["alpha"], data=["core", "broken"], pages=["data"], cart=["core"]))
    changed = ("core/core.py", "data/README.md", "database.py")
    found = [build_members(environments, tree, changed) for _ in range(2)]
    for environment in found:
        assert environment.packages == ("alpha==1.0", "pytest==7.0")
        assert environment.unbuilt == ("broken",)
        left_out = (Uncompiled("data", REASON), Uncompiled("pages", REASON))
        assert environment.uncompiled == left_out
        assert environment.recipe.import_roots == ("", "cart", "core")
    written = {file.parent.name for file in found[0].overlays[0].rglob("PKG-INFO")}
    assert written == {"core.egg-info", "cart.egg-info"}


def test_a_member_stays_out_where_a_package_is_added(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    for name in ("pytest", "alpha"):
        index.add_wheel(name, "1.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=[], data=["broken"]))
    recipe = build_members(environments, tree).recipe.adding("alpha")
    environment = build(environments, recipe, tree)
    assert "alpha==1.0" in environment.packages
    assert environment.uncompiled == (Uncompiled("data", REASON),)


@pytest.mark.parametrize("changed", ["data/data.py", "pages/pages.py", "data/pyproject.toml"])
def test_a_member_that_is_changed_is_not_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, changed: str
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree(shop(core=[], data=["broken"], pages=["data"]))
    assert build_members(environments, tree).unbuilt == ("broken",)
    with pytest.raises(EnvironmentBuildError, match=r"(?s)cannot be built.*mysql\.h: not found"):
        build_members(environments, tree, [changed])


@pytest.mark.parametrize("untold", [False, True])
def test_a_member_may_need_what_cannot_be_built_through_others(
    environments: PythonBuilder, index: Any, write_tree: Write, untold: bool
) -> None:
    """What only a build tells of its requirements fails before anything is resolved."""
    index.add_wheel("pytest", "7.0")
    index.add_wheel("driver", "1.0", requires=("layer",))
    index.add_wheel("layer", "1.0", requires=("broken",))
    index.add_sdist("broken", "1.0", before=BROKEN, untold=untold)
    tree = write_tree(shop(core=[], data=["driver"]))
    environment = build_members(environments, tree, ["core/core.py"])
    assert [each.place for each in environment.uncompiled] == ["data"]


WORKSPACE = '[tool.uv.workspace]\nmembers = ["core", "data"]\n'


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": MEMBER.format("root", ["broken"]) + WORKSPACE},
        {
            "pyproject.toml": MEMBER.format("root", ["data"])
            + WORKSPACE
            + "[build-system]\nrequires = []\n"
        },
        {"core/pyproject.toml": MEMBER.format("core", ["broken"])},
        {".github/fixgate.yml": "environment: {packages: [pytest, broken]}"},
    ],
    ids=["by the root", "by a member that the root needs", "by every member", "by the user"],
)
def test_what_all_need_is_not_left_out(
    environments: PythonBuilder, index: Any, write_tree: Write, files: Mapping[str, str]
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    tree = write_tree({**shop(core=[], data=["broken"]), **files})
    with pytest.raises(EnvironmentBuildError, match=r"mysql\.h: not found"):
        build_members(environments, tree)


def test_a_root_that_is_no_package_only_gathers_its_members(
    environments: PythonBuilder, index: Any, write_tree: Write
) -> None:
    index.add_wheel("pytest", "7.0")
    index.add_sdist("broken", "1.0", before=BROKEN)
    root = {"pyproject.toml": MEMBER.format("root", ["core", "data"]) + WORKSPACE}
    environment = build_members(
        environments, write_tree({**shop(core=[], data=["broken"]), **root})
    )
    assert environment.uncompiled == (Uncompiled("data", REASON),)
