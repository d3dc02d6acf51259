"""What the honest changes are built with."""

from __future__ import annotations

from tests.hostile.corpus.head import Files, Head, Project, Spoil


def honest(
    name: str,
    does: str,
    project: Project,
    files: Files,
    *,
    given: bool = True,
    spoil: Spoil | None = None,
    other: Spoil | None = None,
) -> Head:
    return Head(f"honest-{name}", "honest", does, project, files, given, spoil, other)
