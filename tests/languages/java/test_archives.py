"""Tests start from an archive of what every run of tests loads, where their options allow it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from evaluator.languages.java.environment.archives import archive_of_tests
from evaluator.languages.java.environment.compiler import find_compiler
from evaluator.languages.java.environment.jdk import find_jdk, jdk_at
from evaluator.languages.java.environment.maven import Maven
from evaluator.languages.java.environment.tools import JUPITER, Tools
from evaluator.languages.java.environment.types import JavaEnvironment, java_environment
from evaluator.languages.java.probe.run import MACHINE, loaded_from
from evaluator.sandbox.process import ProcessSandbox
from tests.languages.java.building import build, on_later_java, resolves_dependencies

pytestmark = pytest.mark.java


@pytest.fixture
def environment(tree: Path, java_cache: Path) -> JavaEnvironment:
    return java_environment(build(tree, java_cache))


def _output(environment: JavaEnvironment, *options: str) -> str:
    """What a virtual machine says that runs our examples as it would run tests."""
    archives = [str(archive) for archive in environment.archives]
    (place,) = {archive.parent for archive in environment.archives}
    class_path = os.pathsep.join(map(str, (environment.probe, *environment.launcher, place)))
    command = [
        *(str(environment.java), *MACHINE, *loaded_from(archives), *options),
        *(f"-javaagent:{environment.probe}={place}/run.json", "-cp", class_path),
        *("fixgate.run.Archiving", str(place / "run.json"), str(place / "compiled.json")),
    ]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    ).stdout


@on_later_java
@resolves_dependencies
def test_the_platform_that_runs_tests_is_loaded_from_an_archive(
    environment: JavaEnvironment,
) -> None:
    loaded = _output(environment, "-Xlog:class+load").splitlines()
    platform = [line for line in loaded if " org.junit.platform." in line]
    archived = [line for line in platform if line.endswith("file (top)")]
    assert len(archived) > 100
    assert len(archived) > 0.9 * len(platform)


@on_later_java
@resolves_dependencies
@pytest.mark.parametrize("option", ["-XX:-UseCompressedClassPointers", "-Xshare:off"])
def test_options_that_do_not_go_with_it_leave_it_alone_without_a_word(
    environment: JavaEnvironment, option: str
) -> None:
    assert _output(environment, option) == _output(environment) == ""
    assert "file (top)" not in _output(environment, option, "-Xlog:class+load")


@resolves_dependencies
def test_a_jdk_without_an_archive_of_its_own_does_without(tmp_path: Path, java_cache: Path) -> None:
    jdk = find_jdk((), 17)
    shutil.copytree(jdk.home, tmp_path / "jdk", ignore_dangling_symlinks=True)
    for archive in (tmp_path / "jdk").glob("lib/server/*.jsa"):
        archive.unlink()
    tools = Tools(java_cache, ProcessSandbox(), Maven(ProcessSandbox(), jdk, offline=False))
    compiler = find_compiler(tools, jdk_at(tmp_path / "jdk"))
    assert compiler.archives == ()
    assert not any("SharedArchiveFile" in option for option in compiler.options)
    assert archive_of_tests(tools, compiler, tools.launcher(JUPITER)) == ()
    with_archive = find_compiler(tools, jdk)
    assert [archive.is_file() for archive in with_archive.archives] == [True]
