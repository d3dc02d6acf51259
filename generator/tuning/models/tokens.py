"""The tokenizer of a model: texts to tokens and back, and the token that ends a text."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.tuning.errors import ModelFilesError, TokenizerMismatchError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FILE = "tokenizer.json"


@dataclass(frozen=True)
class TextTokenizer:
    """A tokenizer of the library `tokenizers`; `digest` is the SHA-256 of what it is made of."""

    tokenizer: Tokenizer
    end: int
    digest: str

    @staticmethod
    def of(tokenizer: Tokenizer, end: int) -> TextTokenizer:
        """The tokenizer with `end` as the token that ends a text."""
        content = f"{end}{tokenizer.to_str()}".encode()
        return TextTokenizer(tokenizer, end, hashlib.sha256(content).hexdigest())

    @property
    def size(self) -> int:
        """One more than the highest token."""
        return 1 + max(self.tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)

    def encode(self, text: str) -> Sequence[int]:
        """The tokens of a text, special ones left out."""
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens, without special ones."""
        text: str = self.tokenizer.decode(list(tokens), skip_special_tokens=True)
        return text

    def check_fits(self, rows: int, model: str) -> None:
        """Raises TokenizerMismatchError for a model with fewer embeddings than there are tokens."""
        if self.size > rows:
            raise TokenizerMismatchError(
                f"the tokenizer of {model} has tokens up to {self.size - 1}, and the model "
                f"embeddings for {rows}: they do not belong together; take the {FILE} that the "
                "model was trained with"
            )


def read_tokenizer_of(directory: Path, end: int | None) -> TextTokenizer:
    """The tokenizer of a model's directory. Raises ModelFilesError."""
    from tokenizers import Tokenizer

    path = directory / FILE
    if not path.is_file():
        raise ModelFilesError(f"{directory} has no {FILE}: copy the model's tokenizer there")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # what the library raises has no type of its own
        raise ModelFilesError(f"{path} is no tokenizer: {error}") from error
    if end is None:
        raise ModelFilesError(
            f"{directory / 'config.json'} names no eos_token_id: add the token that ends a text"
        )
    return TextTokenizer.of(tokenizer, end)
