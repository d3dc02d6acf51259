"""What a run leaves for people: plots of its losses, TensorBoard's events, a model card."""

from __future__ import annotations

from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

from evaluator.report.figures import FigureTable, write_figures
from evaluator.report.lines import line_plot
from generator.tuning.saving import save_bytes, writing_to
from generator.tuning.training.history import History
from generator.tuning.training.settings import TuningSettings

PAGE, CARD, EVENTS = "losses.html", "README.md", "events"
_CARD = """---
tags: [tests4j, unit-tests, java]
---

# {name}

Writes unit tests for Java methods. Trained by `fixgate tests4j train`; sampled from by
`fixgate tests4j generate --method local --model DIRECTORY`.

| | |
| --- | --- |
{facts}

`run.json` holds all settings, `losses.json` all losses, `best.safetensors` the parameters that were
trained, as they were at the lowest validation loss. The base model's licence and limits hold for
this model too. What it writes is to be compiled, run and read before it is believed.
"""
_MARKS = 200
"""Places of a curve: losses of more steps are averaged."""


def write_run_report(
    directory: Path, settings: TuningSettings, history: History, pairs: int
) -> None:
    """Write the page, the card, and the events for TensorBoard. Raises SavingFailedError."""
    name = str(settings.name)
    write_losses(directory / PAGE, name, history)
    save_bytes(directory / CARD, _card(settings, history, pairs).encode())
    write_events(directory / EVENTS, history)


def _card(settings: TuningSettings, history: History, pairs: int) -> str:
    loop, soft = settings.loop, settings.soft
    steered = "nothing" if soft is None else f"{soft.context} by {soft.generator}"
    facts = {
        "Base model": settings.model,
        "Encoder": settings.encoder or "none",
        "Method": settings.method.value,
        "Context in the prompt": settings.hard.value,
        "Context as soft tokens": steered,
        "Soft tokens": settings.soft_tokens,
        "Longest prompt and test": f"{settings.most} tokens",
        "Data": f"{pairs} pairs of a method and a test, {loop.epochs} epochs",
        "Optimizer": f"AdamW, rate {loop.rate:g}, weight decay {loop.weight_decay:g}",
        "Batch, seed": f"{loop.batch}, {loop.seed}",
        "Steps": history.steps,
        "Lowest validation loss": f"{history.best:.4f} nats a token",
    }
    lines = "\n".join(f"| {name} | {value} |" for name, value in facts.items())
    return _CARD.format(name=settings.name, facts=lines)


def write_losses(path: Path, name: str, history: History) -> None:
    """Write a page with the losses of training and validation by steps.

    Raises SavingFailedError.
    """
    plot = line_plot(
        "Losses",
        "Nats a token; training losses are means of neighbouring steps.",
        {"training": _smoothed(history.losses), "validation": history.validations},
    )
    rows = tuple((f"{step}", f"{loss:.4f}") for step, loss in history.validations)
    table = FigureTable("Validation", "Loss in nats a token.", ("step", "loss"), rows)
    with writing_to(path):
        write_figures(path, name, f"{history.steps} steps", [table], lines=[plot])


def _smoothed(losses: list[float]) -> list[tuple[float, float]]:
    size = max(1, -(-len(losses) // _MARKS))
    parts = [losses[start : start + size] for start in range(0, len(losses), size)]
    return [(number * size + len(p) / 2, sum(p) / len(p)) for number, p in enumerate(parts)]


def write_events(directory: Path, history: History) -> None:
    """Write all losses anew as TensorBoard reads them. Raises SavingFailedError."""
    for old in directory.glob("events.*"):
        old.unlink()
    with writing_to(directory), SummaryWriter(str(directory)) as writer:
        for step, loss in enumerate(history.losses, start=1):
            writer.add_scalar("loss/training", loss, step)
        for step, loss in history.validations:
            writer.add_scalar("loss/validation", loss, step)
