"""Management commands that die with the exception that the ticket reports."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from generator.issue_only.django.attempt import Attempt, reported_error
from generator.issue_only.django.material import Material
from generator.issue_only.django.steps import written

_LINE = re.compile(
    r"(?:^|[\s$`'])(?:django-admin(?:\.py)?|(?:python3? )?(?:\./)?manage\.py|python3? -m django) "
    r"(?P<rest>[a-z]\w+\b.*)"
)
_HEREDOC = re.compile(r"<<\s*['\"]?\w+['\"]?")
_WORDS_AFTER = re.compile(r" (?:results? in|raises|fails|crashes|gives|returns|shows)\b.*")
_LONGEST = 20
_LEFT_OUT = frozenset(
    {"test", "testserver", "runserver", "makemigrations", "migrate", "dbshell", "flush"}
)
"""Commands that serve, that ask, or that change the tests' own database or files."""
_IMPORTS = (
    "from django.core.management import call_command",
    "from django.test.utils import captured_stdout",
)


def commands(material: Material, tree: Path) -> Iterator[Attempt]:
    """The command runs without the exception; directories that it is given are there."""
    lines = material.ticket.text.splitlines()
    seen: set[tuple[str, ...]] = set()
    for number, line in enumerate(lines):
        found = _LINE.search(line)
        arguments = _arguments(found["rest"], lines[number + 1 :]) if found else ()
        if not arguments or arguments in seen or not _is_command(tree, arguments[0]):
            continue
        seen.add(arguments)
        module = written(material, tree, _body(arguments), imports=_IMPORTS)
        if module is not None:
            words = f"the command {arguments[0]} raises the exception that it reports"
            shows = reported_error(material.ticket.text)
            yield Attempt("command", 0.8, module, shows, words)


def _arguments(first: str, further: list[str]) -> tuple[str, ...]:
    """The words of a command line; quotes may go on over lines."""
    text = _WORDS_AFTER.sub("", _HEREDOC.sub("", first))
    for line in ["", *further[:_LONGEST]]:
        text = f"{text}\n{line}" if line else text
        try:
            return tuple(shlex.split(text))
        except ValueError:
            continue
    return ()


def _is_command(tree: Path, name: str) -> bool:
    if name in _LEFT_OUT:
        return False
    return (tree / "django" / "core" / "management" / "commands" / f"{name}.py").is_file()


def _body(arguments: tuple[str, ...]) -> list[str]:
    folders = [a for a in arguments if a.endswith("/") and not a.startswith(("/", "."))]
    given = ", ".join(_in_folder(a) if a in folders else repr(a) for a in arguments)
    call = f"with captured_stdout():\n    call_command({given})"
    if not folders:
        return [call]
    made = [f"os.makedirs({_in_folder(folder)})" for folder in folders]
    inner = "\n".join([*made, call]).replace("\n", "\n    ")
    return [f"with tempfile.TemporaryDirectory() as folder:\n    {inner}"]


def _in_folder(argument: str) -> str:
    return f"os.path.join(folder, {argument!r})"
