"""Java: Maven projects, and heads as patches of them, a directory a class.

`projects/NAME` has the files of a base, and issues with the patches of their tests. A head is a
patch below its head lines; `NAME.earlier` is what its base has beside the project's files.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from evaluator.diff import apply
from tests.hostile.corpus.head import Head, Project, Who

HERE = Path(__file__).parent
HONEST = "honest changes"
_FOLDERS = {
    "special cases of the example": "special_cases",
    "right where the environment is recognised": "recognised",
    "values that lie about equality": "equality",
    "tests steered": "steering",
    "results forged": "forging",
    "given tests dodged": "dodging",
    "own tests that show nothing": "own_tests",
    "existing tests and golden data edited": "golden",
    "neighbours broken": "neighbours",
    "modules": "modules",
    HONEST: "honest",
}
_ISSUES = {"version": ("text", "version"), "samples": ("text", "samples")}
"""Projects with several issues: where the files lie, and what the issue's are called."""


@functools.cache
def project(name: str, earlier: str = "") -> Project:
    """A project by its name; `earlier` is a patch of its base."""
    place, issue = _ISSUES.get(name, (name, "issue"))
    root = HERE / "projects" / place
    files = {
        path.relative_to(root / "files").as_posix(): path.read_text(encoding="utf-8")
        for path in sorted((root / "files").rglob("*"))
        if path.is_file()
    }
    patched = _patched(earlier, files)
    given = _patched((root / f"{issue}.patch").read_text(encoding="utf-8"), files)
    return Project(
        name=f"java-{name}",
        files={**files, **_present(patched)},
        module="",
        anchor="",
        issue=(root / f"{issue}.md").read_text(encoding="utf-8"),
        given=_present(given),
        fix={},
        own={},
    )


def _patched(patch: str, files: Mapping[str, str]) -> Mapping[str, str | None]:
    """What a patch makes of the files that it changes, None of those that it removes."""
    if not patch:
        return {}
    done = apply(patch, lambda path: files[path].encode() if path in files else None)
    if not done.well_formed or done.left_out:
        raise ValueError(f"a patch of the corpus cannot be applied: {done.left_out}")
    contents = done.changes.contents.items()
    return {path: None if new is None else new.decode() for path, new in contents}


def _present(files: Mapping[str, str | None]) -> dict[str, str]:
    return {path: text for path, text in files.items() if text is not None}


def _head(path: Path) -> Head:
    """The head in a file."""
    text = path.read_text(encoding="utf-8")
    does, fields, patch = text.split("\n\n", 2)
    said = dict(line.split(": ") for line in fields.splitlines())
    before = path.with_suffix(".earlier")
    earlier = before.read_text(encoding="utf-8") if before.exists() else ""
    base = project(said["project"], earlier)
    name = f"java-{path.parent.name.replace('_', '-')}-{path.stem}"
    if earlier:
        base = base.variant(name, {})
    who = cast(Who, said["who"])
    given = said["tests"] == "given"
    return Head(name, who, does, base, _patched(patch, base.files), given=given)


CLASSES: Mapping[str, Sequence[Head]] = {
    name: [_head(path) for path in sorted((HERE / "heads" / folder).glob("*.patch"))]
    for name, folder in _FOLDERS.items()
}
"""The heads of each class, by the class's name."""
HEADS: Sequence[Head] = [head for heads in CLASSES.values() for head in heads]
