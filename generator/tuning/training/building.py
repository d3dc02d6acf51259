"""From settings to a model that can be trained or sampled from."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from evaluator import InputError
from generator.tuning.data.encoding import PairEncoding, SoftEncoding
from generator.tuning.models.loading import LoadedModel, load_encoder, load_language_model
from generator.tuning.models.prompt_generators import ENCODER_WINDOW, ENCODERS
from generator.tuning.models.tuned import (
    ContextTunedModel,
    FineTunedModel,
    TunedModel,
    prefix_tuned,
    prompt_tuned,
)
from generator.tuning.training.settings import TuningMethod, TuningSettings


@dataclass(frozen=True)
class BuiltModel:
    """A model as settings describe it, before it was trained, and how pairs are encoded for it."""

    base: LoadedModel
    tuned: TunedModel
    encoding: PairEncoding


def build_model(settings: TuningSettings) -> BuiltModel:
    """Load and put together what settings name, the same at each call with one seed.

    Raises ModelFilesError, TokenizerMismatchError, PositionsExceededError, InputError.
    """
    base = load_language_model(settings.model)
    base.check_room(settings.most, settings.soft_tokens)
    encoder = _encoder(settings)
    torch.manual_seed(settings.loop.seed)
    tuned = _tuned(settings, base, encoder)
    if settings.loop.gradient_checkpointing:
        _checkpoint(settings, base)
    return BuiltModel(base, tuned, _encoding(settings, base, encoder))


def _encoder(settings: TuningSettings) -> LoadedModel | None:
    if settings.soft is None or settings.soft.generator not in ENCODERS:
        return None
    if settings.soft.length > ENCODER_WINDOW:
        raise InputError(f"{settings.soft.generator}: --tokens may be {ENCODER_WINDOW} at most")
    if not settings.encoder:
        raise InputError(f"{settings.soft.generator} needs an encoder: name one with --encoder")
    return load_encoder(settings.encoder)


def _tuned(settings: TuningSettings, base: LoadedModel, encoder: LoadedModel | None) -> TunedModel:
    if settings.soft is not None:
        inner = None if encoder is None else encoder.model
        soft = settings.soft
        return ContextTunedModel(base.model, soft.generator, soft.length, inner)
    if settings.method is TuningMethod.FINE_TUNING:
        return FineTunedModel(base.model)
    make = prefix_tuned if settings.method is TuningMethod.PREFIX else prompt_tuned
    return make(base.model, settings.tokens)


def _checkpoint(settings: TuningSettings, base: LoadedModel) -> None:
    # Layers that are computed twice are not given the prefix: transformers takes caches from them.
    if settings.method in (TuningMethod.PREFIX, TuningMethod.CAPT):
        raise InputError(
            f"--gradient-checkpointing does not go with --method {settings.method}: leave it out"
        )
    base.model.gradient_checkpointing_enable()


def _encoding(
    settings: TuningSettings, base: LoadedModel, encoder: LoadedModel | None
) -> PairEncoding:
    soft = None
    if settings.soft is not None:
        reader = base if encoder is None else encoder
        most = settings.most_context if encoder is None else _window(encoder)
        soft = SoftEncoding(settings.soft.context, reader.tokenizer, most)
    return PairEncoding(base.tokenizer, settings.hard, settings.most, soft)


def _window(encoder: LoadedModel) -> int:
    # RoBERTa counts positions from behind that of padding.
    offset = encoder.model.config.pad_token_id or 0
    shifted = encoder.model.config.model_type in ("roberta", "xlm-roberta", "camembert")
    return min(ENCODER_WINDOW, encoder.positions - (offset + 1 if shifted else 0))
