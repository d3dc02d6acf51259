"""A small GPT-NeoX from scratch: its tokenizer, its blocks, its training, its directory."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import GPTNeoXConfig, GPTNeoXForCausalLM
from transformers.utils import logging

from evaluator.storage import content_key
from generator.tuning.data.store import PairStore, kept_pairs
from generator.tuning.errors import EmptySplitError, RunMismatchError, SavingFailedError
from generator.tuning.models.tokens import FILE, TextTokenizer
from generator.tuning.models.tuned import FineTunedModel
from generator.tuning.pretraining.blocks import blocks, train_tokenizer, up_to, with_end
from generator.tuning.pretraining.corpus import Corpus
from generator.tuning.saving import save_bytes
from generator.tuning.training import loop
from generator.tuning.training.history import BEST, History
from generator.tuning.training.report import PAGE, write_losses
from generator.tuning.training.settings import TrainingSettings

MODEL, SETTINGS = "model", "pretraining.json"
_TOKENIZER_CHARACTERS = 20_000_000


@dataclass(frozen=True)
class SmallModel:
    """The size of a GPT-NeoX; examples have `block` tokens, and it reads `positions` at most."""

    vocabulary: int = 4096
    hidden: int = 192
    layers: int = 4
    heads: int = 6
    positions: int = 1024
    block: int = 512

    def config(self, end: int) -> GPTNeoXConfig:
        """The configuration, with input and output embeddings shared."""
        return GPTNeoXConfig(
            vocab_size=self.vocabulary,
            hidden_size=self.hidden,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            intermediate_size=4 * self.hidden,
            max_position_embeddings=self.positions,
            tie_word_embeddings=True,
            bos_token_id=end,
            eos_token_id=end,
        )


def pretrain(
    corpus: Corpus,
    size: SmallModel,
    settings: TrainingSettings,
    directory: Path,
    on_step: loop.OnStep = lambda _history, _total: None,
) -> History:
    """Train a model on a corpus, or go on with it; transformers loads `directory / "model"`.

    Raises EmptySplitError for a corpus that is too small, RunMismatchError where the directory
    holds another run, and what training and saving raise.
    """
    _begin(directory, {**asdict(size), **asdict(settings), "places": list(corpus.places)})
    tokenizer = _tokenizer(corpus, size, directory / FILE)
    pairs = loop.TrainingPairs(
        *(_stored(corpus, size, tokenizer, held_out=held_out) for held_out in (False, True))
    )
    torch.manual_seed(settings.seed)
    model = FineTunedModel(GPTNeoXForCausalLM(size.config(tokenizer.end)))
    history = loop.train(model, pairs, settings, directory, on_step)
    model.load_state_dict(load_file(directory / BEST), strict=False)
    save_pretrained(model.language_model, tokenizer, directory / MODEL)
    write_losses(directory / PAGE, "Pretraining", history)
    return history


def _begin(directory: Path, settings: object) -> None:
    path, content = directory / SETTINGS, json.dumps(settings, indent=1).encode()
    if not path.exists():
        save_bytes(path, content)
    elif path.read_bytes() != content:
        raise RunMismatchError(
            f"{directory} holds a run with other settings ({path} lists them): name another "
            "directory with --out"
        )


def _tokenizer(corpus: Corpus, size: SmallModel, path: Path) -> TextTokenizer:
    if path.exists():
        return with_end(Tokenizer.from_file(str(path)))
    made = train_tokenizer(up_to(corpus.texts(), _TOKENIZER_CHARACTERS), size.vocabulary)
    save_bytes(path, made.tokenizer.to_str().encode())
    return made


def _stored(
    corpus: Corpus, size: SmallModel, tokenizer: TextTokenizer, *, held_out: bool
) -> PairStore:
    key = content_key(corpus.key(), tokenizer.digest, size.block, held_out)
    try:
        return kept_pairs(
            corpus.cache / "blocks",
            key,
            lambda: blocks(corpus.texts(), tokenizer, size.block, held_out=held_out),
        )
    except EmptySplitError as error:
        raise EmptySplitError(
            f"the corpus has not even one block of {size.block} tokens"
            f"{' for validation' if held_out else ''}: name more source files"
        ) from error


def save_pretrained(model: GPTNeoXForCausalLM, tokenizer: TextTokenizer, directory: Path) -> None:
    """Write a model as transformers loads it, whole or not at all. Raises SavingFailedError."""
    logging.disable_progress_bar()
    with _replacing(directory) as place:
        model.save_pretrained(place)
        (place / FILE).write_text(tokenizer.tokenizer.to_str(), encoding="utf-8")
        end = tokenizer.tokenizer.id_to_token(tokenizer.end)
        kind = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": end, "pad_token": end}
        (place / "tokenizer_config.json").write_text(json.dumps(kind), encoding="utf-8")


@contextmanager
def _replacing(directory: Path) -> Iterator[Path]:
    """Yields a new directory that becomes `directory` at the end."""
    place = directory.with_name(f".{directory.name}.part")
    shutil.rmtree(place, ignore_errors=True)
    try:
        place.mkdir(parents=True)
        yield place
        shutil.rmtree(directory, ignore_errors=True)
        place.replace(directory)
    except (OSError, RuntimeError) as error:
        raise SavingFailedError(f"{directory} could not be saved: {error}") from error
    finally:
        shutil.rmtree(place, ignore_errors=True)
