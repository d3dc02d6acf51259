"""Which source files of a tree import which."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class ImportGraph:
    """`imports` maps the path of each source file of a tree to the paths that it imports itself."""

    imports: Mapping[str, frozenset[str]]

    def distances(self, changed: Iterable[str]) -> Mapping[str, int]:
        """How many imports lead from a file to the nearest of the changed ones, which have 0.

        Files that import none of them, at whatever distance, are left out.
        """
        importers = self._importers()
        found = dict.fromkeys(changed, 0)
        waiting = deque(found)
        while waiting:
            path = waiting.popleft()
            for importer in importers.get(path, ()):
                if importer not in found:
                    found[importer] = found[path] + 1
                    waiting.append(importer)
        return found

    def _importers(self) -> Mapping[str, Sequence[str]]:
        importers: dict[str, list[str]] = {}
        for path, imported in self.imports.items():
            for each in imported:
                importers.setdefault(each, []).append(path)
        return importers
