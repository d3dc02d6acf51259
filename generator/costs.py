"""Limits of money, time and calls, and the accounts that are kept against them."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.errors import LimitReachedError
from generator.model.protocol import TokenUsage

UNLIMITED = math.inf


@dataclass(frozen=True)
class Budget:
    """What may be used up: USD, minutes of wall-clock time, calls to models."""

    usd: float = UNLIMITED
    minutes: float = UNLIMITED
    calls: float = UNLIMITED


@dataclass(frozen=True)
class Spending:
    """What was used up.

    `calls` are all questions that were begun, `cached_calls` those among them that were answered
    from a cache and cost nothing, `failed_calls` those that brought no reply. `usd` is the money
    of the calls whose price is known; `unpriced_calls` are the others.
    """

    calls: int = 0
    cached_calls: int = 0
    failed_calls: int = 0
    unpriced_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    model_seconds: float = 0.0

    @property
    def money(self) -> str:
        """The money in words, which say what is not known."""
        if not self.unpriced_calls:
            return f"${self.usd:.2f}"
        unknown = f"calls without a known price: {self.unpriced_calls}"
        return f"${self.usd:.2f} and {unknown}" if self.usd else unknown

    def statistics(self) -> dict[str, Any]:
        """As mini-swe-agent's `model_stats`; `instance_cost` is null where it is not known."""
        cost = None if self.unpriced_calls else round(self.usd, 6)
        fields = dataclasses.asdict(self)
        return {"instance_cost": cost, "api_calls": fields.pop("calls"), **fields}

    def columns(self) -> dict[str, Any]:
        """As rows of predictions hold it; `cost_usd` is null where it is not known."""
        return {
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": self.statistics()["instance_cost"],
        }

    @staticmethod
    def of_columns(row: Mapping[str, Any]) -> Spending:
        """What `columns` tell; whose cost is not known counts as calls without a price."""
        cost = row["cost_usd"]
        return Spending(
            calls=row["calls"],
            unpriced_calls=row["calls"] if cost is None else 0,
            input_tokens=row["input_tokens"],
            output_tokens=row["output_tokens"],
            usd=cost or 0.0,
        )


class CostTracker:
    """Counts what is used up and refuses what a budget forbids. Safe for several threads.

    An account may have a parent, that of a whole batch: what is used counts for both, and either
    may refuse. Time runs from the making of the account on. `spent` is what was used up before.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        parent: CostTracker | None = None,
        spent: Spending | None = None,
        what: str = "this task",
    ) -> None:
        self.budget = budget
        self.parent = parent
        self._what = what
        self._spending = spent or Spending()
        self._lock = threading.Lock()
        self.deadline = time.monotonic() + 60 * budget.minutes
        if parent is not None:
            self.deadline = min(self.deadline, parent.deadline)

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """Its own, and those of its parents."""
        return (self.budget, *(self.parent.budgets if self.parent is not None else ()))

    @property
    def spending(self) -> Spending:
        """What was used up until now."""
        with self._lock:
            return self._spending

    def check(self) -> None:
        """Raise LimitReachedError if a limit is used up, here or in a parent."""
        if self.parent is not None:
            self.parent.check()
        with self._lock:
            self._refuse()

    @property
    def allows_more(self) -> bool:
        """Whether no limit is used up, here or in a parent."""
        try:
            self.check()
        except LimitReachedError:
            return False
        return True

    def begin_call(self) -> None:
        """Count a call that is about to begin, in one step with making sure that it may.

        Raises LimitReachedError, and counts nothing then.
        """
        if self.parent is not None:
            self.parent.begin_call()
        try:
            with self._lock:
                self._refuse()
                self._change(calls=1)
        except LimitReachedError:
            if self.parent is not None:
                self.parent._everywhere(calls=-1)
            raise

    def end_call(
        self, usage: TokenUsage, usd: float | None, seconds: float, *, cached: bool
    ) -> None:
        """Count what a call used; `usd` of None is a price that is not known."""
        self._everywhere(
            cached_calls=int(cached),
            unpriced_calls=int(usd is None),
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            usd=usd or 0.0,
            model_seconds=seconds,
        )

    def fail_call(self, seconds: float) -> None:
        """Count a call that brought no reply."""
        self._everywhere(failed_calls=1, model_seconds=seconds)

    def count(self, spending: Spending) -> None:
        """Count what was used up elsewhere."""
        self._everywhere(**dataclasses.asdict(spending))

    def _everywhere(self, **amounts: float) -> None:
        if self.parent is not None:
            self.parent._everywhere(**amounts)
        with self._lock:
            self._change(**amounts)

    def _change(self, **amounts: float) -> None:
        spent = dataclasses.asdict(self._spending)
        changed = {name: spent[name] + amount for name, amount in amounts.items()}
        self._spending = dataclasses.replace(self._spending, **changed)

    def _refuse(self) -> None:
        if self._spending.calls >= self.budget.calls:
            raise LimitReachedError(
                f"the limit of calls for {self._what} is reached: {self.budget.calls:g}"
            )
        if self._spending.usd >= self.budget.usd:
            raise LimitReachedError(
                f"the limit of money for {self._what} is reached: ${self.budget.usd:g}"
            )
        if time.monotonic() >= self.deadline:
            raise LimitReachedError(f"the time for {self._what} is used up")
