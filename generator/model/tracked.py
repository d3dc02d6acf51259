"""A model whose every call is allowed, counted and recorded."""

from __future__ import annotations

import time
from collections.abc import Sequence

from evaluator import FixgateError, InputError
from generator.costs import UNLIMITED, CostTracker
from generator.model.prices import Price
from generator.model.protocol import Message, Model, Parameters, Reply, Tool
from generator.model.retries import until
from generator.trajectory.conversations import Conversations
from generator.trajectory.protocol import Trajectory


class TrackedModel:
    """A model with a cost tracker and a trajectory. Safe to call from several threads.

    A call that a limit forbids is not begun; one that is under way when the time runs out is given
    up. Raises InputError where money is limited and the price is unknown (None): such a limit
    could not be kept.
    """

    def __init__(
        self, model: Model, costs: CostTracker, trajectory: Trajectory, price: Price | None
    ) -> None:
        if price is None and _limits_money(costs):
            raise InputError(
                f"a limit of money cannot be kept: the price of {model.name} is unknown. Give it "
                "with --prices FILE, or limit minutes or calls"
            )
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


def _limits_money(costs: CostTracker | None) -> bool:
    return costs is not None and (costs.budget.usd != UNLIMITED or _limits_money(costs.parent))
