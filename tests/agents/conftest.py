from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evaluator.demo.sample import git, lay_sample, patch
from evaluator.errors import FixgateError
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import MEBIBYTE, ResourceLimits, Sandbox
from evaluator.workspace import Workspace, WorkspaceSettings
from generator.errors import LimitReachedError
from generator.method import MethodContext, MethodSettings
from generator.model.protocol import Message, Parameters, Reply, Tool, ToolCall
from generator.model.scripted import ScriptedModel
from generator.task import Task, TestRunner, local_task

Turn = str | Message | Reply | FixgateError

LIMITS = ResourceLimits(wall_seconds=120, memory_bytes=1024 * MEBIBYTE, disk_bytes=64 * MEBIBYTE)


class Scripted(ScriptedModel):
    """Plays its turns whatever it is asked, errors too; at their end a limit is reached."""

    def __init__(self, turns: Sequence[Turn], *, calls_tools: bool = False) -> None:
        super().__init__(self._next, calls_tools=calls_tools)
        self.turns = turns
        self.asked: list[list[Message]] = []
        self.offered: list[tuple[Tool, ...]] = []
        self.parameters: list[Parameters] = []

    def _next(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
    ) -> str | Message | Reply:
        number = len(self.asked)
        self.asked.append(list(messages))
        self.offered.append(tuple(tools))
        self.parameters.append(parameters)
        if number >= len(self.turns):
            raise LimitReachedError("the script is at its end")
        turn = self.turns[number]
        if isinstance(turn, FixgateError):
            raise turn
        return turn

    def told(self, number: int = -1) -> str:
        """The last message that the model was given when it was asked for its Nth reply."""
        return self.asked[number][-1].content


@dataclass
class Notes:
    """A trajectory in memory."""

    notes: list[str] = field(default_factory=list)

    def message(self, message: Message, extra: Mapping[str, object] | None = None) -> None:
        pass

    def note(self, text: str, extra: Mapping[str, object] | None = None) -> None:
        self.notes.append(text)


def block(script: str) -> str:
    return f"Next step.\n\n```bash\n{script}\n```\n"


def call(*scripts: str) -> Message:
    calls = tuple(
        ToolCall(f"call-{number}", "bash", json.dumps({"command": script}))
        for number, script in enumerate(scripts)
    )
    return Message("assistant", "Next step.", tool_calls=calls)


def as_tools(turns: Iterable[str]) -> list[Message]:
    """The same conversation by tool calls."""
    return [call(turn.partition("```bash\n")[2].partition("```")[0]) for turn in turns]


ISSUES = {
    "roman": "to_roman writes too many letters\n\nThe numeral for 4 comes out of to_roman as IIII. "
    "The same goes for 9, 40 and other numbers in which a smaller letter stands before a larger "
    "one: IV, IX, XL are right."
}
"""In words that no method without a model can replay."""


@dataclass
class Bench:
    """A workspace over the sample repository."""

    workspace: Workspace
    repository: Path

    def task(self, bug: str) -> Task:
        revision = git(self.repository, "rev-parse", "HEAD").strip()
        return local_task(
            self.workspace,
            self.repository,
            revision,
            ISSUES.get(bug) or patch(f"instances/{bug}.issue.md"),
        )

    def work(
        self,
        turns: Sequence[Turn] | None,
        *,
        bug: str = "roman",
        tools: bool = False,
        settings: MethodSettings | None = None,
    ) -> MethodContext:
        """What a method works with; without turns, there is no model."""
        task = self.task(bug)
        model = None if turns is None else Scripted(turns, calls_tools=tools)
        runner = TestRunner(self.workspace, task.subject)
        return MethodContext(task, runner, settings or MethodSettings(), Notes(), model)


def bench(directory: Path, sandbox: Sandbox) -> Bench:
    lay_sample(directory / "sample")
    repository = directory / "sample" / "repository"
    settings = WorkspaceSettings(
        repositories=(str(repository / ".git"),),
        cache=directory / "cache",
        limits=LIMITS,
        offline=True,
        side_by_side=False,
    )
    return Bench(Workspace(settings, sandbox), repository)


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return bench(tmp_path_factory.mktemp("agents"), choose_sandbox("process"))


@pytest.fixture(scope="session")
def walled(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """The same behind bubblewrap, for models that do harm."""
    return bench(tmp_path_factory.mktemp("walled"), choose_sandbox("bubblewrap"))


def model_of(work: MethodContext) -> Scripted:
    assert isinstance(work.model, Scripted)
    return work.model


def notes_of(work: MethodContext) -> str:
    assert isinstance(work.trajectory, Notes)
    return "\n".join(work.trajectory.notes)


TEST_OF_FOUR = """\
cat >> tests/test_roman.py <<'EOF'

    def test_four(self):
        self.assertEqual(to_roman(4), "IV")
EOF
"""
