"""Has Maven say what a project consists of."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from evaluator.environment.tools import ToolError, copy_tree, link_file, regular_files
from evaluator.languages.java.environment.downloads import Downloads
from evaluator.languages.java.environment.jdk import Jdk, find_jdk
from evaluator.languages.java.environment.lifecycle import (
    is_reached,
    needs_classes,
    phase_needed,
    raise_levels,
)
from evaluator.languages.java.environment.maven import (
    DownloadInterruptedError,
    asking,
    cause,
    interruption,
)
from evaluator.languages.java.environment.pom import poms_of
from evaluator.languages.java.environment.project import (
    CLASS_PATH,
    Module,
    View,
    described,
    jupiter_of,
    level_of,
    read_modules,
)
from evaluator.languages.java.environment.releases import Missing, missing_artifacts, use_releases
from evaluator.languages.java.environment.tools import Tools
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.storage.keys import digest_of, short_key

EFFECTIVE = "effective.xml"
FORMAT = 12
"""Of the files of a project: another number where what is written there means something else."""

# Checks of style, licences and releases say nothing about tests.
SKIPPED = (
    *("enforcer", "rat", "checkstyle", "animal.sniffer", "jacoco", "spotbugs", "findbugs", "pmd"),
    *("cpd", "license", "maven.javadoc", "maven.source", "gpg", "japicmp", "spotless.check"),
    *("maven.gitcommitid", "cyclonedx", "moditect", "proguard"),
)
COMPILING = "maven.main"
"""Left out, too, as long as no plug-in needs the classes: we compile, and so that more compiles."""
_MOST_ROUNDS = 4
"""Of looking for releases: a parent that is found may ask for more that are gone."""
_SOURCES = re.compile(r"(?:^|/)src/(?:main|test)/|\.java$")
_BUILD_FILE = re.compile(r"(?:.*/)?pom\.xml|\.mvn/.*")


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

    `releases` are the artifacts that are gone and have releases in their place. `phase` is that up
    to which the project's plug-ins have to run for each tree, "" where the poms say everything.
    `interrupted` is what was said of a download that may come the next time, "" where all came.
    """

    level: int
    jupiter: str
    releases: tuple[Missing, ...]
    phase: str
    interrupted: str = ""


_FACTS = TypeAdapter(Facts)


def write_facts(place: Path, facts: Facts) -> None:
    """Write what `Project.facts` reads."""
    (place / "facts.json").write_bytes(_FACTS.dump_json(facts))


@dataclass(frozen=True)
class Resolving:
    """One tree that is to be resolved."""

    tools: Tools
    recipe: JavaRecipe
    tree: Path
    downloads: Downloads

    @property
    def build_files(self) -> str:
        """A digest of what decides on the class path: poms, and files that profiles may ask for."""
        names = sorted(regular_files(self.tree))
        poms = [self.tree / name for name in names if _BUILD_FILE.fullmatch(name)]
        return short_key([name for name in names if _decides(name)], digest_of(poms))

    @property
    def stated_phase(self) -> str:
        """The phase that the tree's own poms call for, "" where they cannot be read."""
        poms = [
            pom for pom in poms_of(self.tree) if _decides(pom.relative_to(self.tree).as_posix())
        ]
        with contextlib.suppress(ET.ParseError):
            found = [ET.parse(pom).getroot() for pom in poms]  # noqa: S314
            return phase_needed(found, modules=_has_modules(self.tree))
        return ""

    def fill(
        self,
        place: Path,
        gone: Collection[Missing] = (),
        phase: str = "",
        *,
        may_lack: bool = False,
    ) -> None:
        """Write what `Project` reads, after the project's own plug-ins ran up to a phase, if any.

        `gone` are artifacts that are known to be gone. Raises ToolError, and
        DownloadInterruptedError unless modules `may_lack` what did not come.
        """
        work = place / "work"
        copy = work / "tree"
        work.mkdir(parents=True)
        copy_tree(self.tree, copy)
        if phase:
            raise_levels(copy)
        with self.downloads.repository(work / "repository") as repository:
            asked = functools.partial(self._ask, work, repository, phase, may_lack)
            skipping = functools.partial(asked, (*SKIPPED, COMPILING))
            error, replaced = _with_releases(skipping, copy, gone)
            modules, unresolved = self._modules(work / EFFECTIVE, error)
            lacks_classes = is_reached("compile", phase) and needs_classes(m.pom for m in modules)
            if error is not None and lacks_classes:
                error = _error_of(functools.partial(asked, SKIPPED))
                modules, unresolved = self._modules(work / EFFECTIVE, error)
            for module in modules:
                module.keep_jars(repository, place / "repository")
        self._keep_processors(modules, place / "processors")
        level = level_of(modules)
        jupiter = jupiter_of(path for module in modules for path in module.class_path)
        several = _has_modules(copy)
        wanted = phase_needed([module.pom for module in modules], modules=several)
        if error is not None and several and not wanted:
            wanted = "compile"
        interrupted = interruption(error) if error is not None else ""
        write_facts(place, Facts(level, jupiter, replaced, wanted, interrupted))
        self._keep(place, copy, (*modules, *unresolved), find_jdk(self.recipe.java, level))
        shutil.rmtree(work)

    def _modules(
        self, effective: Path, error: ToolError | None
    ) -> tuple[tuple[Module, ...], tuple[Module, ...]]:
        """Those that Maven resolved, and those that are out of reach. Raises ToolError."""
        modules = read_modules(effective) if effective.is_file() else ()
        found = tuple(module for module in modules if module.resolved)
        if not found:
            raise error or ToolError("there is no module with code in this project")
        if error is None and self.recipe.modules:
            return found, ()
        return found, tuple(_left_out(each, error) for each in modules if not each.resolved)

    def _keep_processors(self, modules: Sequence[Module], place: Path) -> None:
        """Those of the project itself are looked for on the class path."""
        own = {module.name for module in modules}
        for module in modules:
            wanted = module.processors
            if wanted and not any(f"{group}.{name}" in own for group, name, _ in wanted):
                module.keep_processors(self.tools.jars(wanted), place)

    def _ask(
        self, work: Path, repository: Path, phase: str, may_lack: bool, skipped: Sequence[str]
    ) -> None:
        goals = [*asking(work / EFFECTIVE, CLASS_PATH), *([phase] if phase else [])]
        options = ["-fae", *(f"-D{name}.skip=true" for name in skipped), *self.recipe.arguments]
        if self.recipe.modules:
            options += ["-pl", ",".join(self.recipe.modules), "-am"]
        try:
            self.tools.maven.run(
                [*options, *goals], directory=work / "tree", private=work, repository=repository
            )
        except ToolError as error:
            if interruption(error) and not may_lack:
                raise DownloadInterruptedError from error
            raise

    def _keep(self, place: Path, copy: Path, modules: Sequence[Module], jdk: Jdk) -> None:
        overlay = place / "overlay"
        overlay.mkdir()
        kinds = [(module, test) for module in modules for test in (False, True)]
        outputs = [module.output(test=test) for module, test in kinds]
        added = [path for module, test in kinds for path in module.added_sources(test=test)]
        for file in regular_files(copy):
            made = _below(copy / file, outputs) and not file.endswith(".class")
            added_to = _below(copy / file, added) and not (self.tree / file).exists()
            if made or added_to or "/target/generated-" in f"/{file}":
                link_file(copy / file, overlay / file)
        for view in View:
            project = json.dumps(described(modules, copy, jdk.version, view))
            (place / f"{view.value}.json").write_text(project, encoding="utf-8")


def _below(file: Path, directories: Sequence[Path]) -> bool:
    return any(file.is_relative_to(directory) for directory in directories)


def _error_of(run: Callable[[], None]) -> ToolError | None:
    try:
        run()
    except ToolError as error:
        return error
    return None


def _with_releases(
    run: Callable[[], None], tree: Path, gone: Collection[Missing]
) -> tuple[ToolError | None, tuple[Missing, ...]]:
    """Run Maven, again with releases in the place of what it does not find.

    The error of the first run, where none succeeds, and what was replaced.
    """
    first: ToolError | None = None
    replaced = set(gone)
    use_releases(tree, replaced)
    for _ in range(_MOST_ROUNDS):
        try:
            run()
        except ToolError as error:
            first = first or error
            missing = missing_artifacts(error.log, tree) - replaced
            if not use_releases(tree, missing):
                break
            replaced |= missing
        else:
            return None, tuple(sorted(replaced))
    return first, tuple(sorted(replaced))


def _left_out(module: Module, error: ToolError | None) -> Module:
    """With what Maven says of it, or else of one that it may need."""
    if error is None:
        return dataclasses.replace(module, left_out="Maven does not say what its class path is")
    name = re.escape(module.text("artifactId"))
    own = re.search(rf"on project {name}: (.+)", error.log)
    return dataclasses.replace(module, left_out=own.group(1) if own else cause(error))


def _decides(name: str) -> bool:
    """Whether a file may decide on the class path: it is no source."""
    return not _SOURCES.search(name)


def _has_modules(tree: Path) -> bool:
    return b"<module>" in (tree / "pom.xml").read_bytes()
