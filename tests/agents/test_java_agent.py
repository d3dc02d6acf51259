"""A model in a shell writes a test for a Java repository."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings
from generator.method import MethodContext, MethodSettings
from generator.methods import method
from generator.task import TestRunner, local_task
from generator.writer import WritingExit, write
from tests.agents.conftest import Notes, Scripted, block
from tests.languages.java.repository import CODE, TESTS, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

ISSUE = """\
The plural of box is wrong

`Plural.of("box")` returns boxs, and should return boxes.
"""
RUNNING = block(f"run-tests {TESTS}; echo ended with $?")
RUNNING_ONE = block(f"run-tests {TESTS} box; echo ended with $?")
BREAKING = block(f"sed -i 's/return word/return wort/' {CODE}; run-tests {TESTS}; git status")
MENDING = block(f"sed -i 's/return wort/return word/' {CODE}; run-tests {TESTS} none none.java")
WRITING = block(
    f"""\
sed -i '$ d' {TESTS}
cat >> {TESTS} <<'END'

    @Test
    public void box() {{
        assertEquals("boxes", Plural.of("box"));
    }}
}}
END"""
)
PASSING = WRITING.replace('"boxes", Plural.of("box")', '"boxs", Plural.of("box")')
CORRECTING = block(f'sed -i \'s/"boxs"/"boxes"/\' {TESTS}')
SUBMITTING = block("submit")


@dataclass(frozen=True)
class Bench:
    """A Java repository, and what its tests are run by."""

    workspace: Workspace
    repository: Repository

    def work(self, *turns: str) -> tuple[MethodContext, Scripted]:
        """What a method works with, and its model."""
        task = local_task(self.workspace, self.repository.path, "HEAD", ISSUE)
        model = Scripted(turns)
        runner = TestRunner(self.workspace, task.subject)
        return MethodContext(task, runner, MethodSettings(), Notes(), model), model


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory, java_cache: Path) -> Bench:
    place = tmp_path_factory.mktemp("agent")
    repository = Repository(place / "words")
    mirrors = (str(repository.path / ".git"),)
    settings = WorkspaceSettings(mirrors, java_cache, ResourceLimits(wall_seconds=120))
    return Bench(Workspace(settings, choose_sandbox("bubblewrap")), repository)


def test_a_test_that_passes_is_refused_and_put_right(bench: Bench) -> None:
    work, model = bench.work(PASSING, SUBMITTING, CORRECTING, SUBMITTING)
    written = write(method("agent"), work)
    assert written.exit is WritingExit.SUBMITTED
    assert '+        assertEquals("boxes", Plural.of("box"));' in written.patch
    assert "passes on the code as it is" in model.told(2)


def test_tests_are_compiled_and_run_in_the_shell(bench: Bench) -> None:
    work, model = bench.work(RUNNING, WRITING, RUNNING_ONE, BREAKING, MENDING, SUBMITTING)
    assert write(method("agent"), work).admitted
    assert f"PASSED {TESTS}::PluralTest::cat" in model.told(1)
    assert "ended with 0" in model.told(1)
    assert f"FAILED {TESTS}::PluralTest::box" in model.told(3)
    assert "expected:<box[e]s> but was:<box[]s>" in model.told(3)
    assert f"at {TESTS}:15 in box" in model.told(3)
    assert "PluralTest::cat" not in model.told(3)
    assert "ended with 1" in model.told(3)
    assert f"CompilationError: {CODE}:5: cannot find symbol" in model.told(4)
    assert "there is no file none.java" in model.told(5)


def test_the_prompt_speaks_of_java(bench: Bench) -> None:
    work, model = bench.work(WRITING, SUBMITTING)
    assert write(method("agent"), work).admitted
    rules, task = (message.content for message in model.asked[0])
    assert "in the tree of a Java repository" in rules
    assert "`run-tests FILE [METHOD...]` compiles what you changed" in rules
    assert f"these test files look nearest, best first, but may be wrong: `{TESTS}`" in task
    assert f"A file is run by `run-tests {TESTS}`" in task
    assert "ython" not in rules + task
