"""What is laid over a tree: metadata, files of the project's own build, compiled files."""

from __future__ import annotations

import datetime
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.environment.binaries import any_is_made_of
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.bubblewrap import BubblewrapSandbox

from .conftest import MakeRecipe, Write

PROJECT = """
[project]
name = "Own.Project"
version = "1.5"
dependencies = ["alpha>=1"]
[project.scripts]
own = "own:main"
[project.entry-points.pytest11]
own = "own.plugin"
"""


def build(
    environments: PythonBuilder, recipe: PythonRecipe, tree: Path, **options: Any
) -> PythonEnvironment:
    date = datetime.date(2021, 1, 1)
    return environments.build(recipe, date=date, tree=tree, tree_key="tree", **options)


def overlay_of(environment: PythonEnvironment) -> Path:
    first, *_ = environment.overlays
    return first


def files_of(environment: PythonEnvironment) -> dict[str, str]:
    overlay = overlay_of(environment)
    return {
        str(path.relative_to(overlay)): path.read_text(encoding="utf-8")
        for path in overlay.rglob("*")
        if path.is_file()
    }


def test_programs_of_the_project_call_its_code_in_the_tree(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    code = "class Tool:\n    @staticmethod\n    def main():\n        return 'exit ' + __file__\n"
    scripts = '[project.scripts]\nown = "own:Tool.main"\n"../up" = "own:main"\nno = "own"\n'
    project = PROJECT.replace('[project.scripts]\nown = "own:main"\n', scripts)
    tree = write_tree({"pyproject.toml": project, "src/own/__init__.py": code})
    environment = build(environments, recipe(install="metadata", import_roots=("src",)), tree)
    first, *_ = environment.programs
    assert [path.name for path in first.iterdir()] == ["own"]
    assert first in environment.visible
    done = subprocess.run(
        [first / "own"],
        env={"PYTHONPATH": f"{tree}/src"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"exit {tree}/src/own/__init__.py\n")


def test_metadata_is_found_beside_the_sources(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    tree = write_tree({"pyproject.toml": PROJECT, "src/own/__init__.py": ""})
    environment = build(environments, recipe(install="metadata", import_roots=("src",)), tree)
    code = (
        "import importlib.metadata as m; d = m.distribution('own-project');"
        "print(d.version, d.requires, sorted((e.group, e.name, e.value) for e in d.entry_points))"
    )
    variables = {"PYTHONPATH": str(overlay_of(environment) / "src")}
    command = [str(environment.python), "-c", code]
    told = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
    points = [("console_scripts", "own", "own:main"), ("pytest11", "own", "own.plugin")]
    assert told.stdout.strip() == f"1.5 ['alpha>=1'] {points}"


def test_the_metadata_of_each_project_of_a_tree_lies_beside_its_sources(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    """They look for their own versions, and for the plug-ins that the others bring."""
    member = '[project]\nname = "{0}"\nversion = "2.0"\n[project.entry-points.grid]\nx = "{0}:x"\n'
    tree = write_tree(
        {
            "core/pyproject.toml": member.format("core"),
            "core/src/core/__init__.py": "",
            "pool/pyproject.toml": member.format("pool"),
            "pool/pool.py": "",
            "fast/pyproject.toml": member.format("fast"),
        }
    )
    roots = ("", "core/src", "pool")
    files = files_of(build(environments, recipe(install="metadata", import_roots=roots), tree))
    assert "Version: 2.0" in files["core/src/core.egg-info/PKG-INFO"]
    assert files["pool/pool.egg-info/entry_points.txt"] == "[grid]\nx = pool:x\n"
    assert not [name for name in files if name.startswith("fast")]


VERSION_FILES = {
    "pyproject.toml": '[project]\nname = "own"\ndynamic = ["version"]\n'
    '[tool.setuptools_scm]\nversion_file = "own/_version.py"\n',
    "setup.py": "import os\nfrom setuptools import setup\nOWN = 'own'\n"
    "setup(name=OWN, use_scm_version={'write_to': os.path.join(OWN, '_version.py')})\n",
}


@pytest.mark.parametrize("file", VERSION_FILES)
def test_a_version_that_history_tells_is_written_where_the_project_reads_it(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write, file: str
) -> None:
    tree = write_tree({file: VERSION_FILES[file], "own/__init__.py": ""})
    told = {"SETUPTOOLS_SCM_PRETEND_VERSION": "4.4"}
    files = files_of(build(environments, recipe(install="metadata", variables=told), tree))
    assert "Version: 4.4" in files["own.egg-info/PKG-INFO"]
    names: dict[str, object] = {}
    exec(files["own/_version.py"], names)
    assert (names["version"], names["version_tuple"]) == ("4.4", (4, 4))


def test_a_version_that_nothing_tells_can_be_taken_apart(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    """As nbformat does when it is imported: without three numbers no test of it can be loaded."""
    dynamic = '[project]\nname = "own"\ndynamic = ["version"]\n'
    tree = write_tree({"pyproject.toml": dynamic, "own/__init__.py": ""})
    files = files_of(build(environments, recipe(install="metadata"), tree))
    assert re.search(r"^Version: \d+\.\d+\.\d+$", files["own.egg-info/PKG-INFO"], re.MULTILINE)


def test_a_command_leaves_its_new_files_and_no_changes(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    tree = write_tree(
        {"own.py": "old\n", "setup.py": "from setuptools import setup\nsetup(name='own')"}
    )
    wanted = recipe(
        pre_install=("echo one > one.txt", "echo changed > own.py"),
        install="mkdir -p own build && cat one.txt own.py > own/two.txt && touch build/left-out",
    )
    files = files_of(build(environments, wanted, tree))
    assert files["own/two.txt"] == "one\nchanged\n"
    assert {"one.txt", "own/two.txt", "own.egg-info/PKG-INFO"} <= set(files)
    assert not {"own.py", "build/left-out"} & set(files)
    assert (tree / "own.py").read_text() == "old\n"
    assert not (tree / "one.txt").exists()


def test_a_failing_command_shows_its_output(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    wanted = recipe(install="echo first; false; echo never")
    with pytest.raises(EnvironmentBuildError, match="first") as caught:
        build(environments, wanted, write_tree({}))
    assert "never" not in caught.value.log


@pytest.mark.bubblewrap
def test_the_build_can_write_nothing_but_its_copy(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({"own.py": ""})
    walled = PythonBuilder(
        tmp_path / "walled", sandbox=BubblewrapSandbox(), index_url=f"{index.url}/simple"
    )
    attempts = f"for place in $VIRTUAL_ENV {tree} {tmp_path}; do touch $place/x || true; done"
    wanted = recipe("alpha", install=f"python -c 'import alpha' && touch new && {attempts}")
    environment = build(walled, wanted, tree)
    assert (overlay_of(environment) / "new").is_file()
    places = (environment.python.parents[1], tree, tmp_path)
    assert not any((place / "x").exists() for place in places)


@pytest.mark.bubblewrap
def test_a_package_that_is_built_reaches_no_other_environment(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    cache = tmp_path / "walled"
    poison = f"import pathlib; pathlib.Path({str(cache)!r}, 'environments', 'x').write_text('x')"
    index.add_sdist("alpha", "1.0", before=f"try:\n    {poison}\nexcept OSError:\n    pass")
    walled = PythonBuilder(cache, sandbox=BubblewrapSandbox(), index_url=f"{index.url}/simple")
    environment = build(walled, recipe("alpha"), write_tree({}))
    assert environment.packages == ("alpha==1.0",)
    assert not (cache / "environments" / "x").exists()


def test_a_build_cannot_pass_off_files_of_the_host_as_its_own(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "key.txt").write_text("secret")
    inner = recipe(install=f"ln -s {secrets} link; ln -s {secrets}/key.txt file; touch new")
    assert "secret" not in files_of(build(environments, inner, write_tree({}))).values()
    outer = recipe(install=f"cd ..; mv tree old; ln -s {secrets} tree")
    with pytest.raises(EnvironmentBuildError, match="replaced its directory tree by a link"):
        build(environments, outer, write_tree({}))


RELEASE = {
    "own/__init__.py": "of the release",
    "own/_speed.cpython-311-x86_64-linux-gnu.so": "compiled",
    "own/_version.py": "version = '1.4'",
    "own/later.py": "belongs to another commit",
    "own/_speed.c": "generated",
    "own.libs/libm.so.6": "bundled",
}


def test_a_release_gives_its_compiled_and_generated_files_only(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("own", "1.4", files=RELEASE)
    tree = write_tree({"lib/own/__init__.py": "of the tree", ".gitignore": "_version.py\n*.c\n"})
    wanted = recipe(binaries="own==1.4", import_roots=("lib",))
    environment = build(environments, wanted, tree)
    assert {path for path in files_of(environment) if ".dist-info" not in path} == {
        "lib/own/_speed.cpython-311-x86_64-linux-gnu.so",
        "lib/own/_version.py",
        "lib/own.libs/libm.so.6",
    }
    assert "lib/own-1.4.dist-info/METADATA" in files_of(environment)


def test_the_first_release_that_has_all_modules_is_taken(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("own", "1.4", files={"own/one.so": "older", "own/two.so": "older"})
    index.add_wheel("own", "2.0", files={"own/_one.so": "newer", "own/two.so": "newer"})
    tree = write_tree({"own/one.pyx": "", "own/two.pyx": ""})
    files = files_of(build(environments, recipe(binaries="own==2.0 own==1.4"), tree))
    assert {path: text for path, text in files.items() if path.endswith(".so")} == {
        "own/one.so": "older",
        "own/two.so": "older",
    }


def test_where_no_release_has_all_modules_they_are_built_from_the_tree(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("own", "1.4", files={"own/_older.so": "of the release"})
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    tree = write_tree({**_compiled_project("built from the tree"), "own/_speed.pyx": ""})
    files = files_of(build(environments, recipe(binaries="own==1.4"), tree))
    assert files["own/_speed.so"] == "built from the tree"


def test_compiled_files_are_built_from_the_tree_when_the_fix_touches_them(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("own", "1.4", files=RELEASE)
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    environment = build(
        environments,
        recipe(binaries="own==1.4"),
        write_tree(_compiled_project("built from the tree")),
        rebuild_compiled=True,
    )
    files = files_of(environment)
    assert files["own/_speed.so"] == "built from the tree"
    assert "own/_version.py" not in files


@pytest.mark.parametrize(
    ("beside", "is_laid"),
    [
        (("_speed.py",), False),
        (("_speed.py", "_speed.pyi", "_speed.pxd"), False),
        (("_speed.py", "_speed.pyx"), True),
        (("_speed.py", "_speed.c"), True),
        (("_speed.pyi",), True),
        (("speed.py",), True),
    ],
)
def test_what_is_compiled_of_a_python_file_does_not_stand_before_it(
    environments: PythonBuilder,
    index: Any,
    recipe: MakeRecipe,
    write_tree: Write,
    beside: tuple[str, ...],
    is_laid: bool,
) -> None:
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    index.add_wheel("own", "1.4", files=RELEASE)
    more = {f"own/{name}": "" for name in beside}
    built = write_tree({**_compiled_project("built"), **more})
    assert is_laid is (
        "own/_speed.so" in files_of(build(environments, recipe(install="wheel"), built))
    )
    copied = recipe(install="mkdir -p own; echo built > own/_speed.so")
    assert is_laid is ("own/_speed.so" in files_of(build(environments, copied, built)))
    released = recipe(binaries="own==1.4")
    files = files_of(build(environments, released, write_tree({"own/__init__.py": "", **more})))
    assert is_laid is ("own/_speed.cpython-311-x86_64-linux-gnu.so" in files)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["locale/de/app.po"], True),
        (["README.md", "own/grammar.y"], True),
        (["own/grammar.y", "own/grammar.py"], True),
        (["own/data.rules", "own/data.json"], True),
        (["own/grammar.py"], False),
        (["own/grammar.pyi"], False),
        (["grammar.y"], False),
        (["own/words.txt"], False),
        (["own/data.json"], False),
    ],
)
def test_what_a_build_made_of_a_file_has_its_name(
    tmp_path: Path, paths: list[str], expected: bool
) -> None:
    for made in ("locale/de/app.mo", "own/grammar.py", "own/data.json", "own/_speed.so"):
        (tmp_path / made).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / made).touch()
    assert any_is_made_of(paths, [tmp_path]) is expected


def test_two_trees_do_not_share_what_was_built_from_one(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    wanted, date = recipe(install="wheel"), datetime.date(2021, 1, 1)
    made = [
        environments.build(
            wanted, date=date, tree=write_tree(_compiled_project(text)), tree_key=text
        )
        for text in ("one", "two")
    ]
    assert [files_of(environment)["own/_speed.so"] for environment in made] == ["one", "two"]
    assert made[0].key != made[1].key


def test_c_is_written_by_cython_where_it_is_not_there(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    cython = "import sys\nname = sys.argv[-1]\nassert '--cplus' in sys.argv\n"
    cython += "open(name.replace('.pyx', '.cpp'), 'w').write('made of ' + open(name).read())\n"
    index.add_wheel("cython", "3.0", {"cython.py": cython})
    for tool in ("setuptools", "wheel"):
        index.add_wheel(tool, "40.0")
    files = _compiled_project("")
    files["backend.py"] = files["backend.py"].replace("''", "open('own/_speed.cpp').read()")
    files["own/_speed.pyx"] = "a source"
    files["setup.py"] = (
        "from setuptools import Extension, setup\n"
        "modules = [Extension('own._speed', sources=['own/_speed.cpp', 'own/other.c'])]\n"
        "setup(ext_modules=modules)\n"
    )
    environment = build(environments, recipe(install="wheel"), write_tree(files))
    assert files_of(environment)["own/_speed.so"] == "made of a source"


def _compiled_project(text: str) -> dict[str, str]:
    backend = f"""
import os, zipfile
def get_requires_for_build_wheel(config_settings=None):
    return []
def build_wheel(directory, config_settings=None, metadata_directory=None):
    with zipfile.ZipFile(os.path.join(directory, "own-1.5-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("own/__init__.py", "of the tree")
        wheel.writestr("own/_speed.so", {text!r})
        head = "Metadata-Version: 2.1\\nName: own\\nVersion: 1.5\\n"
        wheel.writestr("own-1.5.dist-info/METADATA", head)
        wheel.writestr("own-1.5.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        wheel.writestr("own-1.5.dist-info/RECORD", "")
    return "own-1.5-py3-none-any.whl"
"""
    system = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    project = '[project]\nname = "own"\nversion = "1.5"\n'
    return {"pyproject.toml": system + project, "backend.py": backend, "own/__init__.py": ""}
