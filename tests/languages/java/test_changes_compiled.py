"""A changed tree is compiled once for all its runs, but for what may look at where it runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from evaluator.compiling import CompiledTree, CompiledTrees
from evaluator.environment.types import Environment
from evaluator.languages.java.environment.types import java_environment
from evaluator.model import Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.guise import USUAL, Guise, guise_of
from evaluator.sandbox.protocol import Command, CommandResult, ExitReason, Mount, ResourceLimits
from tests.languages.java.building import (
    build,
    configure_compiler,
    resolves_dependencies,
    statuses,
)
from tests.languages.java.repository import CODE, FIXED, NEW_TESTS, lay

pytestmark = [pytest.mark.java, pytest.mark.bubblewrap]

BOX = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() {
        System.out.println(Plural.class.getProtectionDomain().getCodeSource().getLocation());
        assertEquals("boxes", Plural.of("box"));
    }

    @Test
    void resource() throws Exception {
        assertEquals('R', BoxTest.class.getResourceAsStream("/letter.txt").read());
    }
}
"""
CHANGED = {CODE: FIXED, NEW_TESTS: BOX, "src/test/resources/letter.txt": "RESOURCE"}
COMPILES = "fixgate.compile.Main"
PROCESSOR_PATH = (
    "<annotationProcessorPaths><path><groupId>org.projectlombok</groupId>"
    "<artifactId>lombok</artifactId><version>1.18.42</version></path></annotationProcessorPaths>"
)
PROCESSORS = "src/main/resources/META-INF/services/javax.annotation.processing.Processor"


class WatchedSandbox:
    """A sandbox that counts what it compiles for all runs, and runs that compile for themselves."""

    def __init__(self) -> None:
        self._sandbox = choose_sandbox("bubblewrap")
        self.name = self._sandbox.name
        self.shared: list[ExitReason] = []
        self.own = 0

    def location(self, mount: Mount) -> str:
        return self._sandbox.location(mount)

    def run(self, command: Command) -> CommandResult:
        result = self._sandbox.run(command)
        if COMPILES in command.argv:
            self.shared.append(result.ending)
        else:
            self.own += not json.loads(command.argv[-1])["compiled"]
        return result


@pytest.fixture
def sandbox() -> WatchedSandbox:
    return WatchedSandbox()


@pytest.fixture
def trees(tmp_path: Path, sandbox: WatchedSandbox) -> CompiledTrees:
    return CompiledTrees(sandbox, tmp_path / "compiled")


def ran(
    sandbox: WatchedSandbox,
    tree: Path,
    environment: Environment,
    compiled: CompiledTree,
    *,
    guise: Guise = USUAL,
    seconds: float = 300.0,
) -> Run:
    """A run of the tests in a private copy of a tree, which is no more after it."""
    copy = tree.with_name(f"copy-{guise.user}")
    shutil.copytree(tree, copy)
    limits = ResourceLimits(wall_seconds=seconds)
    asked = RunRequest(
        copy, environment, (NEW_TESTS,), guise=guise, limits=limits, compiled=compiled
    )
    run = run_tests(sandbox, asked)
    shutil.rmtree(copy)
    return run


@resolves_dependencies
def test_a_changed_tree_is_compiled_once_wherever_it_lies(
    tree: Path, java_cache: Path, sandbox: WatchedSandbox, trees: CompiledTrees
) -> None:
    environment = build(tree, java_cache)
    lay(tree, CHANGED)
    compiled = trees.tree("changed")
    for guise in (USUAL, guise_of(1, "words"), guise_of(2, "words")):
        run = ran(sandbox, tree, environment, compiled, guise=guise)
        assert statuses(run) == {"box": "passed", "resource": "passed"}, run.output
        # By its usual name: each run sees it under another one.
        assert "file:/fixgate/results/classes/" in run.output
    assert (sandbox.shared, sandbox.own) == ([ExitReason.EXITED], 0)
    assert trees.tree("changed") is compiled


@resolves_dependencies
def test_where_the_project_s_own_code_is_in_the_compiler_each_run_compiles(
    tree: Path, java_cache: Path, sandbox: WatchedSandbox, trees: CompiledTrees
) -> None:
    configure_compiler(tree, "<configuration><proc>none</proc></configuration>")
    environment = build(tree, java_cache)
    lay(tree, CHANGED | {PROCESSORS: "words.Processor\n"})
    run = ran(sandbox, tree, environment, trees.tree("changed"))
    assert statuses(run) == {"box": "passed", "resource": "passed"}, run.output
    assert (sandbox.shared, sandbox.own) == ([], 1)


@resolves_dependencies
def test_processors_of_others_are_no_reason_to_compile_again(
    tree: Path, java_cache: Path, sandbox: WatchedSandbox, trees: CompiledTrees
) -> None:
    configure_compiler(tree, f"<configuration>{PROCESSOR_PATH}</configuration>")
    environment = build(tree, java_cache)
    assert "-processorpath" in java_environment(environment).project.read_text()
    lay(tree, CHANGED)
    run = ran(sandbox, tree, environment, trees.tree("changed"))
    assert statuses(run) == {"box": "passed", "resource": "passed"}, run.output
    assert (sandbox.shared, sandbox.own) == ([ExitReason.EXITED], 0)


@resolves_dependencies
def test_a_compiler_that_is_stopped_leaves_it_to_the_run(
    tree: Path, java_cache: Path, sandbox: WatchedSandbox, trees: CompiledTrees
) -> None:
    environment = build(tree, java_cache)
    lay(tree, CHANGED)
    run = ran(sandbox, tree, environment, trees.tree("changed"), seconds=0.2)
    assert (sandbox.shared, sandbox.own) == ([ExitReason.TIMEOUT], 1)
    assert run.wall_seconds >= 0.2


@resolves_dependencies
def test_what_does_not_compile_is_said_of_each_run(
    tree: Path, java_cache: Path, sandbox: WatchedSandbox, trees: CompiledTrees
) -> None:
    environment = build(tree, java_cache)
    lay(tree, CHANGED | {NEW_TESTS: BOX.replace("Plural", "Singular")})
    compiled = trees.tree("changed")
    runs = [
        ran(sandbox, tree, environment, compiled, guise=guise)
        for guise in (USUAL, guise_of(1, "words"))
    ]
    assert runs[0].outcomes.keys() == runs[1].outcomes.keys()
    for run in runs:
        failures = [each.failure for each in run.outcomes.values() if each.failure is not None]
        assert any("cannot find symbol" in failure.message for failure in failures)
        assert str(tree.parent) not in str(failures)
    assert sandbox.own == 0


@resolves_dependencies
def test_what_nobody_asks_for_any_more_is_removed(
    tree: Path,
    java_cache: Path,
    sandbox: WatchedSandbox,
    trees: CompiledTrees,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaluator.compiling._MOST_KEPT", 1)
    environment = build(tree, java_cache)
    lay(tree, CHANGED)
    first = trees.tree("first")
    ran(sandbox, tree, environment, first)
    (place,) = (tmp_path / "compiled").glob("*/*")
    ran(sandbox, tree, environment, trees.tree("second"))
    assert place.is_dir()
    del first
    assert not place.exists()
    assert len([*(tmp_path / "compiled").glob("*/*")]) == 1
