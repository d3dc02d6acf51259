"""`fixgate environment`: what the tests of a repository run in, and what it lacks."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from evaluator.checkout import local_name
from evaluator.commands.options import workspace, workspace_options
from evaluator.commands.showing_steps import StepDisplay
from evaluator.environment.configuration import FILES, Found, additions_text, with_additions
from evaluator.environment.types import Addition
from evaluator.errors import InputError
from evaluator.languages.failures import headline
from evaluator.model import FAILING, Status
from evaluator.readiness import Readiness, readiness
from evaluator.verification.change import commit_of
from evaluator.verification.verify import local_repository


@click.command()
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="A local repository [default: the current directory].",
)
@click.option("--revision", default="HEAD", show_default=True, help="The commit to look at.")
@click.option(
    "--files",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many test files are run, from all over the repository.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=1),
    default=300,
    show_default=True,
    help="How long they may run.",
)
@click.option("--write", is_flag=True, help=f"Write what was added to {FILES[0]} of the directory.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@workspace_options
def environment(
    repo: Path,
    revision: str,
    files: int,
    seconds: float,
    *,
    write: bool,
    as_json: bool,
    **shared: Any,
) -> None:
    """Find and build the environment of a repository, and run some of its tests in it.

    Packages that tests cannot be loaded without are looked for and added. Exit code 0: the tests
    run, 1: some of them cannot be loaded or none passes, 2: the input cannot be used.
    """
    own = workspace((str(local_repository(repo).resolve()),), **shared, observe=StepDisplay())
    commit = commit_of(repo, revision, own.cache)
    found = readiness(own, local_name(repo), commit, most_files=files, seconds=seconds)
    added = _added(found)
    if write and added:
        _write(repo, added)
    if as_json:
        click.echo(json.dumps(_json(found), indent=2))
    else:
        click.echo("\n".join(_lines(found)))
        if added:
            click.echo(f"\n# {FILES[0]}\n{additions_text(added)}", nl=False)
    raise SystemExit(0 if found.ready else 1)


def _added(found: Readiness) -> Found:
    """What the recipe came to where something was added, by the key that holds it."""
    recipe = found.environment.recipe
    return {each.key: getattr(recipe, each.key) for each in found.added}


def _really_added(found: Readiness) -> Sequence[Addition]:
    """Without what leaves a package out, which is named as that."""
    return [each for each in found.added if not each.leaves_out]


def _lines(found: Readiness) -> Iterator[str]:
    recipe = found.environment.recipe
    count = len(found.environment.packages)
    yield f"{recipe.language}, {recipe.framework}, {count} packages; found in {recipe.source}"
    for service in found.environment.services:
        yield f"beside the tests: {service.name}" + (", if it is installed" * service.optional)
    for absent in found.environment.absent:
        yield f"not beside the tests: {absent.name}: {absent.reason}"
    for addition in _really_added(found):
        yield f"added: {addition.package} ({addition.what})"
    for name in found.environment.unbuilt:
        yield f"left out, as it cannot be installed here: {name}"
    left_out = {each.place: each.reason for each in found.environment.uncompiled}
    for places, reason in _by_reason(left_out):
        yield f"left out, as it cannot be built here: {places} ({reason})"
    yield from _run_lines(found)


def _run_lines(found: Readiness) -> Iterator[str]:
    ran = f"{len(found.sample) - len(found.not_reached)} of {found.files} test files ran"
    passed, failed = found.count(Status.PASSED), found.count(*FAILING)
    yield f"{ran}: {passed} tests pass, {failed} fail"
    for test in found.stopped_in:
        yield f"stopped after {found.run.wall_seconds:.0f} seconds in {test}"
    if found.not_reached:
        yield f"not reached before that: {', '.join(found.not_reached)}"
    for files, reason in _by_reason(found.unloaded):
        yield f"cannot be loaded: {files}: {reason}"


def _by_reason(reasons: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The first of those for which the same is said, how many more there are, and what is said."""
    alike: dict[str, list[str]] = {}
    for name, reason in reasons.items():
        alike.setdefault(headline(reason), []).append(name)
    for reason, (first, *others) in alike.items():
        yield f"{first} and {len(others)} more" if others else first, reason


def _json(found: Readiness) -> dict[str, object]:
    recipe = found.environment.recipe
    return {
        "schema_version": 1,
        "ready": found.ready,
        "language": recipe.language,
        "framework": recipe.framework,
        "source": recipe.source,
        "packages": list(found.environment.packages),
        "services": [service.name for service in found.environment.services],
        "absent_services": [dataclasses.asdict(each) for each in found.environment.absent],
        "unbuilt": list(found.environment.unbuilt),
        "uncompiled": [dataclasses.asdict(each) for each in found.environment.uncompiled],
        "added": [{"what": each.what, "package": each.package} for each in _really_added(found)],
        "files": found.files,
        "sample": list(found.sample),
        "passed": found.count(Status.PASSED),
        "failed": found.count(*FAILING),
        "unloaded": dict(found.unloaded),
        "stopped_in": list(found.stopped_in),
        "not_reached": list(found.not_reached),
    }


def _write(repo: Path, added: Found) -> None:
    """Add what was found to the repository's own file. Raises InputError where that is not safe."""
    path = next((repo / name for name in FILES if (repo / name).is_file()), repo / FILES[0])
    try:
        path.parent.mkdir(exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(with_additions(before, path.name, added), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be written: {error}") from error
