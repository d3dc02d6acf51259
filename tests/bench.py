"""How fast judging is, as ratios measured in one run: `make bench`.

For each instance, the golden tests are judged on both sides and compared with

(a) the bare framework running the same files once per side, and
(b) the six serial traced runs that the reference harness makes: {prediction, golden tests, no
    tests} on both sides, counting lines with the standard library's `trace` under `sys.settrace`.

`cold`: the environment is built, nothing else is cached. `warm`: the runs of the base and of the
golden tests are cached too, and a prediction is judged (the golden tests with a comment added).
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evaluator.checkout import Trees
from evaluator.compiling import CompiledTrees
from evaluator.diff import Changes, apply
from evaluator.execution import Executor, Subject
from evaluator.judge import files_to_run, judge
from evaluator.model import Instance, Prediction, Revision
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits, Sandbox
from evaluator.storage.runs import RunCache
from evaluator.swtbench.dataset import load_instances
from evaluator.swtbench.replay import Replay, ReplaySettings
from evaluator.swtbench.trial import fixed_subject
from evaluator.workspace import Workspace, WorkspaceSettings, default_cache
from tests.bare import Bare

INSTANCES = (
    "django__django-11099",
    "django__django-15252",
    "sympy__sympy-17022",
    "sympy__sympy-24213",
    "pytest-dev__pytest-7490",
    "pydata__xarray-5131",
    "mwaskom__seaborn-3010",
    "sphinx-doc__sphinx-8435",
)


@dataclasses.dataclass(frozen=True)
class Bench:
    """One instance made ready: its subject, its golden tests, and where to work."""

    instance: Instance
    subject: Subject
    tests: Changes
    trees: Trees
    sandbox: Sandbox

    @property
    def files(self) -> tuple[str, ...]:
        return files_to_run(self.tests)

    @property
    def standing(self) -> tuple[str, ...]:
        return tuple(path for path in self.files if self.subject.source(path) is not None)

    def bare(self, revision: Revision, tests: Changes, files: Sequence[str], traced: bool) -> float:
        """Seconds that the framework's own command takes on one side, in a fresh work tree."""
        bare = Bare(self.instance.instance_id, self.trees, self.subject)
        return bare.cost(revision, tests, files, traced=traced).wall

    def plain(self) -> float:
        """(a): the same files, once per side."""
        return sum(self.bare(side, self.tests, self.files, traced=False) for side in Revision)

    def six(self) -> float:
        """(b): six runs, one after the other, traced."""
        none = Changes({})
        kinds = ((self.tests, self.files), (self.tests, self.files), (none, self.standing))
        return sum(
            self.bare(side, tests, files, traced=True)
            for tests, files in kinds
            for side in Revision
            if files
        )

    def judged(self, cache: Path, tests: Changes) -> float:
        """Seconds to judge tests with the runs that `cache` holds."""
        compiled = CompiledTrees(self.sandbox, cache / "compiled")
        executor = Executor(
            self.sandbox, self.trees, RunCache(cache), compiled, limits=ResourceLimits()
        )
        started = time.monotonic()
        golden = executor.both(self.subject, self.tests, self.files)
        judge(executor, self.subject, tests, golden=golden)
        return time.monotonic() - started

    def prediction(self, mark: str) -> Changes:
        """The golden tests with a comment at the end: other content, the same work."""
        path = self.files[0]
        content = (self.tests.contents[path] or b"") + f"\n# {mark}\n".encode()
        return Changes({**self.tests.contents, path: content})


def main() -> None:
    options = _options()
    console = Console()
    sandbox = choose_sandbox(options.sandbox)
    rows = {
        i.instance_id: i for i in load_instances(str(options.data / "lite_dev.jsonl")).instances
    }
    chosen = [rows[name] for name in options.instances if name in rows]
    if not chosen:
        sys.exit(f"none of {', '.join(options.instances)} is in {options.data}")
    with tempfile.TemporaryDirectory(prefix="fixgate-bench-") as scratch:
        workspace = Workspace(_settings(options), sandbox)
        table = Table(
            "instance", "bare", "six traced", "cold", "warm", "warm/bare", "six/cold", "six/warm"
        )
        ratios = [_measure(workspace, sandbox, i, Path(scratch), table, options) for i in chosen]
        warm, cold, six = (statistics.geometric_mean(r) for r in zip(*ratios, strict=True))
        table.add_row("geometric mean", "", "", "", "", f"{warm:.2f}", f"{cold:.2f}", f"{six:.2f}")
        console.print(table)
        _throughput(console, options, sandbox, chosen, Path(scratch))


def _measure(
    workspace: Workspace,
    sandbox: Sandbox,
    instance: Instance,
    scratch: Path,
    table: Table,
    options: argparse.Namespace,
) -> tuple[float, float, float]:
    subject = fixed_subject(workspace, instance, instance.patch)
    tests = apply(instance.test_patch, subject.source).changes
    bench = Bench(instance, subject, tests, workspace.trees, sandbox)
    bare = _median(options.repeat, lambda _: bench.plain())
    six = bench.six()
    cold = _median(
        options.repeat,
        lambda n: bench.judged(scratch / f"{instance.instance_id}-{n}", bench.prediction("cold")),
    )
    warm = _median(
        options.repeat,
        lambda n: bench.judged(
            scratch / f"{instance.instance_id}-0", bench.prediction(f"warm {n}")
        ),
    )
    seconds = (f"{value:.1f} s" for value in (bare, six, cold, warm))
    table.add_row(
        instance.instance_id,
        *seconds,
        f"{warm / bare:.2f}",
        f"{six / cold:.2f}",
        f"{six / warm:.2f}",
    )
    return warm / bare, six / cold, six / warm


def _median(repeat: int, measure: Callable[[int], float]) -> float:
    return statistics.median(measure(number) for number in range(repeat))


def _throughput(
    console: Console,
    options: argparse.Namespace,
    sandbox: Sandbox,
    chosen: Sequence[Instance],
    scratch: Path,
) -> None:
    """Wall time of a replay of the golden tests with one run at a time, one worker, and two."""
    modes = {"one run at a time": (1, False), "1 worker": (1, True), "2 workers": (2, False)}
    seconds: dict[str, float] = {}
    for name, (workers, side_by_side) in modes.items():
        settings = dataclasses.replace(_settings(options), side_by_side=side_by_side)
        workspace = Workspace(settings, sandbox)
        compiled = CompiledTrees(sandbox, scratch / "compiled")
        workspace.executor = Executor(
            sandbox, workspace.trees, RunCache(scratch / name), compiled, side_by_side=side_by_side
        )
        replay = Replay(workspace, scratch / f"out-{name}", ReplaySettings(workers=workers))
        golden = {i.instance_id: Prediction(i.instance_id, "gold", i.test_patch) for i in chosen}
        started = time.monotonic()
        replay.run(chosen, {"gold": golden}, lambda _: None)
        seconds[name] = time.monotonic() - started
    first = seconds["one run at a time"]
    for name, value in seconds.items():
        console.print(f"{name}: {len(chosen)} instances in {value:.1f} s, {first / value:.2f} x")


def _settings(options: argparse.Namespace) -> WorkspaceSettings:
    mirrors = options.mirrors
    templates = (
        f"{mirrors}/{{owner}}+{{name}}/repo",
        f"{mirrors}/swe-bench+{{owner}}__{{name}}/repo",
    )
    return WorkspaceSettings(templates, options.cache, ResourceLimits())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("FIXGATE_DATA"))
    parser.add_argument("--mirrors", type=Path, default=os.environ.get("FIXGATE_MIRRORS"))
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--instances", nargs="+", default=INSTANCES)
    options = parser.parse_args()
    if options.data is None or options.mirrors is None:
        parser.error("name the data and the mirrors: make bench DATA=... MIRRORS=...")
    options.mirrors = options.mirrors.resolve()
    return options


if __name__ == "__main__":
    main()
