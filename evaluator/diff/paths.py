"""Which paths a patch may name, and how the headers of unified diffs spell them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluator.diff.text import decode
from evaluator.errors import PatchError
from evaluator.model import Source

_LONGEST_COMPONENT = 255
_LONGEST_PATH = 4096
_DRIVE = re.compile(r"[A-Za-z]:([\\/]|$)")


def checked(path: str) -> str:
    """The path with `.` and empty components taken out.

    Raises PatchError, naming the path, where it would leave the tree or enter `.git`. Backslashes
    are looked at as separators too, so that no other file system reads the path in its own way.
    """
    reason = refusal(path)
    if reason:
        raise PatchError(f"refused path {path[:_LONGEST_COMPONENT]!r}: {reason}")
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def refusal(path: str) -> str:
    """Why a path is refused, "" where it is not."""
    parts = path.replace("\\", "/").split("/")
    longest = max(len(part.encode("utf-8", "replace")) for part in parts)
    refusals = {
        "it is empty": not path.strip("./") and ".." not in path,
        "it holds a NUL byte": "\0" in path,
        "it is not valid Unicode": not _is_encodable(path),
        "it is absolute": path.startswith(("/", "\\")),
        "it names a drive": bool(_DRIVE.match(path)),
        "it leaves the tree": ".." in parts,
        "it lies in .git": any(_is_git(part) for part in parts),
        "it names a directory": path.endswith("/"),
        "it is too long": longest > _LONGEST_COMPONENT or len(path) > _LONGEST_PATH,
    }
    return next((reason for reason, holds in refusals.items() if holds), "")


def _is_encodable(path: str) -> bool:
    # Bytes that are not UTF-8 stand in paths as the surrogates that `os.fsdecode` makes of them.
    try:
        path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _is_git(component: str) -> bool:
    # Windows drops trailing dots and spaces and knows the short name; macOS ignores the case.
    return component.rstrip(" .").lower() in {".git", "git~1"}


_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_NULL = frozenset({"/dev/null", "a/dev/null", "b/dev/null", "dev/null"})

# The prefixes that git writes, `diff.mnemonicPrefix` included (git-config(1)).
_PREFIXES = frozenset(
    {("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("w/", "i/")}
)
_DEEPEST_STRIP = 3
_LONGEST_QUOTED = 20_000  # four characters for each byte of the longest path, and some


@dataclass(frozen=True)
class HeaderNames:
    """The two names of a file in a patch; None stands for /dev/null."""

    old: str | None
    new: str | None

    @property
    def both(self) -> tuple[str, ...]:
        """The names that are there, each once, the new one first."""
        return tuple(dict.fromkeys(name for name in (self.new, self.old) if name is not None))


def unquoted(name: str) -> str:
    r"""A name as git quotes it, `"caf\303\251.py"`, in plain (git-diff(1), core.quotePath)."""
    quoted = _QUOTED.fullmatch(name) if len(name) < _LONGEST_QUOTED else None
    if not quoted:
        return name

    def byte(match: re.Match[str]) -> bytes:
        code = match[1]
        number = int(code, 8) & 0xFF if len(code) == 3 else _ESCAPED.get(code)
        return code.encode("utf-8", "surrogateescape") if number is None else bytes([number])

    body, pieces, end = quoted[1], [], 0
    for match in _ESCAPE.finditer(body):
        pieces += [body[end : match.start()].encode("utf-8", "surrogateescape"), byte(match)]
        end = match.end()
    return decode(b"".join([*pieces, body[end:].encode("utf-8", "surrogateescape")]))


def name_of(field: str) -> str | None:
    """The name in what follows `--- ` or `+++ `, without a time stamp; None for /dev/null."""
    name = unquoted(field.split("\t")[0].strip(" "))
    return None if name in _NULL else name


def names_of_git_line(rest: str) -> HeaderNames:
    """The names in what follows `diff --git `, which are ambiguous where they hold spaces."""
    quoted = _QUOTED.match(rest)
    if quoted:
        return HeaderNames(name_of(quoted[0]), name_of(rest[quoted.end() :]))
    if rest.endswith('"') and ' "' in rest:
        old, _, new = rest.partition(' "')
        return HeaderNames(name_of(old), name_of(f'"{new}'))
    middle = len(rest) // 2
    if rest[middle : middle + 1] == " " and _tail(rest[:middle]) == _tail(rest[middle + 1 :]):
        return HeaderNames(name_of(rest[:middle]), name_of(rest[middle + 1 :]))
    old, _, new = rest.partition(" ")
    return HeaderNames(name_of(old), name_of(new))


def _tail(name: str) -> str:
    return name.partition("/")[2] or name


def without_prefixes(names: HeaderNames) -> HeaderNames:
    """The names without git's prefixes, where both carry them."""
    old, new = names.old, names.new
    if old is None or new is None:
        return HeaderNames(
            None if old is None else old.removeprefix("a/"),
            None if new is None else new.removeprefix("b/"),
        )
    if (old[:2], new[:2]) in _PREFIXES:
        return HeaderNames(old[2:], new[2:])
    return names


def found_in(names: HeaderNames, source: Source) -> tuple[HeaderNames, str]:
    """The names as they fit the source, and the leniency that this took ("" for none).

    What a name should be is decided by the file that is there: without git's prefixes first, then
    as written, then with leading directories taken away.
    """
    usual = without_prefixes(names)
    if names.old is None or _exists(usual, source):
        return usual, ""
    if _exists(names, source):
        return names, ""
    for depth in range(1, _DEEPEST_STRIP + 1):
        attempt = _stripped(names, depth)
        if attempt.both and _exists(attempt, source):
            return attempt, f"path {names.both[0]!r} read as {attempt.both[0]!r}"
    return usual, ""


def _exists(names: HeaderNames, source: Source) -> bool:
    """Whether a file of either name is there; a refused path is never looked up."""
    return any(not refusal(name) and source(name) is not None for name in names.both)


def _stripped(names: HeaderNames, depth: int) -> HeaderNames:
    def strip(name: str | None) -> str | None:
        return None if name is None else name.split("/", depth)[-1]

    # An absolute name stays as it is, so that it is refused and not quietly made relative.
    if any(name.startswith("/") or name.count("/") < depth for name in names.both):
        return HeaderNames(None, None)
    return HeaderNames(strip(names.old), strip(names.new))
