"""What a writer is given: an issue and the code as it is, and nothing of any fix."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.checkout import Mirror
from evaluator.execution import Subject


@dataclass(frozen=True)
class Task:
    """One issue to reproduce.

    `issue` is its title and text. `subject` is the repository at the base commit with no fix:
    `subject.pristine` its tree on disk (never to be written to), `subject.source` reads from it.
    `mirror` reads its history, of which only ancestors of `subject.commit` may be looked at.
    """

    instance_id: str
    issue: str
    subject: Subject
    mirror: Mirror
