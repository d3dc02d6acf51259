"""Models of a directory or a name, with their tokenizers, checked before anything is computed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from generator.tuning.errors import ModelFilesError, PositionsExceededError
from generator.tuning.models.tokens import TextTokenizer, read_tokenizer_of

_WEIGHTS = ("*.safetensors", "*.bin", "*.index.json")
_NO_LIMIT = 1 << 30
_POOLING = "pooler"


@dataclass(frozen=True)
class LoadedModel:
    """A model of transformers with its tokenizer; `place` is what it was loaded from."""

    place: str
    model: Any
    tokenizer: TextTokenizer

    @property
    def name(self) -> str:
        """The last part of its place."""
        return Path(self.place).name

    @property
    def digest(self) -> str:
        """What stands for the configuration, the tokenizer and a few of the weights in keys."""
        found = hashlib.sha256(self.tokenizer.digest.encode())
        found.update(self.model.config.to_json_string().encode())
        for tensor in self.model.parameters():
            found.update(tensor.detach().flatten()[:16].float().cpu().numpy().tobytes())
        return found.hexdigest()

    @property
    def positions(self) -> int:
        """How many tokens the model can read, soft ones included."""
        limit: int | None = getattr(self.model.config, "max_position_embeddings", None)
        return _NO_LIMIT if limit is None else limit

    def check_room(self, tokens: int, soft: int) -> None:
        """Raises PositionsExceededError where so many tokens and soft ones do not fit."""
        if tokens + soft > self.positions:
            raise PositionsExceededError(
                f"{tokens} tokens and {soft} soft ones do not fit into the {self.positions} "
                f"positions of {self.place}: lower --max-sequence to {self.positions - soft}"
            )


def load_language_model(place: str) -> LoadedModel:
    """A causal language model. Raises ModelFilesError, TokenizerMismatchError."""
    return _load(place, AutoModelForCausalLM)


def load_encoder(place: str) -> LoadedModel:
    """An encoder, such as CodeBERT. Raises ModelFilesError, TokenizerMismatchError."""
    loaded = _load(place, AutoModel)
    if hasattr(loaded.model, _POOLING):
        # Only states of tokens are used: what nothing depends on must not be trained.
        setattr(loaded.model, _POOLING, None)
    return loaded


def _load(place: str, kind: Any) -> LoadedModel:
    _check_files(place)
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        model, report = kind.from_pretrained(place, dtype=torch.float32, output_loading_info=True)
    except Exception as error:  # files of strangers break in any way, each with its own error
        raise ModelFilesError(f"{place} cannot be loaded as a model: {error}") from error
    _check_complete(place, report["missing_keys"])
    tokenizer = _tokenizer(place, model.config)
    tokenizer.check_fits(model.get_input_embeddings().weight.shape[0], place)
    return LoadedModel(place, model, tokenizer)


def _check_files(place: str) -> None:
    directory = Path(place)
    if not directory.exists():
        return
    if not (directory / "config.json").is_file():
        raise ModelFilesError(f"{place} has no config.json: name the directory of a model")
    if not any(found for pattern in _WEIGHTS for found in directory.glob(pattern)):
        raise ModelFilesError(
            f"{place} has no weights (*.safetensors or *.bin): download or copy all of the model"
        )


def _check_complete(place: str, missing: Iterable[str]) -> None:
    """Raises ModelFilesError where weights are absent, which transformers draws at random."""
    absent = sorted(name for name in missing if not name.startswith(f"{_POOLING}."))
    if absent:
        names = ", ".join(absent[:3])
        raise ModelFilesError(f"{place} lacks {len(absent)} of its weights, such as {names}")


def _tokenizer(place: str, config: Any) -> TextTokenizer:
    ends = config.eos_token_id
    end = ends[0] if isinstance(ends, list) else ends
    if Path(place).is_dir():
        return read_tokenizer_of(Path(place), end)
    found = AutoTokenizer.from_pretrained(place)
    return TextTokenizer.of(found.backend_tokenizer, found.eos_token_id if end is None else end)
