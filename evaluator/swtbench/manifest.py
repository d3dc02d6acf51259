"""The file that says what `fixgate hydrate` laid down."""

from __future__ import annotations

import enum
import importlib.metadata
import json
from pathlib import Path
from typing import Any

from evaluator.storage.files import write_whole

VERSION = 1


class Prerequisite(enum.StrEnum):
    """What a replay needs."""

    DATASET = "dataset"
    MIRROR = "mirror"
    ENVIRONMENT = "environment"


class Manifest:
    """A JSON file, rewritten whole after each step.

    `{"version": 1, "fixgate": "0.1.0", "dataset": {FILE: instances}, "mirror": {REPO: [COMMIT]},
    "environment": {INSTANCE: [KEY]}, "failures": [{"part", "name", "reason"}]}`. What earlier
    calls laid down stays; failures are those of the latest.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content: dict[str, Any] = {
            "version": VERSION,
            "fixgate": importlib.metadata.version("fixgate"),
            **{part.value: {} for part in Prerequisite},
            "failures": [],
        }
        for part, entries in _earlier(path).items():
            self._content[part].update(entries)

    def add(self, part: Prerequisite, name: str, content: object) -> None:
        """Say that something is there."""
        self._content[part][name] = content
        self._write()

    def fail(self, part: Prerequisite, name: str, reason: str) -> None:
        """Say that something could not be had."""
        self._content["failures"].append({"part": part, "name": name, "reason": reason})
        self._write()

    def _write(self) -> None:
        text = json.dumps(self._content, indent=1, ensure_ascii=False) + "\n"
        write_whole(self._path, text.encode("utf-8", "backslashreplace"))


def _earlier(path: Path) -> dict[str, dict[str, object]]:
    """What an earlier call laid down; nothing where its manifest cannot be used."""
    try:
        content = json.loads(path.read_bytes())
        if content["version"] != VERSION:
            return {}
        return {part.value: dict(content[part.value]) for part in Prerequisite}
    except (OSError, ValueError, KeyError, TypeError):
        return {}
