"""What an issue names: paths, frames of tracebacks, dotted names, identifiers."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FRAME = re.compile(
    r"""^\s*File ["'](?P<path>[^"'\n]+)["'], line (?P<line>\d+)(?:, in (?P<name>\S+))?"""
)
_PYTEST_FRAME = re.compile(
    r"^(?P<path>[\w./\\+-]+\.pyx?):(?P<line>\d+):(?: in (?P<name>\w+)| \w+)?"
)
_IPYTHON_FRAME = re.compile(
    r"^(?:File )?(?P<path>[~/\w.\\:+-]+\.pyx?)(?::(?P<line>\d+))? in (?P<name>[\w<>]+)\(.*$"
)
_PATH = re.compile(r"(?<![\w/.-])(?:[\w.+-]+/)*[\w+-]+\.pyx?(?![\w/])")
_LINK = re.compile(r"https?://github\.com/[\w.-]+/[\w.-]+/(?:blob|tree)/[^/\s]+/([\w./+-]+\.pyx?)")
_URL = re.compile(r"https?://\S+")
_DOTTED = re.compile(r"\b[^\W\d]\w*(?:\.[^\W\d]\w*)+")
_CODE_LIKE = re.compile(
    r"\b(?:[A-Za-z]\w*_\w+|_\w+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+|[A-Z]{2,}[a-z]\w*)\b"
)
_CALLED = re.compile(r"\b([^\W\d]\w*)\(")
_TICKED = re.compile(r"`+([^`\n]{1,80})`+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_IMPORT = re.compile(r"^\W*from\s+([\w.]+)\s+import\s+(\([^)]*\)|.*)$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BOILERPLATE = re.compile(r"^\s*Traceback \(most recent call last\):?\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Frame:
    """A frame of a traceback as the issue prints it; `line` is 0 where it does not say."""

    path: str
    line: int
    function: str


@dataclass(frozen=True)
class Mentions:
    """What an issue says, taken apart.

    `frames` are in the order of the text, so that the last is the deepest. `dotted` holds names
    such as `django.db.models`, `identifiers` words that look like code, each once and in order.
    `title` and `text` are free of what templates of issues put in.
    """

    title: str
    text: str
    frames: tuple[Frame, ...]
    paths: tuple[str, ...]
    dotted: tuple[str, ...]
    identifiers: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every name that stands in the issue as code, the parts of dotted ones included."""
        parts = (part for name in self.dotted for part in name.split("."))
        return frozenset({*self.identifiers, *parts})


def read_mentions(issue: str) -> Mentions:
    """Take an issue apart; its first line that says something is its title."""
    text = _BOILERPLATE.sub("", _COMMENT.sub("", issue))
    plain = _URL.sub(" ", text)
    return Mentions(
        title=next((line.strip() for line in text.splitlines() if line.strip()), ""),
        text=plain,
        frames=_frames(plain),
        paths=tuple(dict.fromkeys([*_LINK.findall(text), *_PATH.findall(plain)])),
        dotted=tuple(dict.fromkeys([*_imported(plain), *_DOTTED.findall(plain)])),
        identifiers=tuple(dict.fromkeys(_identifiers(plain))),
    )


def _frames(text: str) -> tuple[Frame, ...]:
    found = []
    for line in text.splitlines():
        for pattern in (_FRAME, _PYTEST_FRAME, _IPYTHON_FRAME):
            match = pattern.match(line)
            if match is not None:
                path = match["path"].replace("\\", "/")
                found.append(Frame(path, int(match["line"] or 0), match["name"] or ""))
                break
    return tuple(found)


def _imported(text: str) -> list[str]:
    return [
        f"{module}.{name}"
        for module, names in _IMPORT.findall(text)
        for name in re.findall(r"\b(?!as\b)[^\W\d]\w*", names.split("#")[0])
    ]


def _identifiers(text: str) -> list[str]:
    ticked = [word for span in _TICKED.findall(text) for word in _IDENTIFIER.findall(span)]
    return [*ticked, *_CODE_LIKE.findall(text), *_CALLED.findall(text)]
