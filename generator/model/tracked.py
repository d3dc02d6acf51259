"""A model whose every call is allowed, counted and recorded."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Iterable, Sequence
from typing import Any

from evaluator import FixgateError, InputError
from generator.costs import UNLIMITED, Budget, CostTracker
from generator.model.prices import Price
from generator.model.protocol import Message, Model, Parameters, Reply, Tool
from generator.model.retries import until
from generator.trajectory import Trajectory


class Conversations:
    """Finds the conversation that a request continues, and writes what was not written yet.

    A request goes on with the longest conversation that it starts with; else it begins a new one.
    Each message's extra holds the number of its conversation. Safe for several threads.
    """

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._lock = threading.Lock()
        self._resting: dict[int, tuple[Message, ...]] = {}
        self._begun = 0

    def asked(self, messages: Sequence[Message]) -> OpenRequest:
        """Record a request; its reply goes to the turn that is returned."""
        with self._lock:
            number, written = self._continued(tuple(messages))
        for message in messages[written:]:
            self._trajectory.message(message, {"conversation": number})
        return OpenRequest(self, self._trajectory, number, tuple(messages))

    def rest(self, number: int, messages: tuple[Message, ...]) -> None:
        """Note that a conversation may be gone on with from here."""
        with self._lock:
            self._resting[number] = messages

    def _continued(self, messages: tuple[Message, ...]) -> tuple[int, int]:
        """The number of the conversation, and how many of the messages are written already."""
        fitting = [n for n, known in self._resting.items() if messages[: len(known)] == known]
        if fitting:
            number = max(fitting, key=lambda n: len(self._resting[n]))
            return number, len(self._resting.pop(number))
        self._begun += 1
        return self._begun, 0


@dataclasses.dataclass(frozen=True)
class OpenRequest:
    """A request that waits for its reply."""

    conversations: Conversations
    trajectory: Trajectory
    number: int
    messages: tuple[Message, ...]

    def answered(self, reply: Reply, *, cost: float | None, seconds: float) -> None:
        """Record the reply with what it took; `cost` is in USD, None where it is unknown."""
        extra: dict[str, Any] = {
            "conversation": self.number,
            "cost": cost,
            "seconds": round(seconds, 3),
            "finish_reason": reply.finish_reason,
            "cached": reply.cached,
            "usage": dataclasses.asdict(reply.usage),
        }
        self.trajectory.message(reply.message, extra)
        self.conversations.rest(self.number, (*self.messages, reply.message))

    def failed(self, reason: str) -> None:
        """Record that no reply came, and why; the same may be asked again."""
        self.trajectory.note(f"no reply: {reason}", {"conversation": self.number})
        self.conversations.rest(self.number, self.messages)


class TrackedModel:
    """A model with a cost tracker and a trajectory. Safe to call from several threads.

    A call that a limit forbids is not begun; one that is under way when the time runs out is given
    up. Raises InputError where money is limited and the price is unknown (None): such a limit
    could not be kept.
    """

    def __init__(
        self, model: Model, costs: CostTracker, trajectory: Trajectory, price: Price | None
    ) -> None:
        check_price(model.name, price, costs.budgets)
        self.name = model.name
        self.calls_tools = model.calls_tools
        self._model = model
        self._costs = costs
        self._price = price
        self._conversations = Conversations(trajectory)

    def reply(
        self, messages: Sequence[Message], parameters: Parameters, tools: Sequence[Tool] = ()
    ) -> Reply:
        """Ask once; raises LimitReachedError before anything is sent, and what the model raises."""
        self._costs.begin_call()
        turn = self._conversations.asked(messages)
        started = time.monotonic()
        try:
            with until(self._costs.deadline):
                reply = self._model.reply(messages, parameters, tools)
        except FixgateError as error:
            self._costs.fail_call(time.monotonic() - started)
            turn.failed(str(error))
            raise
        cost, seconds = self._cost(reply), time.monotonic() - started
        self._costs.end_call(reply.usage, cost, seconds, cached=reply.cached)
        turn.answered(reply, cost=cost, seconds=seconds)
        return reply

    def _cost(self, reply: Reply) -> float | None:
        if reply.cached:
            return 0.0
        return None if self._price is None else self._price.of(reply.usage)


def check_price(model: str, price: Price | None, budgets: Iterable[Budget]) -> None:
    """Raise InputError where money is limited, and what a model costs is not known."""
    if price is None and any(budget.usd != UNLIMITED for budget in budgets):
        raise InputError(
            f"a limit of money cannot be kept: the price of {model} is unknown. Give it "
            "with --prices FILE, or limit minutes or calls"
        )
