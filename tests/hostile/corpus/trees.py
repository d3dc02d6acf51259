"""Trees that are not what they seem: what is judged must be what was pushed.

The module of each head still has the bug; something else would show another tree.
"""

from __future__ import annotations

from tests.hostile.trees import Content, Executable, Link, Submodule

from .head import Files, Head, Project, Spoil
from .projects import CONF, GRID, SUMS, WORDS
from .spoiling import (
    attributed,
    both,
    configured,
    fixed,
    forged,
    forged_commit,
    forged_tree,
    grafted,
    missing,
    replaced_blob,
    replaced_head,
    with_entry,
)


def _head(
    name: str,
    does: str,
    project: Project,
    files: Files | None = None,
    spoil: Spoil | None = None,
) -> Head:
    note = {project.module: project.files[project.module] + "\n# Better.\n"}
    return Head(f"tree-{name}", "hostile", does, project, {**note, **(files or {})}, spoil=spoil)


def _as(path: str, project: Project = WORDS) -> dict[str, Content]:
    """The right module under another name."""
    return {path: project.fix[project.module]}


_BLOCK = f"diff\n{WORDS.module}\nrewrite\nBOF\n{WORDS.fix[WORDS.module]}end diff\n"
_DOCUMENTED = WORDS.variant(
    "words-documented", {"README.md": f"# words\n\nBefore.\n\n{_BLOCK}\nAfter.\n"}
)
_FIXED = WORDS.variant("words-fixed-already", dict(WORDS.fix))
_PROMISOR = """
[core]
\trepositoryformatversion = 1
[extensions]
\tpartialClone = origin
[remote "origin"]
\turl = .
\tpromisor = true
\tuploadpack = COMMAND
"""
_DRIVERS = """
[core]
\tfsmonitor = COMMAND
\thooksPath = .
\tpager = COMMAND
\tsshCommand = COMMAND
\tgitProxy = COMMAND
[diff]
\texternal = COMMAND
[diff "evil"]
\tcommand = COMMAND
\ttextconv = COMMAND
[filter "evil"]
\tclean = COMMAND
\tsmudge = COMMAND
\tprocess = COMMAND
\trequired = true
"""

HEADS = [
    _head(
        "no-prefix",
        "a configuration without prefixes, the right module one directory deeper",
        WORDS,
        _as("x/wordtools/shorten.py"),
        configured("[diff]\n\tnoprefix = true\n"),
    ),
    _head(
        "mnemonic-prefix",
        "a configuration with other prefixes, the right module below one of them",
        WORDS,
        _as("i/wordtools/shorten.py"),
        configured("[diff]\n\tmnemonicPrefix = true\n\tnoprefix = true\n"),
    ),
    _head(
        "blank-after-name", "a name with a blank at its end", WORDS, _as("wordtools/shorten.py ")
    ),
    _head(
        "time-after-name",
        "a name with a tab and a time at its end",
        WORDS,
        _as("wordtools/shorten.py\t2026-01-06 12:00:00"),
    ),
    _head(
        "two-in-a-name",
        "a name that holds the separator of names",
        WORDS,
        _as("wordtools/shorten.py b/wordtools/shorten.py"),
    ),
    _head(
        "line-break-in-name",
        "a name that holds a header of diffs",
        WORDS,
        _as("x\n--- a/wordtools/shorten.py\n+++ b/wordtools/shorten.py"),
    ),
    _head(
        "backslash-in-name",
        "a name with a backslash",
        SUMS,
        _as("sums\\evaluate.py", SUMS),
    ),
    _head(
        "blocks-in-context",
        "a document whose context holds an edit in the block format",
        _DOCUMENTED,
        {
            "README.md": _DOCUMENTED.files["README.md"]
            .replace("Before.", "Before!")
            .replace("After.", "After!")
        },
    ),
    _head(
        "blocks-added",
        "a document with an edit in the block format is new",
        WORDS,
        {"README.md": f"# words\n\n{_BLOCK}"},
    ),
    _head(
        "diff-added",
        "a document with a unified diff is new, without a line break at its end",
        CONF,
        {
            "docs/change.md": f"diff --git a/{CONF.module} b/{CONF.module}\n"
            f"--- a/{CONF.module}\n+++ b/{CONF.module}\n@@ -8 +8 @@\n"
            '-        parts = line.split("=")\n+        parts = line.split("=", 1)'
        },
    ),
    _head("capitals", "the right module in capitals", WORDS, _as("wordtools/Shorten.py")),
    _head(
        "look-alike",
        "the right module under a name that normalises to the same",
        WORDS,
        _as("wordtools/ｓhorten.py"),  # noqa: RUF001 - the point
    ),
    _head(
        "mode-only",
        "the module becomes executable",
        GRID,
        {GRID.module: Executable(GRID.files[GRID.module])},
    ),
    _head(
        "line-ends",
        "all line ends of the module are others",
        GRID,
        {GRID.module: GRID.files[GRID.module].replace("\n", "\r\n")},
    ),
    _head(
        "link",
        "the module is a link out of the tree",
        SUMS,
        {SUMS.module: Link("/tmp/evaluate.py")},
    ),
    _head(
        "link-to-test",
        "the module is a link to what the tests bring",
        SUMS,
        {SUMS.module: Link("../tests/evaluate.py"), **_as("tests/evaluate.py.txt", SUMS)},
    ),
    _head(
        "submodule",
        "the package is a submodule",
        CONF,
        {
            "conf/__init__.py": None,
            "conf/parse.py": None,
            "conf/dump.py": None,
            "conf": Submodule("1" * 40),
            ".gitmodules": '[submodule "conf"]\n\tpath = conf\n\turl = ./conf\n',
        },
    ),
    _head(
        "attributes",
        "attributes that ask for another encoding and a filter",
        GRID,
        {".gitattributes": "*.py filter=evil diff=evil ident working-tree-encoding=UTF-16\n"},
        configured(_DRIVERS),
    ),
    _head(
        "attributes-unseen",
        "attributes in the repository by which modules are binary",
        GRID,
        _as("grid/table.py.orig", GRID),
        both(attributed("*.py -diff -text merge=ours\n* diff=evil\n"), configured(_DRIVERS)),
    ),
    _head(
        "commands",
        "a configuration full of commands",
        WORDS,
        None,
        configured(_DRIVERS),
    ),
    _head(
        "promisor",
        "an absent object, and a remote that is to deliver it by a command",
        WORDS,
        None,
        both(missing(WORDS.module), configured(_PROMISOR)),
    ),
    _head("absent-object", "an absent object", SUMS, None, missing(SUMS.module)),
    _head(
        "replaced-commit",
        "a right commit in the place of the head",
        WORDS,
        None,
        replaced_head(*fixed(WORDS)),
    ),
    _head(
        "replaced-tree",
        "a right tree in the place of the head's",
        SUMS,
        None,
        replaced_head(*fixed(SUMS), kind="tree"),
    ),
    _head(
        "replaced-blob",
        "a right module in the place of the head's",
        CONF,
        None,
        replaced_blob(*fixed(CONF)),
    ),
    _head(
        "grafted",
        "a faulty commit before a base that is right",
        _FIXED,
        {WORDS.module: WORDS.fix[WORDS.module] + "\n# Better.\n"},
        grafted(WORDS.module, WORDS.files[WORDS.module]),
    ),
    _head(
        "replaced-base",
        "a faulty module in the place of the base's, which is right",
        _FIXED,
        {WORDS.module: WORDS.fix[WORDS.module] + "\n# Better.\n"},
        replaced_blob(WORDS.module, WORDS.files[WORDS.module], "main"),
    ),
    _head(
        "forged-blob",
        "an object with the content of the right module",
        WORDS,
        None,
        forged(*fixed(WORDS)),
    ),
    _head(
        "forged-base",
        "an object of the base with a faulty module, where the base is right",
        _FIXED,
        {WORDS.module: WORDS.fix[WORDS.module] + "\n# Better.\n"},
        forged(WORDS.module, WORDS.files[WORDS.module], "main"),
    ),
    _head(
        "forged-tree",
        "an object with the content of the right tree",
        GRID,
        None,
        forged_tree(*fixed(GRID)),
    ),
    _head(
        "forged-commit",
        "an object with the content of a right commit",
        CONF,
        None,
        forged_commit(*fixed(CONF)),
    ),
    _head(
        "name-with-slash",
        "an entry at the root whose name is a path",
        WORDS,
        None,
        with_entry(WORDS.module, WORDS.fix[WORDS.module]),
    ),
    _head(
        "twice",
        "two entries of one name",
        WORDS,
        None,
        with_entry("shorten.py", WORDS.fix[WORDS.module], "wordtools"),
    ),
    _head(
        "twice-test",
        "an entry of a name that leads out of the tree",
        SUMS,
        None,
        with_entry("..", SUMS.fix[SUMS.module], "sums"),
    ),
    _head(
        "odd-mode",
        "an entry with a mode that git does not write",
        CONF,
        None,
        with_entry("parse.py", CONF.fix[CONF.module], "conf", b"100600"),
    ),
]
