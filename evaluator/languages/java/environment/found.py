"""What was found out of a project, in files that are kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from evaluator.languages.java.environment.absent import Absent
from evaluator.languages.java.environment.project import View
from evaluator.languages.java.environment.releases import Missing

FORMAT = 35
"""Of the files of a project: another number where what is written there means something else."""


@dataclass(frozen=True)
class Project:
    """What was found out of a tree, in files under `place`.

    `project*.json` are for the probe's compiler; `overlay` are generated files, to be laid over
    every tree of this commit; `repository` holds the jars.
    """

    place: Path

    @property
    def files(self) -> tuple[Path, ...]:
        """The units and how they are compiled, first choice first."""
        return tuple(self.place / f"{view.value}.json" for view in View)

    @property
    def overlay(self) -> Path:
        """Generated sources and resources."""
        return self.place / "overlay"

    @property
    def facts(self) -> Facts:
        """What else is known."""
        return _FACTS.validate_json((self.place / "facts.json").read_bytes())


@dataclass(frozen=True)
class Facts:
    """`level` of the language, and the version of `jupiter`, "" where tests need none.

    `releases` are the artifacts that are gone and have releases in their place, `absent` those that
    are left out. `phase` is that up to which the project's plug-ins have to run for each tree, ""
    where the poms say everything. `interrupted` is what was said of a download that may come the
    next time, "" where all came, and `ungenerated` what Gradle could not generate, "" where it
    could. `libraries` is the newest Java that the class path is for, 0 where nothing says so.
    `failing` are the executions of plug-ins that are left out, with what Maven says of each.
    """

    level: int
    jupiter: str
    releases: tuple[Missing, ...]
    phase: str
    interrupted: str = ""
    absent: tuple[Absent, ...] = ()
    ungenerated: str = ""
    libraries: int = 0
    failing: tuple[str, ...] = ()


_FACTS = TypeAdapter(Facts)


def write_facts(place: Path, facts: Facts) -> None:
    """Write what `Project.facts` reads."""
    (place / "facts.json").write_bytes(_FACTS.dump_json(facts))
