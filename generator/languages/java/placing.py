"""Puts Java tests where they belong: into a class that stands, or into a file of their own."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from tree_sitter import Node

from evaluator import PatchError
from evaluator.diff import Changes, Source
from evaluator.languages import is_test_file
from evaluator.languages.java import syntax
from generator.languages.java.formatting import unit_of
from generator.languages.java.layout import package_of
from generator.languages.java.structure import (
    classes,
    encoded,
    imports,
    members,
    name_of,
    package,
    whole,
)
from generator.languages.java.test_files import added_members, signature

_LAST_NAME = re.compile(r"(\w+|\*)$")


def placed(source: Source, path: str, code: str) -> Changes:
    """The changes that put test code (a class, or methods, with imports) into the file at `path`.

    Where the file stands already, what the code's class holds goes to the end of its class, and
    imports of names that it does not know to its own. Where it does not, it is made of the code,
    in the package of its path. Raises PatchError for code that is no Java or has no place there,
    and for a path that is not one of tests.
    """
    if not is_test_file(path):
        raise PatchError(f"{path}: is not a path of tests")
    old = source(path)
    new = (
        _file(path, code) if old is None else extended(old.decode("utf-8", "surrogateescape"), code)
    )
    return Changes({path: encoded(new)})


def extended(text: str, code: str) -> str:
    """A file's text with what the class of the code holds at the end of its class.

    Raises PatchError as `placed` does, and for a member that the class has already.
    """
    root, added = whole(text), whole(code)
    host = host_of(root)
    body = syntax.field(host, "body")
    new = _new_members(host, added)
    if body is None or not new:
        raise PatchError("the code brings nothing into a class")
    lines = text.splitlines()
    indented = [textwrap.indent(_dedented(node), unit_of(lines)) for node in new]
    content, end = encoded(text), body.end_byte - 1
    head = content[:end].rstrip()
    joined = encoded("\n\n" + "\n\n".join(indented) + "\n" + _margin(host))
    return with_imports(
        (head + joined + content[end:]).decode("utf-8", "surrogateescape"), imports(added)
    )


def host_of(root: Node) -> Node:
    """The class of a file that tests are put into: the first one. Raises PatchError for none."""
    found = classes(root)
    if not found:
        raise PatchError("the file defines no class")
    return found[0]


def with_imports(text: str, names: Iterable[str]) -> str:
    """A file's text with the imports that it lacks, below its own.

    A name that the file imports from elsewhere stays as the file has it.
    """
    root = whole(text)
    taken = {_LAST_NAME.findall(name)[0] for name in imports(root) if not name.endswith("*")}
    known = {*imports(root), *(f"{_outer(name)}.*" for name in imports(root) if name.endswith("*"))}
    lacking = [
        name
        for name in dict.fromkeys(names)
        if name not in known
        and f"{_outer(name)}.*" not in known
        and (name.endswith("*") or _LAST_NAME.findall(name)[0] not in taken)
    ]
    if not lacking:
        return text
    return _inserted(text, root, [f"import {name};" for name in lacking])


def _outer(name: str) -> str:
    return name.rpartition(".")[0]


def _inserted(text: str, root: Node, lines: Sequence[str]) -> str:
    """The text with lines below the last import, the package, or nothing."""
    heads = [
        n for n in root.named_children if n.type in ("import_declaration", "package_declaration")
    ]
    content = encoded(text)
    at = heads[-1].end_byte if heads else 0
    gap = "\n\n" if heads and heads[-1].type == "package_declaration" else "\n"
    added = f"{gap if heads else ''}{chr(10).join(lines)}{'' if heads else gap}"
    return (content[:at] + encoded(added) + content[at:]).decode("utf-8", "surrogateescape")


def _new_members(host: Node, added: Node) -> list[Node]:
    """The members that a class lacks. Raises PatchError for another one of a name that it has."""
    standing = {signature(member): syntax.text(member) for member in members(host)}
    new = []
    for member in added_members(added):
        name = signature(member)
        if name not in standing:
            new.append(member)
        elif "".join(standing[name].split()) != "".join(syntax.text(member).split()):
            raise PatchError(f"the class has `{name}` already: choose another name")
    return new


def _dedented(node: Node) -> str:
    return textwrap.dedent(" " * node.start_point.column + syntax.text(node))


def _margin(node: Node) -> str:
    return " " * node.start_point.column


def _file(path: str, code: str) -> str:
    """The text of a new file; its class has the file's name."""
    root = whole(code)
    found = classes(root)
    stem = PurePosixPath(path).stem
    if stem not in map(name_of, found):
        raise PatchError(f"{path}: a new file needs a class `{stem}`")
    named = package_of(path)
    head = f"package {named};\n\n" if named and not package(root) else ""
    return f"{head}{code.strip(chr(10))}\n"
