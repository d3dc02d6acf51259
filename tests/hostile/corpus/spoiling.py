"""What can be done to a repository so that git shows other objects, or runs something."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from bot.demo.simulator.git import Tree

from .head import BRANCH, Project, Spoil

OWNED = Path(f"/tmp/fixgate-corpus-owned-{os.getpid()}")
"""Is there if the host ran a command of a repository."""
_COMMAND = f"touch {OWNED};false"
_IDENTITY = {
    f"GIT_{role}_{field}": value
    for role in ("AUTHOR", "COMMITTER")
    for field, value in (
        ("NAME", "Mallory"),
        ("EMAIL", "m@example.org"),
        ("DATE", "2026-01-06T12:00:00Z"),
    )
}


def configured(text: str) -> Spoil:
    """With some lines more in its configuration; `COMMAND` stands for a command."""

    def spoil(tree: Tree) -> None:
        with (tree.path / "config").open("a", encoding="utf-8") as config:
            config.write(text.replace("COMMAND", _COMMAND))

    return spoil


def both(first: Spoil, second: Spoil) -> Spoil:
    """One after the other."""

    def spoil(tree: Tree) -> None:
        first(tree)
        second(tree)

    return spoil


def attributed(text: str) -> Spoil:
    """With attributes in the repository itself, where no commit shows them."""

    def spoil(tree: Tree) -> None:
        (tree.path / "info").mkdir(exist_ok=True)
        (tree.path / "info" / "attributes").write_text(text)

    return spoil


def replaced_blob(path: str, text: str, branch: str = BRANCH) -> Spoil:
    """With another content in the place of a file's (refs/replace)."""

    def spoil(tree: Tree) -> None:
        other = _blob(tree, text)
        tree.run("replace", "--force", tree.line("rev-parse", f"{branch}:{path}"), other)

    return spoil


def replaced_head(path: str, text: str, kind: str = "commit") -> Spoil:
    """With another commit, or another tree, in the place of the head's (refs/replace)."""

    def spoil(tree: Tree) -> None:
        other = _with_file(tree, path, text)
        if kind == "tree":
            mine, other = (tree.line("rev-parse", f"{c}^{{tree}}") for c in (BRANCH, other))
        else:
            mine = tree.line("rev-parse", BRANCH)
        tree.run("replace", "--force", mine, other)

    return spoil


def grafted(path: str, text: str) -> Spoil:
    """With a commit before `main` and the head that was never there, whose file is another."""

    def spoil(tree: Tree) -> None:
        older = _with_file(tree, path, text, "main", parent=False)
        commits = [tree.line("rev-parse", name) for name in ("main", BRANCH)]
        (tree.path / "info").mkdir(exist_ok=True)
        (tree.path / "info" / "grafts").write_text("".join(f"{c} {older}\n" for c in commits))

    return spoil


def forged(path: str, text: str, branch: str = BRANCH) -> Spoil:
    """With another content in the object of a file, under the old name."""

    def spoil(tree: Tree) -> None:
        _forge(tree, tree.line("rev-parse", f"{branch}:{path}"), b"blob", text.encode())

    return spoil


def forged_tree(path: str, text: str) -> Spoil:
    """With another tree in the object of the head's, under the old name."""

    def spoil(tree: Tree) -> None:
        other = tree.run("cat-file", "tree", f"{_with_file(tree, path, text)}^{{tree}}")
        _forge(tree, tree.line("rev-parse", f"{BRANCH}^{{tree}}"), b"tree", other)

    return spoil


def forged_commit(path: str, text: str) -> Spoil:
    """With another commit in the object of the head, under the old name."""

    def spoil(tree: Tree) -> None:
        other = tree.run("cat-file", "commit", _with_file(tree, path, text))
        _forge(tree, tree.line("rev-parse", BRANCH), b"commit", other)

    return spoil


def missing(path: str) -> Spoil:
    """Without the object of a file."""

    def spoil(tree: Tree) -> None:
        _object(tree, tree.line("rev-parse", f"{BRANCH}:{path}")).unlink()

    return spoil


def with_entry(name: str, text: str, directory: str = "", mode: bytes = b"100644") -> Spoil:
    """With an entry of any name more in the tree of the head, or in that of a directory."""

    def spoil(tree: Tree) -> None:
        blob = bytes.fromhex(_blob(tree, text))
        inner = f"{BRANCH}:{directory}" if directory else f"{BRANCH}^{{tree}}"
        row = mode + b" " + name.encode() + b"\0" + blob
        whole = _literal(tree, tree.run("cat-file", "tree", inner) + row)
        if directory:
            old = bytes.fromhex(tree.line("rev-parse", inner))
            root = tree.run("cat-file", "tree", f"{BRANCH}^{{tree}}")
            whole = _literal(tree, root.replace(old, bytes.fromhex(whole)))
        tree.update(f"refs/heads/{BRANCH}", _commit(tree, whole, "main"))

    return spoil


def _with_file(
    tree: Tree, path: str, text: str, start: str = BRANCH, *, parent: bool = True
) -> str:
    """A commit like another, with one file changed."""
    index = {"GIT_INDEX_FILE": str(tree.path / "index-of-forger")}
    tree.run("read-tree", start, variables=index)
    entry = f"100644,{_blob(tree, text)},{path}"
    tree.run("update-index", "--add", "--cacheinfo", entry, variables=index)
    whole = tree.line("write-tree", variables=index)
    return _commit(tree, whole, "main" if parent else None)


def _commit(tree: Tree, whole: str, parent: str | None) -> str:
    parents = ("-p", parent) if parent else ()
    return tree.line("commit-tree", whole, *parents, "-m", "Fix", variables=_IDENTITY)


def _blob(tree: Tree, text: str) -> str:
    return tree.line("hash-object", "-w", "--stdin", data=text.encode())


def _literal(tree: Tree, content: bytes) -> str:
    return tree.line("hash-object", "-t", "tree", "-w", "--literally", "--stdin", data=content)


def _object(tree: Tree, name: str) -> Path:
    return tree.path / "objects" / name[:2] / name[2:]


def _forge(tree: Tree, name: str, kind: bytes, content: bytes) -> None:
    place = _object(tree, name)
    place.unlink()
    place.write_bytes(zlib.compress(kind + b" %d\0" % len(content) + content))


def fixed(project: Project) -> tuple[str, str]:
    """The path and the right text of a project's module."""
    return project.module, project.fix[project.module]


def faulty(project: Project) -> tuple[str, str]:
    """The path and the faulty text of a project's module."""
    return project.module, project.files[project.module]
