"""Counts tokens as a language model does, by its `tokenizer.json`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evaluator.errors import InputError, extra_needed

if TYPE_CHECKING:
    from tokenizers import Tokenizer


@dataclass(frozen=True)
class TokenCounter:
    """A tokenizer, and the SHA-256 of its file, which stands for it in results."""

    tokenizer: Tokenizer
    digest: str

    def __call__(self, text: str) -> int:
        """How many tokens a text has, special ones left out."""
        return len(self.tokenizer.encode(text, add_special_tokens=False).ids)


def read_tokenizer(path: Path) -> TokenCounter:
    """The tokenizer of a file as the library `tokenizers` writes it.

    Raises InputError where the extra is not installed, or the file is none.
    """
    with extra_needed("tokenizers", "counting tokens"):
        from tokenizers import Tokenizer
    try:
        content = path.read_bytes()
        tokenizer = Tokenizer.from_buffer(content)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except Exception as error:  # what the library raises has no type of its own
        raise InputError(f"{path} is no tokenizer.json: {error}") from error
    return TokenCounter(tokenizer, hashlib.sha256(content).hexdigest())
