"""Applies a patch, whatever its format, to the contents of a tree; splits off its tests."""

from __future__ import annotations

from collections.abc import Callable

from evaluator.diff.blocks import apply_blocks, parse_blocks
from evaluator.diff.files import FileApplier
from evaluator.diff.search import WorkBudget
from evaluator.diff.types import Application, Keep, PatchProgress, Split
from evaluator.diff.unified import parse, usual_names
from evaluator.model import Source


def split(text: str, is_test_file: Callable[[str], bool]) -> Split:
    """The parts of a unified diff that touch tests only, and all others, as they are written.

    `is_test_file` says of a path whether it is a test's. A file that moves between tests and code
    counts as code, a copy goes with its new name. What surrounds the diff (prose, fences) is left
    off.
    """
    tests: list[str] = []
    code: list[str] = []
    test_files: dict[str, None] = {}
    code_files: dict[str, None] = {}
    for patch in parse(text):
        names = usual_names(patch)
        touched = names.both[:1] if patch.move == "copy" else names.both
        is_test = bool(touched) and all(is_test_file(path) for path in touched)
        (tests if is_test else code).append(patch.text)
        (test_files if is_test else code_files).update(dict.fromkeys(touched))
    return Split("".join(tests), "".join(code), tuple(test_files), tuple(code_files))


LARGEST_PATCH = 10_000_000
"""Most characters of a patch."""
MOST_LINES = 500_000
"""Most lines of a patch."""
MOST_FILES = 20_000
"""Most files that a unified diff may touch."""


def apply(text: str, source: Source, *, keep: Keep | None = None) -> Application:
    """Apply a unified diff or a text of blocks to a source; the format is seen from the text.

    `keep` says which paths are wanted; a renamed file needs both its names wanted. Predictions are
    applied with `keep=is_test_file`; golden tests are applied whole, since a dataset counts helpers
    that a project ships (`django/test/testcases.py`) among them. Never raises for what a patch
    says: what became of each part is reported.

    W (`well_formed`): SWT-Bench (section 5.1) calls a prediction well-formed when it is a patch
    that can be applied to the original codebase. Here that means:

    - At least one file is left after `keep`, and something was applied to it. What nobody could
      run (prose, an empty patch, changes to source files only) is not well-formed.
    - Unified diffs: every hunk of the files that are left found its place, with any leniency
      (`relaxations`) or none, as git and patch(1) fail when one hunk fails; and no path leaves the
      tree, enters `.git` or becomes a link. A binary file whose content the diff does not hold
      (`Binary files differ`) is left out without harm.
    - Blocks: they stand each for itself, so one that was applied is enough.
    """
    results = PatchProgress(source, keep)
    excess = _excess(text)
    if excess:
        results.refused("", "patch", excess)
        return results.application("none")
    blocks = parse_blocks(text)
    if blocks:
        apply_blocks(blocks, results)
        return results.application("blocks")
    patches = _apply_unified(text, results)
    return results.application("unified" if patches else "none")


def _excess(text: str) -> str:
    """Why a patch is too large to be read, "" where it is not."""
    if len(text) > LARGEST_PATCH:
        return f"the patch has {len(text)} characters; at most {LARGEST_PATCH} are read"
    lines = text.count("\n")
    return (
        f"the patch has {lines} lines; at most {MOST_LINES} are read" if lines > MOST_LINES else ""
    )


def _apply_unified(text: str, results: PatchProgress) -> int:
    patches = parse(text)
    if len(patches) > MOST_FILES:
        results.refused("", "patch", f"the diff touches {len(patches)} files; at most {MOST_FILES}")
        return len(patches)
    applier = FileApplier(results, WorkBudget(), patches)
    for patch in patches:
        applier.apply(patch)
    return len(patches)
