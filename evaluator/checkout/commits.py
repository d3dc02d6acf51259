"""What a commit object says."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass

from evaluator.checkout.objects import Object
from evaluator.errors import CheckoutError

_HEADER = re.compile(rb"tree ([0-9a-f]+)\n((?:parent [0-9a-f]+\n)*)author ")
_COMMITTER = re.compile(rb"^committer .*> (\d{1,11}) [+-]\d{4}$", re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """A commit: the ids of its tree and parents, and its date in seconds of Unix time.

    The date is None where it cannot be read.
    """

    id: str
    tree: str
    parents: tuple[str, ...]
    moment: int | None

    @property
    def date(self) -> datetime.datetime:
        """When it was committed, in UTC. Raises CheckoutError where that cannot be read."""
        if self.moment is None:
            raise CheckoutError(f"commit {self.id} has no readable date")
        return datetime.datetime.fromtimestamp(self.moment, datetime.UTC)


def parse_commit(found: Object) -> Commit:
    """The commit that an object is. Raises CheckoutError for what is no commit."""
    if found.kind != "commit":
        raise CheckoutError(f"commit {found.id} is not in it: this is the id of a {found.kind}")
    header = _HEADER.match(found.content)
    if header is None:
        raise CheckoutError(f"commit {found.id} cannot be read")
    parents = tuple(header[2].decode().replace("parent ", "").split())
    date = _COMMITTER.search(found.content.partition(b"\n\n")[0])
    return Commit(found.id, header[1].decode(), parents, int(date[1]) if date else None)
