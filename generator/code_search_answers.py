"""Answers, in words, to the calls that a model makes into a code search."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence

from generator.code_search import MOST_FOUND, CodeSearch, Snippet
from generator.replies import Call
from generator.retrieval.outline import outline

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


def answer(search: CodeSearch, call: Call) -> str:
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
    return _told(function(*bound.args, **bound.kwargs))


def _signature(name: str) -> str:
    parameters = list(inspect.signature(getattr(CodeSearch, name)).parameters)[1:]
    return f"{name}({', '.join(parameters)})"


def _told(found: Sequence[Snippet]) -> str:
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
    return f"{head}\n```python\n{text}\n```"


def _shortened(snippet: Snippet) -> str:
    """The first lines, and what the rest defines."""
    lines = snippet.text.split("\n")
    indent = len(lines[0]) - len(lines[0].lstrip())
    dedented = "\n".join(line[indent:] for line in lines)
    defined = [
        f"line {snippet.first + symbol.first - 1}: {symbol.name}{symbol.signature}"
        for symbol in outline(dedented)[1:]
    ]
    told = defined or ["..."]
    return "\n".join([*lines[: LONGEST // 4], "...", *told])
