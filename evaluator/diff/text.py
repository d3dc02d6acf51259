"""Text and bytes, lossless both ways, and lines that keep their endings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence


def decode(content: bytes) -> str:
    """Text of a file; bytes that are not UTF-8 become lone surrogates, so that nothing is lost."""
    return content.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The bytes that `decode` made text of; other lone surrogates are written as they are."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def readable(text: str) -> str:
    """The text for people to read: what was no UTF-8 becomes replacement characters."""
    return encode(text).decode("utf-8", "replace")


def to_lines(text: str) -> list[str]:
    r"""Lines with their "\n". Form feeds and Unicode separators end no line, unlike splitlines."""
    *whole, last = text.split("\n")
    lines = [line + "\n" for line in whole]
    return [*lines, last] if last else lines


def numbered(content: bytes) -> dict[int, str]:
    """The lines of a file by their numbers from 1, for people to read, without their endings."""
    lines = enumerate(to_lines(decode(content)), start=1)
    return {number: readable(bare(line)) for number, line in lines}


def bare(line: str) -> str:
    """A line without its ending."""
    return line.removesuffix("\n").removesuffix("\r")


def ending_of(lines: Sequence[str]) -> str:
    """The ending that most lines of a file have."""
    counts = Counter("\r\n" if line.endswith("\r\n") else "\n" for line in lines)
    return "\r\n" if counts["\r\n"] > counts["\n"] else "\n"


def margin(line: str) -> str:
    """The white space that a line starts with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def moved(
    lines: Sequence[str], before: str, after: str, fixed: Collection[int] = frozenset()
) -> list[str]:
    """Lines with one indentation put in place of another.

    Empty lines stay as they are, and so do those whose numbers, from 1, are `fixed`.
    """
    if before == after:
        return list(lines)
    return [
        line
        if number in fixed or not line.strip()
        else after + (line.removeprefix(before) if line.startswith(before) else line.lstrip(" \t"))
        for number, line in enumerate(lines, start=1)
    ]
