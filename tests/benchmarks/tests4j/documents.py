"""A dataset of one method as JSON, and what can be wrong with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

ID = "acme/app:src/main/java/acme/Box.java:acme.Box.size()"


def document() -> dict[str, Any]:
    """A dataset of one method, as JSON."""
    method = {
        "id": ID,
        "focal_path": "src/main/java/acme/Box.java",
        "focal_class": "acme.Box",
        "name": "size",
        "parameters": [],
        "source": "int size() { return 0; }",
        "focal_context": "class Box {\n}",
        "test_path": "src/test/java/acme/BoxTest.java",
        "test_class": "acme.BoxTest",
        "test_context": "class BoxTest {\n}",
        "tests": [{"name": "testSize", "source": "@Test void testSize() {}", "tokens": None}],
    }
    repository = {
        "name": "acme/app",
        "commit": "0" * 40,
        "split": "test",
        "framework": "jupiter",
        "java_level": "11",
        "exclude": [],
        "methods": [method],
    }
    return {
        "schema_version": 1,
        "name": "small",
        "mapping": "heuristic",
        "repositories": [repository],
    }


def change(path: str, value: object) -> Callable[[dict[str, Any]], None]:
    """Sets what stands at a path of keys and indices."""

    def apply(part: Any) -> None:
        *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
        for step in steps:
            part = part[step]
        part[last] = value

    return apply


def mistaken(mistake: Callable[[dict[str, Any]], object], directory: Path) -> Path:
    """A file with the document after a mistake."""
    wrong = document()
    mistake(wrong)
    path = directory / "wrong.json"
    path.write_text(json.dumps(wrong))
    return path


METHOD = "repositories.0.methods.0"
MISTAKES = [
    (change("schema_version", 2), "schema_version: is 2; write the dataset anew"),
    (change("mapping", "guess"), "mapping: should be 'heuristic' or 'calls'"),
    (change("speed", 3), "speed: is not known; remove it"),
    (change("repositories.0.name", "app"), "repositories[0].name: 'app' does not match"),
    (change("repositories.0.commit", "main"), "repositories[0].commit: 'main' does not match"),
    (change(f"{METHOD}.tests", []), "repositories[0].methods[0].tests: Tuple should have at least"),
    (change(f"{METHOD}.tests.0", {"name": "a"}), "methods[0].tests[0].source: is missing; add it"),
    (
        change(f"{METHOD}.test_path", "../out.java"),
        "methods[0].test_path: is no path inside the repository",
    ),
    (change(f"{METHOD}.name", "length"), f"methods[0].id is {ID!r} and should be"),
    (change("repositories", [document()["repositories"][0]] * 2), "the repository acme/app twice"),
    (
        change("repositories.0.methods", [document()["repositories"][0]["methods"][0]] * 2),
        f"names the method {ID} twice",
    ),
]
