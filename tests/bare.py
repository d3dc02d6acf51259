"""A framework's own command on the tests of one side of a change, to compare judging with."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evaluator.checkout import Trees
from evaluator.diff import Changes
from evaluator.execution import Subject
from evaluator.languages import framework_of
from evaluator.languages.python.environment.types import python_environment
from evaluator.model import Revision

TRACED = """
import os, runpy, sys, trace
try:
    # Before the trace function is set, under which Python 3.9 makes its ParamSpec wrongly.
    import typing_extensions
except ImportError:
    pass
program, *arguments = sys.argv[1:]
sys.argv = [program, *arguments]
directory = os.getcwd() if program == "pytest" else os.path.dirname(os.path.abspath(program))
sys.path.insert(0, directory)
def run():
    if program == "bin/test":
        # Its own process for a random hash seed would run untraced.
        sys.argv.insert(1, "--no-subprocess")
    if program == "pytest":
        runpy.run_module("pytest", run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(program, run_name="__main__")
trace.Trace(count=1, trace=0).runfunc(run)
"""

RAN = re.compile(
    r"^Ran (\d+) tests? in|(\d+) (?:passed|failed|error|xfailed|skipped)", re.MULTILINE
)
"""How unittest and Django, pytest and sympy say how many tests ran."""


_PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


class UnusableBaselineError(Exception):
    """A bare run that is to be compared with did not run the tests: its time means nothing."""


@dataclass(frozen=True)
class Cost:
    """Seconds of wall time, and of processor time of all child processes."""

    wall: float
    processor: float

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.wall + other.wall, self.processor + other.processor)


def measured(work: Callable[[], object]) -> Cost:
    """What some work costs that is done by child processes, of which nothing else runs meanwhile.

    The first process in a sandbox outlives its parent by a moment, which the kernel leaves to us.
    """
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("prctl(PR_SET_CHILD_SUBREAPER) failed")
    _wait_for_all()
    before, started = _processor_seconds(), time.monotonic()
    work()
    wall = time.monotonic() - started
    _wait_for_all()
    return Cost(wall, _processor_seconds() - before)


def _wait_for_all() -> None:
    """Until no child process is left, those of work that nobody measured included."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Bare:
    """Runs without fixgate, in the environments of a subject; `name` is what errors say."""

    name: str
    trees: Trees
    subject: Subject

    def cost(
        self, revision: Revision, tests: Changes, files: Sequence[str], *, traced: bool = False
    ) -> Cost:
        """What the framework's own command costs on one side, in a fresh work tree.

        With `traced`, the standard library's `trace` counts lines. Raises UnusableBaselineError
        where no test ran.
        """
        environment = python_environment(self.subject.environments[revision])
        changes = self.subject.fix.merged(tests) if revision is Revision.FIXED else tests
        chosen = framework_of(environment.recipe)
        labels = [chosen.label(path, environment.recipe.import_roots) for path in files]
        arguments = chosen.arguments(labels, environment.recipe.test_arguments)
        program = [*chosen.program()][1:]
        command = [str(environment.python), *program, *arguments]
        if traced:
            named = [word for word in program if word != "-m"]
            command = [str(environment.python), "-c", TRACED, *named, *arguments]
        output: list[str] = []
        with self.trees.work_tree(self.subject.pristine, environment.overlays, changes) as tree:
            roots = [str(tree / root) for root in environment.recipe.import_roots]
            variables = {**chosen.variables, **environment.recipe.variables}
            path = {"PYTHONPATH": os.pathsep.join(roots)}

            def run() -> None:
                done = subprocess.run(
                    command,
                    cwd=tree,
                    env={**os.environ, **variables, **path},
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                    errors="replace",
                    check=False,
                )
                output.append(f"{done.stdout}\n(exit code {done.returncode})")

            cost = measured(run)
        self._check_ran(output[0], revision, traced)
        return cost

    def _check_ran(self, output: str, revision: Revision, traced: bool) -> None:
        """Raise UnusableBaselineError where no test ran: tests may fail, but not be left out."""
        if any(int(a or b) for a, b in RAN.findall(output)):
            return
        kind = "traced" if traced else "bare"
        raise UnusableBaselineError(
            f"{self.name}: the {kind} run on {revision} ran no test:\n{output[-1500:]}"
        )
