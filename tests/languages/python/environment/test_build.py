"""Environments as a whole: real uv, real interpreters, an index on loopback."""

from __future__ import annotations

import datetime
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import EnvironmentBuildError, InterpreterMissingError
from evaluator.languages.python.environment import locales
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.interpreter import (
    RELEASED,
    Interpreter,
    find_interpreters,
    of_its_time,
)
from evaluator.languages.python.environment.requirements import read_requirement_files
from evaluator.languages.python.environment.types import PythonRecipe
from evaluator.sandbox.process import ProcessSandbox

from .conftest import MakeRecipe, Write, build, told, two_interpreters

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
BUILDER = """
import sys
from pathlib import Path
from evaluator.languages.python.environment.build import PythonBuilder
from evaluator.languages.python.environment.types import PythonEnvironment, PythonRecipe
from evaluator.sandbox.process import ProcessSandbox
cache, url, python, tree = sys.argv[1:]
environments = PythonBuilder(Path(cache), sandbox=ProcessSandbox(), index_url=url)
recipe = PythonRecipe(python=(python,), packages=("alpha", "beta"))
print(environments.build(recipe, date=None, tree=Path(tree), tree_key="t").python)
"""


def start_builder(cache: Path, index: Any, tree: Path) -> subprocess.Popen[str]:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    arguments = [str(cache), f"{index.url}/simple", version, str(tree)]
    command = [sys.executable, "-c", BUILDER, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


def test_packages_are_those_of_the_date(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0", uploaded="2019-01-01T00:00:00Z")
    index.add_wheel("alpha", "2.0", uploaded="2022-01-01T00:00:00Z")
    environment = build(environments, recipe("alpha"), write_tree({}))
    assert environment.packages == ("alpha==1.0",)
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"


def test_a_date_in_the_recipe_wins_and_newer_packages_are_exempt(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for name in ("alpha", "beta"):
        index.add_wheel(name, "1.0", uploaded="2019-01-01T00:00:00Z")
        index.add_wheel(name, "2.0", uploaded="2023-01-01T00:00:00Z")
    wanted = recipe(
        "alpha", "beta", resolve_as_of=datetime.date(2020, 1, 1), newer_packages=("beta",)
    )
    environment = build(environments, wanted, write_tree({}), date=datetime.date(2024, 1, 1))
    assert environment.packages == ("alpha==1.0", "beta==2.0")


def test_a_package_that_was_uploaded_again_later_is_taken_whatever_its_date(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0", uploaded="2019-01-01T00:00:00Z")
    index.add_wheel("alpha", "2.0", uploaded="2023-01-01T00:00:00Z")
    index.add_wheel("beta", "2.1", uploaded="2023-01-01T00:00:00Z")
    date = datetime.date(2020, 1, 1)
    environment = build(environments, recipe("alpha", "beta"), write_tree({}), date=date)
    assert environment.packages == ("alpha==1.0", "beta==2.1")
    assert told(environment, "import beta; print(beta.VERSION)") == "2.1"
    with pytest.raises(EnvironmentBuildError, match="cannot be built"):
        build(environments, recipe("alpha>=2"), write_tree({"a": ""}), date=date)


def test_what_resolves_alike_shares_one_virtual_environment(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({})
    first = build(environments, recipe("alpha"), tree)
    second = build(environments, recipe("alpha==1.0", variables={"A": "1"}), tree)
    assert first.python == second.python
    assert first.key != second.key


def test_runs_are_made_anew_once_a_locale_is_installed(
    environments: PythonBuilder,
    index: Any,
    recipe: MakeRecipe,
    write_tree: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({})
    monkeypatch.setattr(locales, "_PLACE", tmp_path / "locale")
    without = build(environments, recipe("alpha"), tree)
    (tmp_path / "locale" / "de_DE.utf8").mkdir(parents=True)
    with_it = build(environments, recipe("alpha"), tree)
    assert with_it.python == without.python
    assert with_it.key != without.key


def test_built_once_it_is_found_without_network(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    tree = write_tree({"setup.py": "from setuptools import setup\nsetup(name='own')\n"})
    wanted = recipe("alpha", install="metadata")
    first = build(environments, wanted, tree)
    asked = len(index.requested)
    offline = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox(), offline=True)
    assert build(offline, wanted, tree) == first
    assert len(index.requested) == asked


def test_without_network_what_was_never_built_says_so(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    offline = PythonBuilder(tmp_path / "cache", sandbox=ProcessSandbox(), offline=True)
    with pytest.raises(EnvironmentBuildError, match="without network") as caught:
        build(offline, recipe("alpha"), write_tree({}))
    assert "alpha" in caught.value.log


def test_two_processes_at_once_build_one_environment(
    environments: PythonBuilder, index: Any, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("beta", "1.0")
    builders = [start_builder(tmp_path / "cache", index, write_tree({})) for _ in range(2)]
    outputs = [builder.communicate(timeout=120)[0] for builder in builders]
    assert [builder.returncode for builder in builders] == [0, 0]
    assert outputs[0] == outputs[1]
    made = [path for path in (tmp_path / "cache" / "environments").iterdir() if path.is_dir()]
    assert len(made) == 1


def test_a_build_that_was_killed_is_done_again(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write, tmp_path: Path
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("beta", "1.0")
    index.hold = "beta-1.0-py3-none-any.whl"
    builder = start_builder(tmp_path / "cache", index, write_tree({}))
    assert index.held.wait(60)
    shelf = tmp_path / "cache" / "environments"
    assert any(path.is_dir() for path in shelf.iterdir())
    os.killpg(builder.pid, signal.SIGKILL)
    builder.communicate()
    index.hold = ""
    environment = build(environments, recipe("alpha", "beta"), write_tree({}), date=None)
    assert told(environment, "import alpha, beta; print(beta.VERSION)") == "1.0"
    assert [path for path in shelf.iterdir() if path.is_dir()] == [environment.python.parents[1]]


def test_a_release_without_wheels_is_built(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_sdist("alpha", "1.0")
    environment = build(environments, recipe("alpha"), write_tree({}))
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"


def test_what_names_no_build_tool_is_built_as_of_a_date_before_the_usual_one(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_old_sdist("alpha", "1.0", "2018-06-01T00:00:00Z")
    index.add_old_sdist("alpha", "2.0", "2019-02-01T00:00:00Z")
    index.add_wheel("wheel", "0.24", uploaded="2014-07-06T00:00:00Z")
    index.add_wheel("wheel", "0.33", uploaded="2019-01-27T00:00:00Z")
    index.add_setuptools("2019-02-05T00:00:00Z", "alpha", "1.0", wheel="0.30")
    date = datetime.date(2018, 12, 30)
    environment = build(environments, recipe("alpha"), write_tree({}), date=date)
    assert told(environment, "import alpha; print(alpha.VERSION)") == "1.0"
    assert environment.packages == ("alpha==1.0",)


def test_what_was_uploaded_again_is_found_as_of_a_date_before_that(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("atomicwrites", "1.4.1", uploaded="2022-07-08T18:31:40Z")
    environment = build(environments, recipe("atomicwrites"), write_tree({}))
    assert environment.packages == ("atomicwrites==1.4.1",)


def test_a_failing_build_shows_its_last_lines_and_the_recipe(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    cause = "for n in range(100): print('line', n)\nraise SystemExit('no compiler for alpha')"
    index.add_sdist("alpha", "1.0", before=cause)
    wanted = recipe("alpha")
    with pytest.raises(EnvironmentBuildError, match="no compiler for alpha") as caught:
        build(environments, wanted, write_tree({}))
    assert len(caught.value.log.splitlines()) <= 40
    assert "line 99" in caught.value.log
    assert caught.value.recipe == str(wanted)


def test_an_unknown_release_is_named(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    with pytest.raises(EnvironmentBuildError, match="alpha==3"):
        build(environments, recipe("alpha==3"), write_tree({}))


def test_a_missing_interpreter_is_named_with_the_way_to_get_it(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    with pytest.raises(InterpreterMissingError, match=r"Python 3\.99 .* `uv python install 3\.99`"):
        build(environments, recipe(python=("3.99",)), write_tree({}))


def test_the_first_interpreter_with_wheels_is_taken(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.9", "3.8")
    _, second = two_interpreters(candidates)
    digits = second.replace(".", "")
    index.add_wheel("alpha", "1.0", tag=f"cp{digits}-cp{digits}-linux_x86_64")
    index.add_wheel("alpha", "0.9", tag=f"cp{digits}-cp{digits}-linux_aarch64")
    environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    assert told(environment, code) == second


def test_the_project_itself_is_never_installed(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    index.add_wheel("alpha", "1.0")
    index.add_wheel("plugin", "1.0", requires=("Own-Project>=2",))
    index.add_wheel("own-project", "3.0")
    tree = write_tree({"pyproject.toml": '[project]\nname = "own_project"\nversion = "1.5"\n'})
    assert build(environments, recipe("plugin"), tree).packages == ("plugin==1.0",)


def test_requirement_files_and_locks_of_the_tree_count(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    for version in ("1.0", "2.0"):
        index.add_wheel("alpha", version, requires=("beta",))
        index.add_wheel("beta", version)
    lock = '[[package]]\nname = "beta"\nversion = "1.0"\nsource = { registry = "x" }\n'
    tree = write_tree({"tests.txt": "alpha<2\n", "uv.lock": lock})
    wanted = recipe(requirement_files=("tests.txt", "uv.lock"))
    assert build(environments, wanted, tree).packages == ("alpha==1.0", "beta==1.0")


@pytest.mark.parametrize(
    ("asked", "pins"),
    [
        ("Beta-Two>=1.1\n", ()),
        ("beta_two>=1\nbeta-two<1\n", ()),
        ("beta-two>=1\n", ("beta-two==1.0",)),
        ("beta-two>=1.1; python_version < '3'\n", ("beta-two==1.0",)),
        ("alpha>=2\n", ("beta-two==1.0",)),
    ],
)
def test_a_pin_that_the_project_itself_rules_out_is_left_out(
    write_tree: Write, asked: str, pins: tuple[str, ...]
) -> None:
    """gunicorn's lock file is older than what its pyproject.toml asks for."""
    lock = '[[package]]\nname = "beta-two"\nversion = "1.0"\n'
    tree = write_tree({"tests.txt": asked, "uv.lock": lock})
    assert read_requirement_files(tree, ["uv.lock", "tests.txt"])[1] == pins


@pytest.mark.parametrize("name", ["beta @ git+file:///elsewhere#x", "-r /etc/passwd #", "./x #"])
def test_a_lock_cannot_name_a_place_to_fetch_from(write_tree: Write, name: str) -> None:
    rows = [f'[[package]]\nname = "{one}"\nversion = "1.0"\n' for one in (name, "alpha")]
    tree = write_tree({"uv.lock": "".join(rows)})
    assert read_requirement_files(tree, ["uv.lock"]) == ((), ("alpha==1.0",))


def test_a_requirement_file_that_is_absent_is_named(
    environments: PythonBuilder, recipe: MakeRecipe, write_tree: Write
) -> None:
    with pytest.raises(EnvironmentBuildError, match=r"tests\.txt is not in the tree"):
        build(environments, recipe(requirement_files=("tests.txt",)), write_tree({}))


def test_where_a_build_fails_the_next_interpreter_is_tried(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.9", "3.8")
    first, second = two_interpreters(candidates)
    cause = (
        f"import sys\nif '%d.%d' % sys.version_info[:2] == {first!r}: raise SystemExit('too new')"
    )
    index.add_sdist("alpha", "1.0", before=cause)
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    for _ in range(2):
        environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
        assert told(environment, code) == second
    kept = environment.python.parents[2].parent / "choices"
    assert len(list(kept.glob("*.complete"))) == 1


def test_where_the_nearest_interpreters_fail_one_of_the_time_is_tried(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.13", "3.12", "3.11", "3.10", "3.6", "3.8")
    if {"3.6", "3.8"} - {i.minor for i in find_interpreters(PythonRecipe(python=candidates))}:
        pytest.skip("needs old Python interpreters: `uv python install 3.8 3.6`")
    too_new = "import sys\nif sys.version_info >= (3, 9): raise SystemExit('too new')"
    index.add_sdist("alpha", "1.0", before=too_new)
    environment = build(environments, recipe("alpha", python=candidates), write_tree({}))
    assert told(environment, "import sys; print(sys.version_info[1])") == "8"


@given(st.dates(datetime.date(2010, 1, 1)), st.sets(st.sampled_from(sorted(RELEASED))))
def test_the_interpreter_of_a_time_is_the_newest_that_there_was(
    date: datetime.date, minors: set[str]
) -> None:
    interpreters = [Interpreter(Path(), f"{minor}.1", Path()) for minor in minors]
    found = of_its_time(interpreters, date)
    assert len(found) == bool(minors)
    for interpreter in found:
        released = RELEASED[interpreter.minor]
        there = {day for minor in minors if (day := RELEASED[minor]) <= date}
        assert released == max(there, default=min(RELEASED[minor] for minor in minors))
    assert of_its_time(interpreters, None) == ()


@pytest.mark.parametrize(
    ("versions", "is_said"), [("2 2.7", True), ("2.7 3.4", False), ("", False)]
)
def test_a_project_for_python_2_is_named_as_that(
    environments: PythonBuilder,
    recipe: MakeRecipe,
    write_tree: Write,
    versions: str,
    is_said: bool,
) -> None:
    names = [f"Programming Language :: Python :: {version}" for version in versions.split()]
    setup = f"from setuptools import setup\nsetup(name='own', classifiers={names!r})\n"
    with pytest.raises(EnvironmentBuildError) as failed:
        build(environments, recipe("withdrawn"), write_tree({"setup.py": setup}))
    assert is_said is ("it is for Python 2, and fixgate runs Python 3" in str(failed.value))


def test_what_only_a_later_interpreter_allows_is_built_for_it(
    environments: PythonBuilder, index: Any, recipe: MakeRecipe, write_tree: Write
) -> None:
    candidates = ("3.10", "3.11", "3.12", "3.13")
    _, second = two_interpreters(candidates)
    index.add_sdist("alpha", "1.0")
    wanted = recipe(f"alpha; python_version >= '{second}'", python=candidates)
    newer = recipe("alpha", f"beta; python_version < '{second}'", python=candidates)
    assert build(environments, wanted, write_tree({})).packages == ()
    environment = build(environments, newer, write_tree({}))
    assert environment.packages == ("alpha==1.0",)
