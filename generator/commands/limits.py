"""Limits of money, time and calls as options of commands, and a bar that shows what was spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from evaluator.storage import Row
from generator.costs import UNLIMITED, Budget, CostTracker

Function = TypeVar("Function", bound=Callable[..., Any])


def limit_options(one: str, all_of_them: str) -> Callable[[Function], Function]:
    """Add the options that `limits` reads; the arguments say what is written for."""
    amount, number = click.FloatRange(min=0), click.IntRange(min=0)
    options = (
        click.option("--budget-usd", type=amount, help=f"Money for each {one}."),
        click.option("--budget-minutes", type=amount, help=f"Time for each {one}."),
        click.option("--max-calls", type=number, help=f"Questions to a model, each {one}."),
        click.option("--total-usd", type=amount, help=f"Money for all {all_of_them} together."),
        click.option("--total-minutes", type=amount, help="Time for all together."),
    )

    def add(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def limits(given: dict[str, Any]) -> tuple[Budget, Budget]:
    """The budgets of each piece of work and of all together, taken out of the options."""
    each = _budget(given, "budget_usd", "budget_minutes", "max_calls")
    return each, _budget(given, "total_usd", "total_minutes")


def _budget(given: dict[str, Any], *names: str) -> Budget:
    """The budget that options with these names give: USD, minutes and calls, in this order."""
    return Budget(*(UNLIMITED if (v := given.pop(name)) is None else v for name in names))


@contextmanager
def counting_costs(
    console: Console, total: int, kinds: Iterable[str], kind_of: Callable[[Row], str]
) -> Iterator[Callable[[Row, CostTracker], None]]:
    """A bar over pieces of work; yields what to call with each row that is done."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    counts = dict.fromkeys(kinds, 0)
    with Progress(TextColumn("{task.description}"), *columns, console=console) as bar:
        task = bar.add_task("", total=total)

        def advance(row: Row, costs: CostTracker) -> None:
            counts[kind_of(row)] += 1
            text = ", ".join(f"{number} {kind}" for kind, number in counts.items())
            bar.update(task, advance=1, description=f"{text}, {costs.spending.money}")

        yield advance
