"""Poisoned caches: another clone was judged first, whose objects are not what their names say."""

from __future__ import annotations

from .head import Files, Head, Project, Spoil
from .projects import CONF, GRID, SUMS, TALLY, WORDS
from .spoiling import (
    configured,
    fixed,
    forged,
    forged_commit,
    forged_tree,
    grafted,
    replaced_blob,
    replaced_head,
)


def _head(name: str, does: str, project: Project, spoil: Spoil, files: Files | None = None) -> Head:
    note = {project.module: project.files[project.module] + "\n# Better.\n"}
    return Head(f"cache-{name}", "hostile", does, project, files or note, spoil_other=spoil)


_RIGHT = WORDS.variant("words-right-already", dict(WORDS.fix))
_NOTE = {WORDS.module: WORDS.fix[WORDS.module] + "\n# Better.\n"}
_BROKEN = WORDS.files[WORDS.module]

HEADS = [
    _head("forged-head", "an object of the head was right there", WORDS, forged(*fixed(WORDS))),
    _head("forged-tree", "the tree of the head was right there", GRID, forged_tree(*fixed(GRID))),
    _head("forged-commit", "the head was right there", CONF, forged_commit(*fixed(CONF))),
    _head(
        "forged-base",
        "an object of the base was faulty there, where the base is right",
        _RIGHT,
        forged(WORDS.module, _BROKEN, "main"),
        _NOTE,
    ),
    _head("replaced-head", "another commit stood for the head", SUMS, replaced_head(*fixed(SUMS))),
    _head(
        "replaced-blob", "another object stood for the module", TALLY, replaced_blob(*fixed(TALLY))
    ),
    _head(
        "replaced-base",
        "another object stood for that of the base, which is right",
        _RIGHT,
        replaced_blob(WORDS.module, _BROKEN, "main"),
        _NOTE,
    ),
    _head(
        "grafted",
        "a faulty commit stood before the base, which is right",
        _RIGHT,
        grafted(WORDS.module, _BROKEN),
        _NOTE,
    ),
    _head(
        "no-prefix",
        "a configuration by which another module was changed",
        SUMS,
        configured("[diff]\n\tnoprefix = true\n"),
        {
            SUMS.module: SUMS.files[SUMS.module] + "\n# Better.\n",
            "x/sums/evaluate.py": SUMS.fix[SUMS.module],
        },
    ),
    _head(
        "forged-test",
        "the object of an existing test expected something else there",
        WORDS,
        forged("tests/test_titles.py", "import unittest\n", "main"),
        {
            **WORDS.fix,
            "wordtools/titles.py": WORDS.files["wordtools/titles.py"].replace("=12", "=11"),
        },
    ),
]
