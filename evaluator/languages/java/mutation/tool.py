"""The jar that makes mutants and runs tests against them."""

from __future__ import annotations

from pathlib import Path

from evaluator.languages.java.environment.compiler import find_compiler
from evaluator.languages.java.environment.jdk import OLDEST_LEVEL, Jdk, released
from evaluator.languages.java.environment.tools import Tools
from evaluator.storage.keys import digest_of, short_key
from evaluator.storage.once import make_once

MAIN = "fixgate.mutate.Main"
METHODS = ".fixgate-mutants.json"
"""The file in a run's tree that names the methods and their tests."""
JOURNAL = ".fixgate-mutants"
"""The file in a run's tree that has a line for each step."""
_SOURCES = Path(__file__).parent / "src"


def find_mutator(tools: Tools, jdk: Jdk) -> Path:
    """The jar, compiled once: an agent, and on the class path the main class. Raises ToolError."""
    seen = (find_compiler(tools, jdk).probe, *tools.frameworks)

    def make(place: Path) -> None:
        place.mkdir()
        manifest, classes, jar = place / "manifest", place / "classes", place / "mutation.jar"
        manifest.write_text(
            "Premain-Class: fixgate.mutate.Agent\nCan-Redefine-Classes: true\n", encoding="utf-8"
        )
        sources = sorted(_SOURCES.rglob("*.java"))
        options = (*released(OLDEST_LEVEL, tools.maven.jdk.version), "-Xlint:none")
        tools.compile(sources, classes, options, seen, (_SOURCES, *seen))
        tools.run("jar", "cfm", str(jar), str(manifest), "-C", str(classes), ".", at=place)

    key = short_key(digest_of(sorted(_SOURCES.rglob("*.java"))), [str(jar) for jar in seen])
    return make_once(tools.cache / "java" / "mutation", key, make) / "mutation.jar"
