"""Has Maven say what a project consists of."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import json
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.checkout.one_commit import one_commit
from evaluator.environment.tools import ToolError, copy_tree, link_file, regular_files
from evaluator.languages.java.environment.absent import Absent
from evaluator.languages.java.environment.checks import SKIPPED
from evaluator.languages.java.environment.class_versions import level_of_libraries
from evaluator.languages.java.environment.downloads import Downloads
from evaluator.languages.java.environment.executions import Execution, compiler_failed
from evaluator.languages.java.environment.found import Facts, write_facts
from evaluator.languages.java.environment.jdk import Jdk, find_jdk
from evaluator.languages.java.environment.lifecycle import (
    is_reached,
    needs_classes,
    phase_needed,
    shares_tests,
    use_compilers_of_today,
)
from evaluator.languages.java.environment.made import is_copied
from evaluator.languages.java.environment.maven import (
    DownloadInterruptedError,
    asking,
    cause,
    drop_comments,
    interruption,
)
from evaluator.languages.java.environment.other_languages import (
    STUBS,
    is_of_another_language,
    phases_of_others,
)
from evaluator.languages.java.environment.pom import default_profiles, join_projects, poms_of
from evaluator.languages.java.environment.project import (
    CLASS_PATH,
    Module,
    View,
    described,
    jupiter_of,
    level_of,
    read_modules,
)
from evaluator.languages.java.environment.reading import (
    error_of,
    run_until_read,
    run_without_failing,
)
from evaluator.languages.java.environment.releases import Missing
from evaluator.languages.java.environment.tools import Tools
from evaluator.languages.java.environment.types import JavaRecipe
from evaluator.storage.keys import digest_of, short_key

EFFECTIVE = "effective.xml"
_WITHOUT_CLASSES = "maven.main.skip=true"
"""Left out, too, as long as no plug-in needs the classes: we compile, and so that more compiles."""
TESTING = "maven.test"
"""Left out where modules use each other's tests: it is enough for Maven to come to these."""
LENIENT = "maven.compiler.failOnError=false"
"""What does not compile is told by our own compiler, which asks no more than the language does."""
_CHOOSING = ("-P", "--activate-profiles")
"""Options of Maven by which a recipe says what profiles are active."""
_WANTS_GIT = re.compile(r"\[ERROR\].*(?:\bgit repository\b|\.git\b)", re.IGNORECASE)
"""What plug-ins say that install hooks, or ask for the commit, where a tree is no repository."""
_HELP = re.compile(r" -> \[Help \d+\]$")
_SOURCES = re.compile(r"(?:^|/)src/(?:main|test)/|\.java$")
_OF_COMPILING = (".class", "META-INF/services/javax.annotation.processing.Processor")
"""Endings of what a compiler writes beside classes: that module's own processors, by their names.
Before these are compiled, the compiler would look for them in vain."""
_BUILD_FILE = re.compile(r"(?:.*/)?pom\.xml|\.mvn/.*")


class _RepositoryNeededError(Exception):
    """A plug-in works in a git repository only."""


@dataclass(frozen=True)
class _Wanted:
    """What Maven is asked for.

    Artifacts that are `gone` have others in their place, plug-ins run up to a `phase`, modules
    `may_lack` downloads that were cut short, and the tree is a repository `in_git`.
    """

    gone: Collection[Missing]
    phase: str
    may_lack: bool
    in_git: bool = False


@dataclass(frozen=True)
class _Answer:
    """What Maven said: modules that it resolved and others, its error.

    Artifacts that were `replaced` in the poms, and dependencies that are `absent` from them, and
    what it said of the executions of plug-ins that are left out, as they are `failing`.
    """

    modules: tuple[Module, ...]
    unresolved: tuple[Module, ...]
    error: ToolError | None
    replaced: tuple[Missing, ...]
    absent: tuple[Absent, ...]
    failing: Mapping[Execution, str]

    def facts(self, *, several: bool) -> Facts:
        """Of a project of one module or `several`."""
        jars = [path for module in self.modules for path in module.class_path]
        phase = phase_needed([module.pom for module in self.modules], modules=several)
        if self.error is not None and several and not phase:
            phase = "compile"
        interrupted = interruption(self.error) if self.error is not None else ""
        level, jupiter = level_of(self.modules), jupiter_of(jars)
        libraries = level_of_libraries(map(Path, jars))
        said = level, jupiter, self.replaced, phase, interrupted, self.absent
        failing = tuple(f"{each}: {why}" for each, why in sorted(self.failing.items()))
        return Facts(*said, failing=failing, libraries=libraries)


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
        return phase_needed(self._stated_poms, modules=_has_modules(self.tree))

    @property
    def _skipped(self) -> tuple[str, ...]:
        """What a build leaves out; tests are ours to compile where another module's are needed."""
        return (*SKIPPED, TESTING) if shares_tests(self._stated_poms) else SKIPPED

    @property
    def _ways(self) -> Sequence[Sequence[str]]:
        """The properties of a build, and those of the next ones where sources do not compile.

        Groovy takes a class of Java that is not compiled yet for a property, and says nothing.
        """
        skipped = tuple(f"{name}.skip=true" for name in self._skipped)
        lenient, without_classes = (*skipped, LENIENT), (*skipped, _WITHOUT_CLASSES)
        if any(map(phases_of_others, self._stated_poms)):
            return skipped, lenient, without_classes
        return without_classes, lenient

    @functools.cached_property
    def _profiles(self) -> Sequence[str]:
        """Those of the root that Maven may not find active, though nobody chose others."""
        root = self.tree / "pom.xml"
        chosen = any(each.startswith(_CHOOSING) for each in self.recipe.arguments)
        if chosen or not self._stated_poms or not root.is_file():
            return ()
        return default_profiles(ET.parse(root).getroot())  # noqa: S314

    @functools.cached_property
    def _stated_poms(self) -> Sequence[ET.Element]:
        """The tree's own poms, as they are; none where one cannot be read."""
        poms = [
            pom for pom in poms_of(self.tree) if _decides(pom.relative_to(self.tree).as_posix())
        ]
        with contextlib.suppress(ET.ParseError):
            return [ET.parse(pom).getroot() for pom in poms]  # noqa: S314
        return ()

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
        wanted = _Wanted(gone, phase, may_lack)
        try:
            self._fill(place, place / "work", wanted)
        except _RepositoryNeededError:
            # In a directory that no plug-in has seen: what is in the other, they may have laid.
            shutil.rmtree(place / "work")
            self._fill(place, place / "again", dataclasses.replace(wanted, in_git=True))

    def _fill(self, place: Path, work: Path, wanted: _Wanted) -> None:
        self._lay(work, wanted)
        with self.downloads.repository(work / "repository") as repository:
            answer = self._answer(work, repository, wanted)
            for module in answer.modules:
                module.keep_jars(repository, place / "repository")
        self._keep_processors(answer.modules, place / "processors")
        facts = answer.facts(several=_has_modules(work / "tree"))
        write_facts(place, facts)
        jdk = find_jdk(self.recipe.java, facts.level, facts.libraries)
        self._keep(place, work / "tree", (*answer.modules, *answer.unresolved), jdk)
        shutil.rmtree(work)

    def _lay(self, work: Path, wanted: _Wanted) -> None:
        """A copy of the tree for Maven to work in."""
        copy = work / "tree"
        work.mkdir(parents=True)
        copy_tree(self.tree, copy)
        join_projects(copy)
        drop_comments(copy)
        if wanted.in_git:
            one_commit(self.tree, copy / ".git")
        if wanted.phase:
            use_compilers_of_today(copy)

    def _answer(self, work: Path, repository: Path, wanted: _Wanted) -> _Answer:
        asked = functools.partial(self._ask, work, repository, wanted)
        any_resolved = functools.partial(_any_resolved, work)
        at_first = functools.partial(asked, self._ways[0])
        reading = run_until_read(at_first, work / "tree", wanted.gone, any_resolved)
        wants_git = reading.error is not None and _WANTS_GIT.search(reading.error.log)
        if wants_git and not wanted.in_git:
            raise _RepositoryNeededError
        error, failing = self._carry_on(asked, work, wanted.phase, reading.error)
        modules, unresolved = self._modules(work, error)
        unread = (*unresolved, *reading.unread)
        return _Answer(modules, unread, error, reading.replaced, reading.absent, failing)

    def _carry_on(
        self,
        asked: Callable[[Sequence[str]], None],
        work: Path,
        phase: str,
        error: ToolError | None,
    ) -> tuple[ToolError | None, Mapping[Execution, str]]:
        """Go on after an error: in the other ways where they may help, then without what fails.

        The error that is left, and what Maven says of the executions that are left out.
        """
        if error is None:
            return None, {}
        first, *others = self._ways
        run = functools.partial(asked, first)
        stops_early = _WITHOUT_CLASSES in first and is_reached("compile", phase)
        lacks_classes = stops_early and _needs_classes(work)
        for way in others:
            if error is None or not (lacks_classes or compiler_failed(error.log)):
                break
            run = functools.partial(asked, way)
            error = error_of(run)
        return run_without_failing(run, work / "tree", error)

    def _modules(
        self, work: Path, error: ToolError | None
    ) -> tuple[tuple[Module, ...], tuple[Module, ...]]:
        """Those that Maven resolved, and those that are out of reach. Raises ToolError."""
        modules = _read(work)
        found = tuple(module for module in modules if module.resolved)
        if not found:
            raise error or ToolError("there is no module with code in this project")
        if error is None and self.recipe.modules:
            return found, ()
        unresolved = [each for each in modules if not each.resolved]
        return found, tuple(_left_out(each, error, work / "tree") for each in unresolved)

    def _keep_processors(self, modules: Sequence[Module], place: Path) -> None:
        """Those of the project itself are looked for on the class path."""
        own = {module.name for module in modules}
        for module in modules:
            wanted = module.processors
            if wanted and not any(f"{group}.{name}" in own for group, name, _ in wanted):
                module.keep_processors(self.tools.jars(wanted), place)

    def _ask(
        self, work: Path, repository: Path, wanted: _Wanted, properties: Sequence[str]
    ) -> None:
        goals = [*asking(work / EFFECTIVE, CLASS_PATH), *([wanted.phase] if wanted.phase else [])]
        options = ["-fae", *(f"-D{each}" for each in properties), *self.recipe.arguments]
        if self._profiles:
            options += ["-P", ",".join(self._profiles)]
        if self.recipe.modules:
            options += ["-pl", ",".join(self.recipe.modules), "-am"]
        try:
            self.tools.maven.run(
                [*options, *goals], directory=work / "tree", private=work, repository=repository
            )
        except ToolError as error:
            if interruption(error) and not wanted.may_lack:
                raise DownloadInterruptedError from error
            raise

    def _keep(self, place: Path, copy: Path, modules: Sequence[Module], jdk: Jdk) -> None:
        overlay = place / "overlay"
        overlay.mkdir()
        kinds = [(module, test) for module in modules for test in (False, True)]
        outputs = [module.output(test=test) for module, test in kinds]
        copied = [_copied(module, copy, test=test) for module, test in kinds]
        added = [path for module, test in kinds for path in module.added_sources(test=test)]
        sources = [path for module, test in kinds for path in module.sources(test=test)]
        for file in regular_files(copy):
            made = _below(copy / file, outputs) and not _is_of_compiling(copy / file)
            roots = sources if file.endswith(".java") else added
            added_to = _below(copy / file, roots) and not (self.tree / file).exists()
            generated = added_to or "/target/generated-" in f"/{file}"
            wanted = made or (generated and STUBS not in file)
            if wanted and not is_copied(copy / file, copied, self.tree):
                link_file(copy / file, overlay / file)
        for view in View:
            project = json.dumps(described(modules, copy, jdk.version, view))
            (place / f"{view.value}.json").write_text(project, encoding="utf-8")


def _read(work: Path) -> tuple[Module, ...]:
    effective = work / EFFECTIVE
    return read_modules(effective, work / "tree") if effective.is_file() else ()


def _copied(module: Module, copy: Path, *, test: bool) -> tuple[Path, Sequence[Path]]:
    """Where Maven copies resources to, and from which directories of the tree."""
    roots = module.resources("testResource" if test else "resource")
    inside = [root.relative_to(copy) for root in roots if root.is_relative_to(copy)]
    return module.output(test=test), inside


def _any_resolved(work: Path) -> bool:
    return any(module.resolved for module in _read(work))


def _needs_classes(work: Path) -> bool:
    return needs_classes(module.pom for module in _read(work))


def _is_of_compiling(file: Path) -> bool:
    """Whether Java's compiler wrote a file, which ours writes again."""
    return file.name.endswith(_OF_COMPILING) and not is_of_another_language(file)


def _below(file: Path, directories: Sequence[Path]) -> bool:
    return any(file.is_relative_to(directory) for directory in directories)


def _left_out(module: Module, error: ToolError | None, tree: Path) -> Module:
    """With what Maven says of it, or else of one that it may need; files as they lie in `tree`."""
    if error is None:
        return dataclasses.replace(module, left_out="Maven does not say what its class path is")
    name = re.escape(module.text("artifactId"))
    own = re.search(rf"on project {name}: (.+(?:\n\[ERROR\] dependency: .+)*)", error.log)
    reason = own.group(1).replace("\n[ERROR]", ";") if own else cause(error)
    said = _HELP.sub("", reason).replace(f"{tree}/", "")
    return dataclasses.replace(module, left_out=said)


def _decides(name: str) -> bool:
    """Whether a file may decide on the class path: it is no source."""
    return not _SOURCES.search(name)


def _has_modules(tree: Path) -> bool:
    pom = tree / "pom.xml"
    return not pom.is_file() or b"<module>" in pom.read_bytes()
