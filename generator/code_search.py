"""Finds classes, functions and pieces of code by name in a tree, for models that ask for them.

The calls are those of AutoCodeRover (https://arxiv.org/abs/2404.05427, section 4.1). Files are
searched as text first, and only those that may hold the answer are parsed.
"""

from __future__ import annotations

import inspect
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePosixPath

from evaluator.diff.text import decode, readable
from evaluator.languages import is_test_file
from generator.languages import Symbol, is_source, language_of_file, outline
from generator.replies import WrittenCall

LARGEST_FILE = 1_000_000
"""Bytes above which a source file is taken for data."""

MOST_FOUND = 50
"""Places at which a search ends."""

_AROUND = 3
_WIDEST = 100


@dataclass(frozen=True)
class Snippet:
    """Lines `first` to `last` (from 1) of a file.

    `name` is the qualified name of what they are or stand in, "" at the top level.
    """

    path: str
    first: int
    last: int
    name: str
    text: str


class CodeSearch:
    """Searches the source files of a tree; what is no test comes first. Nothing is changed.

    A file is named by its path or by the end of one. All calls give an empty tuple where nothing
    is found.
    """

    def __init__(self, tree: Path) -> None:
        self._tree = tree

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The texts of all source files by path; links are not followed."""
        paths = sorted(_source_files(self._tree, ""), key=lambda p: (is_test_file(p), p))
        return {path: readable(decode((self._tree / path).read_bytes())) for path in paths}

    def search_class(self, class_name: str) -> tuple[Snippet, ...]:
        """Classes of a name, wherever they stand."""
        return self._defined(class_name, self.texts, is_class=True)

    def search_class_in_file(self, class_name: str, file_name: str) -> tuple[Snippet, ...]:
        """Classes of a name in a file."""
        return self._defined(class_name, self._named(file_name), is_class=True)

    def search_method(self, method_name: str) -> tuple[Snippet, ...]:
        """Functions and methods of a name."""
        return self._defined(method_name, self.texts, is_class=False)

    def search_method_in_file(self, method_name: str, file_name: str) -> tuple[Snippet, ...]:
        """Functions and methods of a name in a file."""
        return self._defined(method_name, self._named(file_name), is_class=False)

    def search_method_in_class(self, method_name: str, class_name: str) -> tuple[Snippet, ...]:
        """Methods of a name in classes of a name."""
        ending = f".{class_name}.{method_name}"
        found = self._defined(method_name, self.texts, is_class=False)
        return tuple(one for one in found if f".{one.name}".endswith(ending))

    def search_code(self, code: str) -> tuple[Snippet, ...]:
        """Places where a piece of code stands, with some lines around it."""
        return tuple(islice(_holding(code, self.texts), MOST_FOUND))

    def search_code_in_file(self, code: str, file_name: str) -> tuple[Snippet, ...]:
        """Places in a file where a piece of code stands, with some lines around it."""
        return tuple(islice(_holding(code, self._named(file_name)), MOST_FOUND))

    def get_code_around_line(
        self, file_name: str, line_number: int, window_size: int = 20
    ) -> tuple[Snippet, ...]:
        """The lines of a file around a line (from 1): `window_size` before it and after it."""
        width = max(0, min(window_size, _WIDEST))
        return tuple(
            _around(path, text, line_number, line_number, width)
            for path, text in self._named(file_name).items()
            if 1 <= line_number <= text.count("\n") + 1
        )

    def _named(self, file_name: str) -> Mapping[str, str]:
        wanted = PurePosixPath("/", file_name.strip()).as_posix()
        return {path: text for path, text in self.texts.items() if f"/{path}".endswith(wanted)}

    def _defined(
        self, name: str, texts: Mapping[str, str], *, is_class: bool
    ) -> tuple[Snippet, ...]:
        found = (s for s in _definitions(name.strip(), texts) if s[1].is_class == is_class)
        return tuple(snippet for snippet, _ in islice(found, MOST_FOUND))


def _definitions(name: str, texts: Mapping[str, str]) -> Iterator[tuple[Snippet, Symbol]]:
    short = name.rpartition(".")[2]
    pattern = re.compile(rf"\b{re.escape(short)}\b")
    for path, text in texts.items():
        for symbol in outline(path, text) if short in text and pattern.search(text) else ():
            if f".{symbol.name}".endswith(f".{name}"):
                yield _snippet(path, text, symbol.first, symbol.last, symbol.name), symbol


def _holding(code: str, texts: Mapping[str, str]) -> Iterator[Snippet]:
    wanted = code.strip("\n")
    for path, text in texts.items() if wanted.strip() else ():
        start = text.find(wanted)
        while start >= 0:
            first = text.count("\n", 0, start) + 1
            yield _around(path, text, first, first + wanted.count("\n"), _AROUND)
            start = text.find(wanted, _lines_on(text, start + len(wanted), _AROUND))


def _lines_on(text: str, start: int, count: int) -> int:
    """The index at the end of some lines more: what stands on them was shown already."""
    for _ in range(count + 1):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    return start


def _around(path: str, text: str, first: int, last: int, width: int) -> Snippet:
    inside = [symbol.name for symbol in outline(path, text) if symbol.first <= first <= symbol.last]
    name = inside[-1] if inside else ""
    return _snippet(path, text, max(1, first - width), last + width, name)


def _snippet(path: str, text: str, first: int, last: int, name: str) -> Snippet:
    lines = text.split("\n")[first - 1 : last]
    return Snippet(path, first, first + len(lines) - 1, name, "\n".join(lines))


def _source_files(tree: Path, folder: str) -> Iterator[str]:
    with os.scandir(tree / folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield from _source_files(tree, f"{folder}{entry.name}/")
        elif is_source(entry.name) and _is_small_file(entry):
            yield f"{folder}{entry.name}"


def _is_small_file(entry: os.DirEntry[str]) -> bool:
    status = entry.stat(follow_symlinks=False)
    return stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_FILE


SHOWN = 3
"""Results that are shown; of the others only the files are named."""
LONGEST = 120
"""Lines of a result that are shown; of a longer one, only what it defines."""

CALLS = tuple(sorted(name for name in vars(CodeSearch) if name.startswith(("search_", "get_"))))
"""The calls that can be made."""


def signatures() -> tuple[tuple[str, str], ...]:
    """Each call as it is written, with what it is for."""
    return tuple(
        (_signature(name), inspect.getdoc(getattr(CodeSearch, name)) or "") for name in CALLS
    )


def answer(search: CodeSearch, call: WrittenCall) -> str:
    """What a call found, or why it cannot be made."""
    if call.name not in CALLS:
        return f"There is no call `{call.name}`. There are: {', '.join(CALLS)}."
    function = getattr(search, call.name)
    try:
        bound = inspect.signature(function).bind(*call.arguments, **dict(call.named))
    except TypeError as error:
        return f"{error}. It is written {_signature(call.name)}."
    for name, parameter in bound.signature.parameters.items():
        wanted = int if parameter.annotation == "int" else str
        if not isinstance(bound.arguments.get(name, wanted()), wanted):
            return f"`{name}` must be {wanted.__name__}. It is written {_signature(call.name)}."
    return _listed(function(*bound.args, **bound.kwargs))


def _signature(name: str) -> str:
    parameters = list(inspect.signature(getattr(CodeSearch, name)).parameters)[1:]
    return f"{name}({', '.join(parameters)})"


def _listed(found: Sequence[Snippet]) -> str:
    if not found:
        return "Nothing was found."
    least = "at least " if len(found) == MOST_FOUND else ""
    parts = [f"{least}{len(found)} found:"] if len(found) > 1 else []
    parts += [_shown(snippet) for snippet in found[:SHOWN]]
    if len(found) > SHOWN:
        counts = Counter(snippet.path for snippet in found[SHOWN:])
        parts.append("More are in: " + ", ".join(f"{p} ({n})" for p, n in counts.most_common(10)))
    return "\n\n".join(parts)


def _shown(snippet: Snippet) -> str:
    named = f", {snippet.name}" if snippet.name else ""
    head = f"{snippet.path}, lines {snippet.first} to {snippet.last}{named}:"
    text = snippet.text if snippet.last - snippet.first < LONGEST else _shortened(snippet)
    return f"{head}\n```{language_of_file(snippet.path).words.fence}\n{text}\n```"


def _shortened(snippet: Snippet) -> str:
    """The first lines, and what the rest defines."""
    lines = snippet.text.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    dedented = "\n".join(line[indent:] for line in lines)
    defined = [
        f"line {snippet.first + symbol.first - 1}: {symbol.name}{symbol.signature}"
        for symbol in outline(snippet.path, dedented)[1:]
    ]
    inner = defined or ["..."]
    return "\n".join([*lines[: LONGEST // 4], "...", *inner])
