"""What a Python file defines, with line numbers, whatever version of Python it was written for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from evaluator import PatchError
from evaluator.languages.python.blocks.code import last_line, parsed
from evaluator.languages.python.parsing import Defined, first_line
from generator.languages.protocol import Symbol

_DEFINITION = re.compile(r"^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+(\w+)(.*)$")


def outline(text: str) -> tuple[Symbol, ...]:
    """The classes and functions of a file, in order; those inside of functions are left out.

    A file that this Python cannot parse is read by its indentation.
    """
    try:
        return tuple(_parsed_symbols(parsed(text).body, ""))
    except PatchError:
        return tuple(_read_by_indentation(text.splitlines()))


def _parsed_symbols(body: Sequence[ast.stmt], around: str) -> Iterator[Symbol]:
    for node in body:
        if isinstance(node, Defined):
            name = f"{around}{node.name}"
            is_class = isinstance(node, ast.ClassDef)
            place = (first_line(node), last_line(node))
            is_test = not is_class and node.name.startswith("test")
            yield Symbol(name, is_class, *place, _signature(node), is_test)
            if is_class:
                yield from _parsed_symbols(node.body, f"{name}.")
        else:
            for inner in _blocks(node):
                yield from _parsed_symbols(inner, around)


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of an `if`, `try`, `with` or loop."""
    for field in ("body", "orelse", "finalbody"):
        yield getattr(node, field, [])
    for handler in getattr(node, "handlers", []):
        yield handler.body


def _signature(node: Defined) -> str:
    try:
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            return f"({bases})" if bases else ""
        return f"({ast.unparse(node.args)})"
    except RecursionError:
        return "(...)"


def _read_by_indentation(lines: Sequence[str]) -> Iterator[Symbol]:
    """Symbols by the look of their lines: a definition ends where a line is indented no more."""
    open_ones: list[tuple[int, str, bool]] = []
    for number, line in enumerate(lines, start=1):
        match = _DEFINITION.match(line)
        if match is None:
            continue
        depth = len(match[1].expandtabs())
        open_ones = [entry for entry in open_ones if entry[0] < depth]
        is_class = match[2] == "class"
        if all(entry[2] for entry in open_ones):
            name = ".".join([*(entry[1] for entry in open_ones), match[3]])
            last = _last_of_block(lines, number, depth)
            signature = match[4].strip().removesuffix(":")
            is_test = not is_class and match[3].startswith("test")
            yield Symbol(name, is_class, number, last, signature, is_test)
        open_ones.append((depth, match[3], is_class))


def _last_of_block(lines: Sequence[str], start: int, depth: int) -> int:
    last = start
    for number in range(start, len(lines)):
        line = lines[number]
        if line.strip() and not line.lstrip().startswith(("#", ")")):
            if len(line.expandtabs()) - len(line.expandtabs().lstrip()) <= depth:
                break
            last = number + 1
    return last


def outline_text(symbols: Sequence[Symbol]) -> str:
    """An outline for people and models: line number, indentation, kind, name and signature."""
    return "\n".join(
        f"{symbol.first}: {'    ' * symbol.name.count('.')}"
        f"{'class' if symbol.is_class else 'def'} {symbol.short_name}{symbol.signature}"
        for symbol in symbols
    )
