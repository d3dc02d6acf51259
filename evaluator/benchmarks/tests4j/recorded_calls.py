"""Which methods tests call when they run, recorded by an agent in their virtual machine.

See `evaluator/languages/java/probe/src/fixgate/count/Calls.java` for what counts as a call.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator.benchmarks.tests4j.excluding import excluded
from evaluator.benchmarks.tests4j.mapping import Called, Lines
from evaluator.benchmarks.tests4j.preparing import built, files_of, units_of
from evaluator.benchmarks.tests4j.running import method_name
from evaluator.benchmarks.tests4j.sources import RepositorySources
from evaluator.diff import Changes
from evaluator.environment.types import Uncompiled
from evaluator.languages.java.environment.types import JavaEnvironment
from evaluator.model import Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.protocol import ExitReason
from evaluator.workspace import Workspace

_MOST_ROUNDS = 10


@dataclass(frozen=True)
class CallRecorder:
    """Runs all tests of repositories as they are.

    `on_left_out` is told of what a repository is built without: its tests call nothing.
    """

    workspace: Workspace
    on_left_out: Callable[[str, Uncompiled], None]

    def record(self, sources: RepositorySources, methods: Lines) -> Called:
        """What each test calls of the methods that begin at some lines.

        Raises CheckoutError, EnvironmentBuildError and SandboxError.
        """
        trees = self.workspace.trees
        pristine = trees.pristine(sources.name, sources.commit)
        changes = Changes(excluded(files_of(pristine), pristine, sources.exclude))
        _, environment = built(self.workspace, sources.name, pristine, changes)
        for each in environment.uncompiled:
            self.on_left_out(sources.name, each)
        recording = dataclasses.replace(
            environment, options=(*environment.options, "-Dfixgate.calls=true")
        )
        called: dict[tuple[str, str], dict[str, frozenset[int]]] = {}
        with trees.work_tree(pristine, environment.overlays, changes) as tree:
            for unit in units_of(environment):
                files = [f.path for f in sources.test_files if unit.test and unit.holds(f.path)]
                for run in self._runs(recording, tree, files, methods):
                    _take_in(run, called)
        return called

    def _runs(
        self, environment: JavaEnvironment, tree: Path, files: list[str], methods: Lines
    ) -> Iterator[Run]:
        """Runs of files, the rest again where a test ended the virtual machine."""
        limits = self.workspace.limits
        for _ in range(_MOST_ROUNDS):
            request = RunRequest(tree, environment, tuple(files), traced=methods, limits=limits)
            run = run_tests(self.workspace.sandbox, request)
            yield run
            done = {outcome.file for outcome in run.outcomes.values()}
            files = [each for each in files if each not in done]
            if run.ending is ExitReason.EXITED or not done or not files:
                break


def _take_in(run: Run, called: dict[tuple[str, str], dict[str, frozenset[int]]]) -> None:
    for test, paths in run.contexts.items():
        outcome = run.outcomes.get(test)
        if outcome is not None:
            own = called.setdefault((outcome.file, method_name(test)), {})
            for path, lines in paths.items():
                own[path] = own.get(path, frozenset()).union(lines)
