"""Models behind an endpoint, asked for many samples of one prompt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.benchmarks.tests4j.dataset import FocalMethod, RepositorySnapshot
from generator.costs import CostTracker
from generator.errors import ContextTooLongError, LimitReachedError, ModelError
from generator.model.choosing import ChosenModel
from generator.model.protocol import Message, Parameters
from generator.model.tracked import TrackedModel
from generator.prompts import render
from generator.trajectory import NoTrajectory
from generator.unit_tests.checking import ReplyChecker
from generator.unit_tests.code import canonical_name
from generator.unit_tests.prompts import Prompt, PromptBudget, prompt
from generator.unit_tests.run_names import RunName
from generator.unit_tests.writer import UnitTests, WritingEnd

TEMPERATURES = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)


@dataclass(frozen=True)
class Sampling:
    """How samples are drawn; the defaults are the thesis's (section 5.2, p. 32): 32 a method.

    `each` is the number of samples at each temperature, `max_tokens` the length of one.
    """

    temperatures: tuple[float, ...] = TEMPERATURES
    each: int = 4
    top_p: float | None = 0.9
    top_k: int | None = 50
    max_tokens: int = 512

    def parameters(self) -> Iterator[Parameters]:
        """Those of each sample."""
        for temperature in self.temperatures:
            for sample in range(self.each):
                yield Parameters(temperature, self.max_tokens, sample, self.top_p, self.top_k)


@dataclass(frozen=True)
class _Drawn:
    """What replies to one method were drawn from: `parameters` has those of each reply."""

    repository: RepositorySnapshot
    method: FocalMethod
    model: TrackedModel
    messages: Sequence[Message]
    parameters: Sequence[Parameters]


@dataclass(frozen=True)
class Repair:
    """How often a model is asked to mend a reply, and what finds its faults."""

    checker: ReplyChecker
    rounds: int

    def mend(self, drawn: _Drawn, replies: list[str]) -> None:
        """Ask for corrections of the replies that have faults, and put them in their places."""
        said: dict[int, list[Message]] = {}
        for _ in range(self.rounds):
            faults = self.checker.faults(drawn.repository, drawn.method, replies)
            if not faults:
                return
            for number, fault in sorted(faults.items()):
                turns = said.setdefault(number, list(drawn.messages))
                asked = render("unit_test_repair", fate=fault.fate, reason=fault.reason)
                turns += [Message("assistant", replies[number]), Message("user", asked)]
                reply = drawn.model.reply(turns, drawn.parameters[number])
                replies[number] = reply.message.content


@dataclass(frozen=True)
class EndpointWriter:
    """A model with a prompt. `continues` says that it goes on with Java, and is not spoken to.

    With `repair`, replies are compiled and run, and the model is asked to mend what fails.
    """

    model: ChosenModel
    run: RunName
    budget: PromptBudget
    sampling: Sampling = Sampling()
    continues: bool = False
    repair: Repair | None = None

    @property
    def name(self) -> str:
        """The run's name, and the endpoint's name of the model."""
        return f"{self.run}+{self.model.model.name}"

    @property
    def settings(self) -> object:
        """Sampling, how the prompt is made, and how often replies are mended."""
        rounds = self.repair.rounds if self.repair is not None else 0
        return [dataclasses.asdict(self.sampling), self.continues, self.budget.name, rounds]

    def write(
        self, repository: RepositorySnapshot, method: FocalMethod, costs: CostTracker
    ) -> UnitTests:
        """Draw the samples; those that were drawn before a limit or an error are kept."""
        model = TrackedModel(self.model.model, costs, NoTrajectory(), self.model.price)
        messages = self._messages(method)
        replies: list[str] = []
        try:
            for parameters in self.sampling.parameters():
                replies.append(model.reply(messages, parameters).message.content)  # noqa: PERF401
            if self.repair is not None:
                drawn = tuple(self.sampling.parameters())
                self.repair.mend(_Drawn(repository, method, model, messages, drawn), replies)
        except ContextTooLongError as error:
            return UnitTests.nothing(str(error))
        except (ModelError, LimitReachedError) as error:
            return UnitTests(tuple(replies), WritingEnd.INCOMPLETE, str(error))
        return UnitTests(tuple(replies))

    def _messages(self, method: FocalMethod) -> Sequence[Message]:
        shown = prompt(method, self.run.hard, self.budget.fits)
        text = shown.code if self.continues else _question(method, shown)
        return (Message("user", text),)


def _question(method: FocalMethod, shown: Prompt) -> str:
    return render(
        "unit_test",
        method=method.name,
        owner=canonical_name(method.focal_class),
        focal=shown.focal,
        test=f"{shown.test}{shown.indentation}// the test goes here\n{shown.tail}"
        if shown.test
        else "",
    )
