"""A tokenizer of texts, and the texts as blocks of tokens that a model is trained on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from generator.tuning.data.encoding import EncodedPair
from generator.tuning.errors import ModelFilesError
from generator.tuning.models.tokens import TextTokenizer

END = "<|endoftext|>"
_HELD_OUT = 50
"""One text of so many is for validation."""


def train_tokenizer(texts: Iterable[str], size: int) -> TextTokenizer:
    """A byte-level BPE tokenizer with at most `size` tokens, as GPT-2 and GPT-NeoX use."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=[END], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return with_end(tokenizer)


def with_end(tokenizer: Tokenizer) -> TextTokenizer:
    """A tokenizer as `train_tokenizer` made it. Raises ModelFilesError for any other."""
    end = tokenizer.token_to_id(END)
    if end is None:
        raise ModelFilesError(f"the tokenizer has no token {END}: remove it to train it again")
    return TextTokenizer.of(tokenizer, end)


def up_to(texts: Iterable[str], characters: int) -> Iterator[str]:
    """The first texts, of so many characters together."""
    for text in texts:
        yield text
        characters -= len(text)
        if characters <= 0:
            return


def blocks(
    texts: Iterable[str], tokenizer: TextTokenizer, size: int, *, held_out: bool
) -> Iterator[EncodedPair]:
    """The texts one behind the other, cut into blocks of `size` tokens; the rest is left out.

    With `held_out` those for validation, else the others: which they are depends on each text.
    """
    tokens: list[int] = []
    for text in texts:
        if _is_held_out(text) == held_out:
            tokens += [*tokenizer.encode(text), tokenizer.end]
        while len(tokens) >= size:
            yield EncodedPair((), tokens[:size])
            tokens = tokens[size:]


def _is_held_out(text: str) -> bool:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") % _HELD_OUT == 0
