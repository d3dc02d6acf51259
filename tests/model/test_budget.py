"""Limits and accounts: nothing begins past a limit, and everything is counted."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.errors import InputError
from generator.costs import Budget, CostTracker, Spending
from generator.errors import LimitReachedError, ModelRefusedError
from generator.model.prices import Price
from generator.model.protocol import Message, Parameters, Reply, TokenUsage
from generator.model.scripted import ScriptedModel
from generator.model.tracked import TrackedModel

from .conftest import Act, delta, model_at

QUESTION = (Message("user", "what is 6 x 7?"),)
DOLLAR_A_TOKEN = Price(1_000_000, 1_000_000)


class Silent:
    """A trajectory that keeps what it is told."""

    def __init__(self):
        self.told = []

    def message(self, message, extra=None):
        self.told.append((message.role, message.content, extra))

    def note(self, text, extra=None):
        self.told.append(("note", text, extra))


def priced(tokens, *, cached=False):
    return Reply(Message("assistant", "42"), TokenUsage(tokens, 0), cached=cached)


def accounted(script, budget, *, parent=None, price=DOLLAR_A_TOKEN, trajectory=None):
    account = CostTracker(budget, parent=parent)
    model = TrackedModel(ScriptedModel(script), account, trajectory or Silent(), price)
    return model, account


def ask(model, times=1):
    for _ in range(times):
        model.reply(QUESTION, Parameters())


def test_calls_are_limited_exactly():
    model, account = accounted(lambda *_: priced(1), Budget(calls=3))
    ask(model, 3)
    with pytest.raises(LimitReachedError, match="limit of calls for this task is reached: 3"):
        ask(model)
    assert account.spending.calls == 3


def test_calls_are_limited_exactly_for_many_threads():
    model, account = accounted(lambda *_: priced(1), Budget(calls=20))

    def attempt(_):
        try:
            ask(model)
        except LimitReachedError:
            return 0
        return 1

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(attempt, range(100))) == 20
    assert account.spending.calls == 20


def test_no_call_begins_once_the_money_is_used_up():
    model, account = accounted(lambda *_: priced(4), Budget(usd=10))
    ask(model, 3)
    with pytest.raises(LimitReachedError, match=r"limit of money for this task is reached: \$10"):
        ask(model)
    assert account.spending.usd == pytest.approx(12)


def test_no_call_begins_once_the_time_is_used_up():
    model, account = accounted(lambda *_: priced(1), Budget(minutes=0))
    with pytest.raises(LimitReachedError, match="the time for this task is used up"):
        account.check()
    with pytest.raises(LimitReachedError):
        ask(model)
    assert account.spending.calls == 0


def test_a_call_under_way_is_given_up_when_the_time_runs_out(play):
    provider = play(Act(parts=[delta(content="on and "), 0.05] * 400))
    account = CostTracker(Budget(minutes=0.5 / 60))
    model = TrackedModel(model_at(provider.url), account, Silent(), None)
    started = time.monotonic()
    with pytest.raises(LimitReachedError):
        ask(model)
    assert time.monotonic() - started < 10, "the whole reply takes twenty seconds"
    assert account.spending.failed_calls == 1


def test_a_batch_limits_all_its_tasks_together():
    batch = CostTracker(Budget(calls=5), what="all tasks")
    one, first = accounted(lambda *_: priced(1), Budget(calls=3), parent=batch)
    two, second = accounted(lambda *_: priced(1), Budget(), parent=batch)
    ask(one, 3)
    with pytest.raises(LimitReachedError, match="for this task"):
        ask(one)
    ask(two, 2)
    with pytest.raises(LimitReachedError, match="limit of calls for all tasks is reached: 5"):
        ask(two)
    assert [a.spending.calls for a in (batch, first, second)] == [5, 3, 2]


def test_a_refused_call_of_a_task_does_not_count_for_the_batch():
    batch = CostTracker(Budget())
    model, _ = accounted(lambda *_: priced(1), Budget(calls=0), parent=batch)
    with pytest.raises(LimitReachedError):
        ask(model)
    assert batch.spending == Spending()


def test_a_cached_reply_counts_as_a_call_and_costs_nothing():
    model, account = accounted(lambda *_: priced(4, cached=True), Budget(usd=1))
    ask(model, 2)
    assert account.spending.usd == 0
    assert (account.spending.calls, account.spending.cached_calls) == (2, 2)


def test_an_unknown_price_is_said_and_never_nothing():
    model, account = accounted(lambda *_: priced(4), Budget(), price=None)
    ask(model, 2)
    assert account.spending.money == "calls without a known price: 2"
    assert account.spending.statistics()["instance_cost"] is None
    assert account.spending.statistics()["api_calls"] == 2


def test_known_and_unknown_prices_are_told_side_by_side():
    spending = Spending(calls=3, usd=1.5, unpriced_calls=1)
    assert spending.money == "$1.50 and calls without a known price: 1"


@pytest.mark.parametrize("whose", ["task", "batch"])
def test_a_limit_of_money_needs_a_price(whose):
    batch = CostTracker(Budget(usd=1) if whose == "batch" else Budget())
    with pytest.raises(InputError, match=r"the price of scripted is unknown.*--prices"):
        accounted(
            lambda *_: priced(1),
            Budget(usd=1) if whose == "task" else Budget(),
            parent=batch,
            price=None,
        )


def test_what_was_spent_before_counts():
    account = CostTracker(Budget(calls=3), spent=Spending(calls=3))
    with pytest.raises(LimitReachedError):
        account.check()


def test_a_call_that_fails_is_counted_and_told():
    def fails(*_):
        raise ModelRefusedError("no such model")

    trajectory = Silent()
    model, account = accounted(fails, Budget(), trajectory=trajectory)
    with pytest.raises(ModelRefusedError):
        ask(model)
    assert (account.spending.calls, account.spending.failed_calls) == (1, 1)
    assert trajectory.told[-1][:2] == ("note", "no reply: no such model")


def test_the_trajectory_is_told_each_message_once():
    trajectory = Silent()
    model, _ = accounted(["first", "second"], Budget(), trajectory=trajectory)
    first = model.reply(QUESTION, Parameters()).message
    further = Message("user", "and now?")
    model.reply((*QUESTION, first, further), Parameters())
    assert [(role, text) for role, text, _ in trajectory.told] == [
        ("user", "what is 6 x 7?"),
        ("assistant", "first"),
        ("user", "and now?"),
        ("assistant", "second"),
    ]
    reply = trajectory.told[1][2]
    assert reply["cost"] == pytest.approx(reply["usage"]["input_tokens"] + 1)
    assert {extra["conversation"] for *_, extra in trajectory.told} == {1}


def test_samples_of_one_question_are_conversations_of_their_own():
    trajectory = Silent()
    model, _ = accounted(["a", "b"], Budget(), trajectory=trajectory)
    ask(model, 2)
    assert [(role, extra["conversation"]) for role, _, extra in trajectory.told] == [
        ("user", 1),
        ("assistant", 1),
        ("user", 2),
        ("assistant", 2),
    ]


def test_conversations_side_by_side_are_kept_apart():
    trajectory = Silent()
    together = threading.Barrier(8)

    def answer(messages, *_):
        together.wait(timeout=20)
        return f"to {messages[-1].content}"

    model, _ = accounted(answer, Budget(), trajectory=trajectory)

    def converse(number):
        asked: tuple[Message, ...] = (Message("user", f"question {number}"),)
        for turn in range(3):
            reply = model.reply(asked, Parameters()).message
            asked = (*asked, reply, Message("user", f"more {number}.{turn}"))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(converse, range(8)))
    by_conversation: dict[str, list[str]] = {}
    for _, text, extra in trajectory.told:
        by_conversation.setdefault(extra["conversation"], []).append(text)
    assert len(by_conversation) == 8
    for texts in by_conversation.values():
        number = texts[0].removeprefix("question ")
        assert texts == [
            f"question {number}",
            f"to question {number}",
            f"more {number}.0",
            f"to more {number}.0",
            f"more {number}.1",
            f"to more {number}.1",
        ]
