"""A language that is added from outside: what writes tests asks its parts and no others."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

import pytest

from evaluator.errors import InputError
from generator.languages import Symbol, is_source, language, outline_text, registered
from generator.replies import apply_edits
from generator.replies.edits import Edit


class ShellOutlines:
    """Functions of plain shell scripts, one line each."""

    def outline(self, text: str) -> tuple[Symbol, ...]:
        lines = enumerate(text.splitlines(), start=1)
        found = ((number, re.match(r"(\w+)\(\)", line)) for number, line in lines)
        return tuple(Symbol(match[1], False, number, number) for number, match in found if match)

    def outline_text(self, symbols: Sequence[Symbol]) -> str:
        return "\n".join(f"{symbol.first}: {symbol.name}()" for symbol in symbols)


class ShellTestFiles:
    """A reply is a script, which is whole where each `if` has its `fi`."""

    def read_test_file(self, reply: str) -> str:
        return reply

    def why_broken(self, text: str) -> str:
        words = text.split()
        return "" if words.count("if") == words.count("fi") else "an `if` has no `fi`"

    def defined_names(self, code: str) -> frozenset[str]:
        return frozenset(re.findall(r"^(\w+)\(\)", code, re.MULTILINE))


@pytest.fixture
def shell() -> Iterator[None]:
    made = dataclasses.replace(
        language("python"),
        name="shell",
        title="shell script",
        suffixes=(".sh",),
        outlines=ShellOutlines(),
        test_files=ShellTestFiles(),
    )
    with registered(made):
        yield


def test_a_file_is_outlined_by_its_own_language(shell: None) -> None:
    assert outline_text("add.sh", "set -e\nadd() { echo $(($1 + $2)); }\n") == "2: add()"
    assert outline_text("add.py", "def add(): pass\n") == "1: def add()"


def test_edits_that_would_break_a_source_are_refused(shell: None) -> None:
    edit = Edit("tests/add.sh", "if true; then echo; fi", "if true; then echo;")
    edited = apply_edits([edit], {"tests/add.sh": b"if true; then echo; fi\n"}.get)
    assert edited.refused == (
        "edit 1 of tests/add.sh: the file would be no shell script any more: an `if` has no `fi`",
    )


def test_a_language_is_there_while_it_is_registered() -> None:
    assert not is_source("add.sh")
    with pytest.raises(InputError, match="no tests can be written in language `shell`"):
        language("shell")
