"""`fixgate tests4j pretrain`: a small language model and its tokenizer from source files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import default_cache, extra_needed
from generator.commands.training_progress import stage_bar
from generator.tuning.training.settings import TrainingSettings

_POSITIVE = click.IntRange(min=1)


@click.command("pretrain")
@click.argument("places", nargs=-1, required=True)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the run, the model in `model`; a run that was cut short goes on.",
)
@click.option("--suffix", default=".java", show_default=True, help="How names of files end.")
@click.option("--vocabulary", type=click.IntRange(min=257), default=4096, show_default=True)
@click.option("--hidden", type=_POSITIVE, default=192, show_default=True, help="Width.")
@click.option("--layers", type=_POSITIVE, default=4, show_default=True)
@click.option("--heads", type=_POSITIVE, default=6, show_default=True)
@click.option("--positions", type=_POSITIVE, default=1024, show_default=True, help="Most tokens.")
@click.option("--block", type=_POSITIVE, default=512, show_default=True, help="Of an example.")
@click.option("--batch", type=_POSITIVE, default=8, show_default=True, help="Blocks in a step.")
@click.option("--epochs", type=_POSITIVE, default=1, show_default=True)
@click.option("--max-steps", type=click.IntRange(min=0), default=0, help="0: all epochs.")
@click.option(
    "--rate", type=click.FloatRange(min=0, min_open=True), default=1e-3, show_default=True
)
@click.option("--validations", type=_POSITIVE, default=4, show_default=True, help="An epoch.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--precision",
    type=click.Choice(["no", "bf16", "fp16"]),
    default="no",
    show_default=True,
    help="Mixed precision.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for tokens [default: the user's cache].",
)
def pretrain(places: tuple[str, ...], out: Path, cache: Path | None, **given: Any) -> None:
    """Train a GPT-NeoX and a BPE tokenizer from scratch on the source files in PLACES.

    A place is a directory, or a git repository as PATH@REVISION. Leave out what is tested on.
    """
    console = Console(stderr=True)
    with extra_needed("tuning", "a local model"):
        from generator.tuning.pretraining import pretraining as scratch
        from generator.tuning.pretraining.corpus import Corpus
    names = ("vocabulary", "hidden", "layers", "heads", "positions", "block")
    corpus = Corpus(places, (cache or default_cache()) / "tuning", given["suffix"])
    size = scratch.SmallModel(**{name: given[name] for name in names})
    with stage_bar(console) as bar:
        history = scratch.pretrain(corpus, size, _loop(given), out, bar.step)
    console.print(Text(f"validation loss: {history.best:.4f}; model: {out / scratch.MODEL}"))


def _loop(given: dict[str, Any]) -> TrainingSettings:
    return TrainingSettings(
        rate=given["rate"],
        epochs=given["epochs"],
        batch=given["batch"],
        seed=given["seed"],
        validations=given["validations"],
        most_steps=given["max_steps"],
        weight_decay=0.1,
        warm_up=0.05,
        decays=True,
        precision=given["precision"],
    )
