"""Run test files in a sandbox: what came of each test and each traced line."""

from __future__ import annotations

import dataclasses
import enum
import functools
import json
import os
import re
import secrets
import shlex
import signal
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evaluator.compiling import CompiledTree
from evaluator.environment.types import Environment
from evaluator.errors import SandboxError
from evaluator.joining import joined
from evaluator.languages import Language, framework_of, language
from evaluator.languages.protocol import Framework
from evaluator.model import Failure, Phase, Run, Status, TestOutcome
from evaluator.probe_results import KEY_BYTES, ProbeResults, read_results
from evaluator.sandbox.guise import USUAL, Guise
from evaluator.sandbox.protocol import (
    Command,
    CommandResult,
    ExitReason,
    Mount,
    Patience,
    ResourceLimits,
    Sandbox,
)
from evaluator.storage.keys import content_key, digest_of

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def program_variables(environment: Environment, tree: str, *, seed: int = 0) -> dict[str, str]:
    """All variables of a program in the sandbox; `tree` is where it sees the work tree."""
    return {
        "PATH": os.pathsep.join([*map(str, environment.programs), SYSTEM_PATH]),
        **run_variables(environment, tree, seed=seed),
    }


def run_variables(environment: Environment, tree: str, *, seed: int = 0) -> Mapping[str, str]:
    """The variables that matter to the tests; `seed` is that of what is left to chance."""
    return {
        **environment.variables(tree, seed),
        **framework_of(environment.recipe).variables,
        **environment.recipe.variables,
    }


_NUMBERED = re.compile(r"#\d+\Z")


class RecordMode(enum.StrEnum):
    """What is recorded of the code that tests execute: the first lines of functions, or all."""

    NOTHING = "nothing"
    FUNCTIONS = "functions"
    LINES = "lines"


@dataclass(frozen=True)
class RunRequest:
    """Test files to run in a tree.

    `tree` is a private copy that the run may write to; `files` are relative to it. `traced` maps a
    path to the lines whose executions are counted. `seed` seeds string hashes and, where the
    framework has one, its random numbers. `only` names the tests to run, as in `TestOutcome.test`;
    every test of the files runs where it is empty, but for the functions that `without` names, with
    all their cases. `record` says what is recorded of the code that
    each test executes. `guise` is what the sandbox looks like; what is recorded has the usual names
    in its place. `patience` may end before the limits do. `compiled` is shared by all runs of a
    tree with this content; None where each compiles for itself.
    """

    tree: Path
    environment: Environment
    files: tuple[str, ...]
    traced: Mapping[str, frozenset[int]] = field(default_factory=dict)
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    seed: int = 0
    only: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    record: RecordMode = RecordMode.NOTHING
    guise: Guise = USUAL
    patience: Patience = field(default_factory=Patience)
    compiled: CompiledTree | None = None

    @property
    def language(self) -> Language:
        """The language of the environment."""
        return language(self.environment.recipe.language)


def run_tests(sandbox: Sandbox, request: RunRequest) -> Run:
    """Run the files that exist and hold tests; without any, nothing is started.

    Where the environment runs some of them apart, one run follows the other in the same tree, and
    none follows one that was cut short. Raises SandboxError when the sandbox, or a service that the
    tests need, cannot be set up, and CheckoutError where there is no place to compile in.
    """
    chosen = framework_of(request.environment.recipe)
    files = tuple(file for file in request.files if chosen.selects(file, request.tree))
    if not files:
        return Run(outcomes={})
    began = time.monotonic()
    request = _compiled(request)
    compiling = time.monotonic() - began
    for path in request.traced:
        request.language.runner.forget_compiled(request.tree, path)
    run = joined(_run_parts(sandbox, request, chosen, files, compiling))
    return dataclasses.replace(run, wall_seconds=compiling + run.wall_seconds)


def _run_parts(
    sandbox: Sandbox,
    request: RunRequest,
    chosen: Framework,
    files: tuple[str, ...],
    compiling: float,
) -> Sequence[Run]:
    runs: list[Run] = []
    for part in request.environment.parts(files):
        spent = compiling + sum(run.wall_seconds for run in runs)
        runs.append(_run_part(sandbox, _remaining(request, spent), chosen, part))
        if runs[-1].ending is not ExitReason.EXITED:
            break
    return runs


def _compiled(request: RunRequest) -> RunRequest:
    if request.compiled is None:
        return request
    found = request.compiled.environment(request.environment, request.tree, request.limits)
    return dataclasses.replace(request, environment=found)


def _remaining(request: RunRequest, spent: float) -> RunRequest:
    """The same without the seconds that are spent, but for a second at least."""
    seconds = request.limits.wall_seconds - spent
    limits = dataclasses.replace(request.limits, wall_seconds=max(seconds, 1.0))
    return dataclasses.replace(request, limits=limits)


def _run_part(
    sandbox: Sandbox, request: RunRequest, chosen: Framework, files: tuple[str, ...]
) -> Run:
    with tempfile.TemporaryDirectory(prefix="fixgate-run-", ignore_cleanup_errors=True) as name:
        prepared = _Prepared(sandbox, request, chosen, files, Path(name).resolve() / "results")
        completed = sandbox.run(prepared.command())
        results = read_results(
            prepared.directory / "results.jsonl", prepared.key, request.guise.plain
        )
    if results.service:
        raise SandboxError(f"{results.service}\n{completed.output[-2000:]}")
    return _assemble(prepared, completed, results)


@dataclass(frozen=True)
class _Prepared:
    """One run that is about to start: its mounts, its specification and its command.

    `directory` is yet to be made, in one that only this user may enter. `key` authenticates the
    results (see `evaluator.probe_results`).
    """

    sandbox: Sandbox
    request: RunRequest
    framework: Framework
    files: tuple[str, ...]
    directory: Path
    key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES))

    @property
    def arguments(self) -> tuple[str, ...]:
        recipe = self.request.environment.recipe
        return self.framework.arguments([*self.labels], recipe.test_arguments)

    @property
    def labels(self) -> dict[str, str]:
        """The files by what the framework is given for them."""
        roots = self.request.environment.recipe.import_roots
        return {self.framework.label(file, roots): file for file in self.files}

    def command(self) -> Command:
        """Write the specification and return the command that follows it."""
        guise = self.request.guise
        tools = PurePosixPath(guise.tools)
        tree = Mount(self.request.tree.resolve(), PurePosixPath(guise.tree), writable=True)
        probe = Mount(self.request.language.runner.probe, tools / "probe")
        results = Mount(self.directory, tools / "results", writable=True)
        place = self.sandbox.location(tree)
        self._fill_directory(place)
        environment = self.request.environment
        return Command(
            argv=environment.launch(self.sandbox.location(probe), self.sandbox.location(results)),
            directory=place,
            mounts=(tree, probe, results, *environment.mounts),
            environment=program_variables(environment, place, seed=self.request.seed),
            limits=self.request.limits,
            guise=guise,
            patience=self.request.patience,
        )

    def _fill_directory(self, tree: str) -> None:
        self.directory.mkdir()
        (self.directory / "spec.json").write_text(json.dumps(self._specification(tree)))
        (self.directory / "key").write_bytes(self.key)
        # The user inside may not be the one who made it; others cannot enter what it lies in.
        self.directory.chmod(0o777)

    def _specification(self, tree: str) -> dict[str, object]:
        return {
            "runner": self.framework.runner,
            "tree": tree,
            "files": self.files,
            "labels": self.labels,
            "arguments": self.arguments,
            "traced": {path: sorted(lines) for path, lines in self.request.traced.items() if lines},
            "seed": self.request.seed,
            "record": self.request.record,
            "only": sorted(_as_collected(self.request.only, self.request.guise)),
            "without": sorted(_as_collected(self.request.without, self.request.guise)),
            "services": list(map(dataclasses.asdict, self.request.environment.services)),
        }

    def by_hand(self) -> str:
        """A shell line that runs the same tests without fixgate, from the tree's root."""
        variables = run_variables(self.request.environment, ".", seed=self.request.seed)
        settings = [f"{name}={shlex.quote(text)}" for name, text in variables.items()]
        return " ".join([*settings, shlex.join([*self.framework.program(), *self.arguments])])


def _as_collected(names: Iterable[str], guise: Guise) -> set[str]:
    """Names of tests as their framework has them; the probe numbers those that recur."""
    recorded = {_NUMBERED.sub("", name) for name in names} | set(names)
    return recorded | {guise.disguised(name) for name in recorded}


def _assemble(prepared: _Prepared, completed: CommandResult, results: ProbeResults) -> Run:
    ending = _ending(completed, results)
    outcomes = {
        **results.outcomes,
        **_unfinished(results, ending, completed),
        **_uncollected(results, prepared.files),
    }
    return Run(
        outcomes=outcomes,
        hits=results.hits,
        contexts=_sorted(results.contexts),
        executed=_sorted(results.executed),
        unseen=tuple(sorted(results.unseen)),
        ending=ending,
        exit_code=completed.exit_code,
        output=prepared.request.guise.plain(completed.output),
        wall_seconds=completed.wall_seconds,
        command=prepared.by_hand(),
        untraced=results.untraced,
    )


def _sorted(
    contexts: Mapping[str, Mapping[str, Iterable[int]]],
) -> Mapping[str, Mapping[str, tuple[int, ...]]]:
    return {
        test: {path: tuple(sorted(lines)) for path, lines in files.items()}
        for test, files in contexts.items()
    }


def _ending(completed: CommandResult, results: ProbeResults) -> ExitReason:
    """A run that ended by itself before it got through its tests was killed by one of them."""
    begun = bool(results.outcomes or results.started)
    stopped = results.exit_code is None or (begun and results.abort is not None)
    return (
        ExitReason.KILLED if completed.ending is ExitReason.EXITED and stopped else completed.ending
    )


def _unfinished(
    results: ProbeResults, ending: ExitReason, completed: CommandResult
) -> dict[str, TestOutcome]:
    """Tests that had begun when the run ended end as it did."""
    status = Status.of_cut(ending)
    what = _death(completed.exit_code) if status is Status.CRASHED else ending.value
    if ending is ExitReason.TIMEOUT:
        what = f"{ending.value} after {completed.wall_seconds:.0f} seconds"
    failure = Failure("", f"the run ended during this test ({what})")
    return {
        test: TestOutcome(test, file, status, phase=Phase.CALL, failure=failure)
        for test, file in results.started.items()
    }


def _death(exit_code: int | None) -> str:
    """How a process came to its end: 128 + N is a death by signal N."""
    if exit_code is None:
        return "its process was killed"
    numbers = {each.value: each.name for each in signal.Signals}
    name = numbers.get(exit_code - 128)
    return f"its process died of {name}" if name else f"its process left with code {exit_code}"


def _uncollected(results: ProbeResults, files: tuple[str, ...]) -> dict[str, TestOutcome]:
    """When something stopped a run as a whole, files that reported nothing failed for that."""
    if results.abort is None:
        return {}
    ended = {outcome.file for outcome in results.outcomes.values()}
    reported = ended | set(results.started.values())
    return {
        file: TestOutcome(file, file, Status.ERROR, Phase.COLLECTION, failure=results.abort)
        for file in files
        if file not in reported
    }


@functools.cache
def _common_digest() -> str:
    here = Path(__file__)
    sources = [
        here,
        here.with_name("compiling.py"),
        here.with_name("joining.py"),
        here.with_name("probe_results.py"),
        here.with_name("sandbox") / "guise.py",
    ]
    return digest_of(sources)


def runner_digest(language: Language) -> str:
    """Of all code that has a say in the results of a run of tests in a language."""
    return content_key([_common_digest(), language.runner.digest])
