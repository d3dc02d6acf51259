from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from evaluator.demo.sample import commit, lay_sample, patch
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.workspace import Workspace, WorkspaceSettings
from generator.errors import LimitReachedError, ModelError
from generator.method import MethodContext, MethodSettings
from generator.methods import method
from generator.model.protocol import Message, Parameters, Tool
from generator.model.scripted import Line, ScriptedModel
from generator.task import TestRunner, local_task
from generator.writer import Submit, Written, write

TABLES = "\n".join(["def table():", *(f"    name_{n} = 'value {n}'" for n in range(5_000))])


@dataclass
class Asked:
    """What a model was asked, question by question, and how it was to answer."""

    messages: list[list[Message]] = field(default_factory=list)
    parameters: list[Parameters] = field(default_factory=list)

    @property
    def questions(self) -> list[str]:
        return [messages[-1].content for messages in self.messages]

    @property
    def everything(self) -> str:
        return "\n".join(message.content for asked in self.messages for message in asked)


class Notes:
    def message(self, message: Message, extra: Mapping[str, object] | None = None) -> None:
        pass

    def note(self, text: str, extra: Mapping[str, object] | None = None) -> None:
        pass


@dataclass(frozen=True)
class Sample:
    """The sample repository, and methods that write tests for one of its bugs."""

    workspace: Workspace
    repository: Path

    def work(
        self,
        bug: str,
        replies: Sequence[Line | ModelError],
        asked: Asked,
        settings: MethodSettings,
    ) -> MethodContext:
        task = local_task(
            self.workspace, self.repository, "HEAD", patch(f"instances/{bug}.issue.md")
        )
        remaining = iter(replies)

        def answer(
            messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool]
        ) -> Line:
            asked.messages.append(list(messages))
            asked.parameters.append(parameters)
            try:
                line = next(remaining)
            except StopIteration:
                raise LimitReachedError("the script is at its end") from None
            if isinstance(line, ModelError):
                raise line
            return line

        bench = TestRunner(self.workspace, task.subject)
        return MethodContext(task, bench, settings, Notes(), ScriptedModel(answer))

    def write(
        self,
        name: str,
        bug: str,
        replies: Sequence[Line | ModelError],
        settings: MethodSettings = MethodSettings(),  # noqa: B008 - it is frozen
        submit: Submit = Submit.ADMITTED,
    ) -> tuple[Written, Asked]:
        """What a method makes of a bug with a model that gives these replies, one by one."""
        asked = Asked()
        work = self.work(bug, replies, asked, settings)
        return write(method(name), work, submit), asked


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    directory = tmp_path_factory.mktemp("methods")
    lay_sample(directory / "sample")
    repository = directory / "sample" / "repository"
    (repository / "wordtools" / "link.py").symlink_to("shorten.py")
    (repository / "wordtools" / "tables.py").write_text(TABLES)
    commit(repository, "A link, and a file that no prompt can hold")
    settings = WorkspaceSettings(
        repositories=(str(repository / ".git"),),
        cache=directory / "cache",
        limits=ResourceLimits(wall_seconds=60),
        offline=True,
        side_by_side=False,
    )
    return Sample(Workspace(settings, choose_sandbox("process")), repository)


def fenced(text: str, language: str = "diff") -> str:
    return f"The tests:\n\n```{language}\n{text}```\n"
