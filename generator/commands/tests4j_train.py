"""`fixgate tests4j train`: tune a language model on the tests of a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from evaluator import default_cache, extra_needed
from generator.commands.training_progress import stage_bar
from generator.tuning.training.settings import (
    RATES,
    TrainingSettings,
    TuningMethod,
    TuningSettings,
    soft_context_of,
)
from generator.unit_tests.prompts import ContextChoice
from generator.unit_tests.run_names import PromptGenerator, SoftContext

_CONTEXTS = click.Choice([each.value for each in ContextChoice], case_sensitive=False)
_GENERATORS = {each.value.lower().replace("_", "-"): each for each in PromptGenerator}
_POSITIVE = click.IntRange(min=1)


@click.command("train")
@click.argument("dataset", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--method",
    type=click.Choice([each.value for each in TuningMethod]),
    required=True,
    help="fine-tuning: all of the model; prefix: keys and values of all layers; prompt: soft "
    "tokens at the input; capt: a prompt generator that makes prefixes of contexts.",
)
@click.option(
    "--model", required=True, help="Directory of a causal language model, or a name on the hub."
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Directory of the run; a run that was cut short goes on from what is there.",
)
@click.option(
    "--hard",
    type=_CONTEXTS,
    help="Context in the prompt: both classes, the test class, the focal class, none "
    "[default: all; none with capt].",
)
@click.option(
    "--prompt-generator",
    type=click.Choice(list(_GENERATORS)),
    default="bert-c",
    show_default=True,
    help="With capt: what makes soft tokens of the context; -c in chunks.",
)
@click.option(
    "--encoder", default="", help="With bert and bert-c: directory or name of an encoder."
)
@click.option(
    "--context",
    type=_CONTEXTS,
    default=ContextChoice.TEST_CLASS.value,
    show_default=True,
    help="With capt: the context that becomes soft tokens.",
)
@click.option("--tokens", type=_POSITIVE, default=10, show_default=True, help="Soft tokens.")
@click.option(
    "--max-sequence",
    type=_POSITIVE,
    default=1850,
    show_default=True,
    help="Tokens of prompt and test together.",
)
@click.option("--epochs", type=_POSITIVE, default=3, show_default=True)
@click.option("--batch", type=_POSITIVE, default=8, show_default=True, help="Pairs in a step.")
@click.option("--max-steps", type=click.IntRange(min=0), default=0, help="0: all epochs.")
@click.option(
    "--rate",
    type=click.FloatRange(min=0, min_open=True),
    help="Learning rate [default: 1e-6 for fine-tuning, else 5e-6].",
)
@click.option(
    "--validation-pairs",
    type=click.IntRange(min=0),
    default=0,
    help="Validate on so many pairs, drawn once; 0: on all.",
)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--precision",
    type=click.Choice(["no", "bf16", "fp16"]),
    default="no",
    show_default=True,
    help="Mixed precision.",
)
@click.option(
    "--gradient-checkpointing",
    is_flag=True,
    help="Keep less in memory, and compute it twice; not with prefixes.",
)
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory for tokens [default: the user's cache].",
)
def train(dataset: Path, out: Path, cache: Path | None, **given: Any) -> None:
    """Tune a language model to write the tests of DATASET, whose splits it must have.

    `accelerate launch "$(which fixgate)" tests4j train ...` uses several devices.
    """
    console = Console(stderr=True)
    with extra_needed("tuning", "a local model"):
        from generator.tuning.data.dataset_file import open_dataset
        from generator.tuning.training.tuning import tune
    settings = _settings(given)
    opened = open_dataset(dataset)
    console.print(Text(f"run: {settings.name}"))
    with stage_bar(console) as bar:
        history = tune(opened, settings, out, (cache or default_cache()) / "tuning", bar.step)
    console.print(Text(f"lowest validation loss: {history.best:.4f}; model and plots: {out}"))


def _settings(given: dict[str, Any]) -> TuningSettings:
    method = TuningMethod(given["method"])
    soft = _soft(given) if method is TuningMethod.CAPT else None
    hard = given["hard"] or (ContextChoice.ALL if soft is None else ContextChoice.NONE)
    return TuningSettings(
        method,
        given["model"],
        _loop(method, given),
        hard=ContextChoice(hard),
        soft=soft,
        encoder=given["encoder"],
        tokens=given["tokens"],
        most=given["max_sequence"],
        validation_pairs=given["validation_pairs"],
    )


def _soft(given: dict[str, Any]) -> SoftContext:
    generator = _GENERATORS[given["prompt_generator"]]
    return soft_context_of(generator, ContextChoice(given["context"]), given["tokens"])


def _loop(method: TuningMethod, given: dict[str, Any]) -> TrainingSettings:
    return TrainingSettings(
        rate=given["rate"] or RATES[method],
        epochs=given["epochs"],
        batch=given["batch"],
        seed=given["seed"],
        most_steps=given["max_steps"],
        precision=given["precision"],
        gradient_checkpointing=given["gradient_checkpointing"],
    )
