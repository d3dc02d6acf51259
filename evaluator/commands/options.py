"""Options that several commands share, what they are turned into, and progress bars."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from evaluator.errors import InputError
from evaluator.model import Evaluation, Instance, State
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import MEBIBYTE, ResourceLimits
from evaluator.steps import Observe, unobserved
from evaluator.workspace import Workspace, WorkspaceSettings, default_cache

if TYPE_CHECKING:  # verify needs no replay, whose import takes as long as the rest
    from evaluator.swtbench.replay import Progress as OnEvaluation


class ManyValuesCommand(click.Command):
    """Reads `--option A B` as `--option A --option B` where the option may be given repeatedly.

    A bare word is first of all one of the command's arguments, until those are complete.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the options, then parse as usual."""
        return super().parse_args(ctx, list(self._repeated(args)))

    def _repeated(self, args: list[str]) -> Iterator[str]:
        options = self._options()
        missing = sum(isinstance(parameter, click.Argument) for parameter in self.params)
        current = ""
        words = iter(args)
        for word in words:
            if word.startswith("-") and word != "-":
                name, _, value = word.partition("=")
                option = options.get(name)
                current = name if option is not None and option.multiple else ""
                yield word
                if option is not None and not option.is_flag and not value:
                    yield from _first(words)
            elif missing or not current:
                missing -= 1
                yield word
            else:
                yield from (current, word)

    def _options(self) -> Mapping[str, click.Option]:
        options = [parameter for parameter in self.params if isinstance(parameter, click.Option)]
        return {name: option for option in options for name in option.opts}


def _first(words: Iterator[str]) -> Iterator[str]:
    for word in words:
        yield word
        return


REPOSITORIES = "https://github.com/{owner}/{name}.git"

Function = TypeVar("Function", bound=Callable[..., Any])

_SHARED = (
    click.option(
        "--sandbox",
        "sandbox_name",
        type=click.Choice(["auto", "docker", "bubblewrap", "process"]),
        default="auto",
        show_default=True,
        help="Where tests run. `process` isolates nothing: only for code that you trust.",
    ),
    click.option(
        "--image", default="", help="Image of the docker sandbox, pinned by digest or made locally."
    ),
    click.option("--runtime", default="", help="Runtime of the docker sandbox, for example runsc."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=1),
        default=1800.0,
        show_default=True,
        help="Seconds that one test run may take.",
    ),
    click.option(
        "--memory",
        type=click.IntRange(min=64),
        default=6144,
        show_default=True,
        help="Mebibytes that one test run may use.",
    ),
    click.option(
        "--cache",
        type=click.Path(file_okay=False, path_type=Path),
        help="Directory for mirrors, trees, environments and runs [default: the user's cache].",
    ),
    click.option("--index-url", help="Package index to install from in place of the default one."),
    click.option(
        "--ca-bundle",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Certificates to trust when packages are downloaded.",
    ),
    click.option("--offline", is_flag=True, help="Use only what was downloaded before."),
)

repos_option = click.option(
    "--repos",
    multiple=True,
    default=[REPOSITORIES],
    show_default=True,
    help="Where repositories are: an URL or a path with {owner} and {name}; the first that "
    "has the commit wins. Takes several.",
)
_BENCHMARK = (
    repos_option,
    click.option("--instances", "only", help="Ids to work on, separated by commas [default: all]."),
    click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True),
)


def workspace_options(command: Function) -> Function:
    """Add the options that `workspace` takes."""
    return _with(_SHARED, command)


def benchmark_options(command: Function) -> Function:
    """Add `repos`, `only` and `workers`, for commands that work on many instances."""
    return _with(_BENCHMARK, command)


def _with(options: Sequence[Callable[[Function], Function]], command: Function) -> Function:
    for option in reversed(options):
        command = option(command)
    return command


def workspace(
    repositories: tuple[str, ...],
    *,
    sandbox_name: str,
    image: str,
    runtime: str,
    observe: Observe = unobserved,
    **settings: Any,
) -> Workspace:
    """The workspace that the shared options describe; `settings` are for `workspace_settings`."""
    sandbox = choose_sandbox(sandbox_name, image=image, runtime=runtime)
    return Workspace(workspace_settings(repositories, **settings), sandbox, observe)


def workspace_settings(
    repositories: tuple[str, ...],
    *,
    timeout: float,
    memory: int,
    cache: Path | None,
    index_url: str | None,
    ca_bundle: Path | None,
    offline: bool,
    workers: int = 1,
) -> WorkspaceSettings:
    """What the shared options say but for the sandbox.

    Both sides of a fix run side by side where the workers leave cores for it.
    """
    limits = ResourceLimits(
        wall_seconds=timeout, cpu_seconds=2 * timeout, memory_bytes=memory * MEBIBYTE
    )
    return WorkspaceSettings(
        repositories=repositories,
        cache=(cache or default_cache()).resolve(),
        limits=limits,
        index_url=index_url,
        ca_bundle=ca_bundle,
        offline=offline,
        side_by_side=(os.cpu_count() or 1) >= 2 * workers,
    )


WIDE = 160
"""Columns of a file or a log, which have no width of their own."""


def answer_console() -> Console:
    """Where answers are printed: so wide in a file or a log that most names stay in one piece."""
    is_narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if is_narrow else WIDE)


def chosen_instances(instances: Sequence[Instance], only: str | None) -> tuple[Instance, ...]:
    """The instances that `--instances` names, in its order; all without it.

    Raises InputError, naming them, for ids that are not known.
    """
    if only is None:
        return tuple(instances)
    wanted = [name.strip() for name in only.split(",") if name.strip()]
    known = {instance.instance_id: instance for instance in instances}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        raise InputError(f"--instances names unknown ids: {', '.join(unknown)}")
    return tuple(known[name] for name in dict.fromkeys(wanted))


@contextmanager
def replay_progress(console: Console, total: int) -> Iterator[OnEvaluation]:
    """Yields what to call with each evaluation that ends."""
    with counting(console, total, ("success", "no success", "not run")) as advance:
        yield lambda evaluation: advance([_kind(evaluation)])


@contextmanager
def counting(
    console: Console, total: int, kinds: Sequence[str]
) -> Iterator[Callable[[Sequence[str]], None]]:
    """Yields what to call with the kinds of all that came out of one of `total` steps."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    counts = dict.fromkeys(kinds, 0)
    with Progress(TextColumn("{task.description}"), *columns, console=console) as bar:
        task = bar.add_task(_told(counts), total=total)

        def advance(came_out: Sequence[str]) -> None:
            for kind in came_out:
                counts[kind] += 1
            bar.update(task, advance=1, description=_told(counts))

        yield advance


def _kind(evaluation: Evaluation) -> str:
    if evaluation.state is not State.GRADED:
        return "not run"
    return "success" if evaluation.success else "no success"


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in counts.items())
