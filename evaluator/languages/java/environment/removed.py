"""Libraries in the place of what was part of the JDK up to version 8.

JDK 11 came without the modules of Java EE (https://openjdk.org/jeps/320). Its compiler still knows
them for code of level 8, whose tests then do not find them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from evaluator.environment.tools import regular_files
from evaluator.languages.java.environment.jdk import Jdk
from evaluator.languages.java.environment.tools import Artifact
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

_LAST_LEVEL = 8
_FIRST_JDK = 11
_LIBRARIES: Mapping[str, tuple[Artifact, ...]] = {
    "activation": (("com.sun.activation", "javax.activation", "1.2.0"),),
    # Other libraries have annotations in the same package, such as `Nullable`.
    r"annotation\.(?:PostConstruct|PreDestroy|Resources?|ManagedBean|security|\*)": (
        ("javax.annotation", "javax.annotation-api", "1.3.2"),
    ),
    "jws": (("javax.jws", "javax.jws-api", "1.1"),),
    r"xml\.bind": (
        ("javax.xml.bind", "jaxb-api", "2.3.1"),
        ("org.glassfish.jaxb", "jaxb-runtime", "2.3.1"),
    ),
    r"xml\.soap": (("javax.xml.soap", "javax.xml.soap-api", "1.4.0"),),
    r"xml\.ws": (("javax.xml.ws", "jaxws-api", "2.3.1"),),
}
"""What follows `javax.` in sources -> what has it, as it was last under that name."""


def removed_from(jdk: Jdk, level: int, tree: Path, tree_key: str, cache: Path) -> list[Artifact]:
    """What the sources of a tree name and the JDK lacks; `cache` keeps it by the tree's content."""
    if level > _LAST_LEVEL or jdk.version < _FIRST_JDK:
        return []

    def make(place: Path) -> None:
        place.mkdir()
        (place / "named.json").write_text(json.dumps(_named(tree)), encoding="utf-8")

    key = short_key(tree_key, sorted(_LIBRARIES))
    kept = make_once(cache / "java" / "removed", key, make) / "named.json"
    named: list[str] = json.loads(kept.read_text(encoding="utf-8"))
    return [artifact for name in named for artifact in _LIBRARIES[name]]


def _named(tree: Path) -> list[str]:
    """What of `_LIBRARIES` the Java sources of a tree name."""
    waiting = {name: re.compile(rf"\bjavax\.{name}".encode()) for name in _LIBRARIES}
    for path in sorted(regular_files(tree)):
        if waiting and path.endswith(".java"):
            content = (tree / path).read_bytes()
            waiting = {name: word for name, word in waiting.items() if not word.search(content)}
    return sorted(_LIBRARIES.keys() - waiting)
