"""Binary patches of git: `literal` and `delta` blocks, base 85 over zlib.

Formats: gitformat-pack(5), "Deltified representation", for the instructions of a delta; each line
of a block starts with a letter for the number of bytes that it holds (A-Z 1 to 26, a-z 27 to 52).
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.errors import PatchError

LARGEST_BINARY = 50_000_000
"""Most bytes that a binary file may have after a patch."""

_BLOCK = re.compile(r"(literal|delta) (\d{1,12})$")


@dataclass(frozen=True)
class Binary:
    """The forward block of a binary patch, still encoded.

    `kind` is "literal" (the new content) or "delta" (instructions that make it from the old one),
    or "" where the block cannot be read; `size` is the number of bytes that the lines inflate to.
    """

    kind: str
    size: int
    lines: tuple[str, ...]

    def content(self, old: bytes | None) -> bytes:
        """The new content of the file. Raises PatchError where the block is damaged or too big."""
        if not self.kind:
            raise PatchError("the binary patch has no `literal` or `delta` block")
        if self.size > LARGEST_BINARY:
            raise PatchError(f"the binary file is over {LARGEST_BINARY} bytes")
        inflated = _inflated(self.lines, self.size)
        if self.kind == "literal":
            return inflated
        if old is None:
            raise PatchError("the binary delta needs a file that is not there")
        return _patched(inflated, old)


def read_binary(lines: Sequence[str], index: int) -> tuple[Binary, int]:
    """Read the blocks that follow a `GIT binary patch` line; also the first index after them."""
    forward, index = _block(lines, index)
    _backward, after = _block(lines, index)
    return forward, after


def _block(lines: Sequence[str], index: int) -> tuple[Binary, int]:
    header = _BLOCK.match(lines[index]) if index < len(lines) else None
    if header is None:
        return Binary("", 0, ()), index
    end = index + 1
    while end < len(lines) and lines[end]:
        end += 1
    return Binary(header[1], int(header[2]), tuple(lines[index + 1 : end])), min(
        end + 1, len(lines)
    )


def blob_id(content: bytes) -> str:
    """The SHA-1 by which git names a file's content."""
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest()


def _inflated(lines: Sequence[str], size: int) -> bytes:
    try:
        packed = b"".join(_line(line) for line in lines)
        inflater = zlib.decompressobj()
        content = inflater.decompress(packed, size + 1)
    except (ValueError, zlib.error) as error:
        raise PatchError(f"the binary block is damaged: {error}") from error
    if len(content) != size:
        raise PatchError(f"the binary block does not inflate to the {size} bytes that it announces")
    return content


def _line(line: str) -> bytes:
    letter = line[0]
    length = ord(letter) - (ord("A") - 1 if letter <= "Z" else ord("a") - 27)
    content = base64.b85decode(line[1:].encode("ascii"))
    if not 1 <= length <= len(content):
        raise ValueError(f"a line announces {length} bytes and holds {len(content)}")
    return content[:length]


def _patched(delta: bytes, old: bytes) -> bytes:
    try:
        return _Delta(delta).patched(old)
    except IndexError as error:
        raise PatchError("the binary delta ends early") from error


class _Delta:
    """The instructions of a delta, read from front to back."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def patched(self, old: bytes) -> bytes:
        if self._size() != len(old):
            raise PatchError("the binary delta was made for another content of the file")
        size = self._size()
        if size > LARGEST_BINARY:
            raise PatchError(f"the binary file is over {LARGEST_BINARY} bytes")
        new = bytearray()
        while self._at < len(self._data) and len(new) <= size:
            instruction = self._byte()
            new += (
                self._copied(instruction, old) if instruction & 0x80 else self._given(instruction)
            )
        if len(new) != size:
            raise PatchError("the binary delta does not give the size that it announces")
        return bytes(new)

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _size(self) -> int:
        size = 0
        for shift in range(0, 63, 7):
            byte = self._byte()
            size |= (byte & 0x7F) << shift
            if not byte & 0x80:
                return size
        raise PatchError("the binary delta announces an impossible size")

    def _copied(self, instruction: int, old: bytes) -> bytes:
        offset = self._number(instruction, 4)
        length = self._number(instruction >> 4 & 0x7, 3) or 0x10000
        if offset + length > len(old):
            raise PatchError("the binary delta copies from beyond the end of the file")
        return old[offset : offset + length]

    def _number(self, present: int, width: int) -> int:
        return sum(self._byte() << 8 * i for i in range(width) if present >> i & 1)

    def _given(self, length: int) -> bytes:
        if not length:
            raise PatchError("the binary delta holds an unknown instruction")
        self._at += length
        return self._data[self._at - length : self._at]
