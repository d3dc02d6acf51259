"""`fixgate verify`: judge a change in a local repository."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import click

from evaluator.commands.options import (
    ManyValuesCommand,
    answer_console,
    workspace,
    workspace_options,
)
from evaluator.commands.showing_steps import StepDisplay
from evaluator.errors import InputError
from evaluator.report.verification import print_verification, verification_json
from evaluator.verdict import Decision
from evaluator.verification.change import change_between
from evaluator.verification.executed import write_executed
from evaluator.verification.thoroughness import LEAST_REGRESSION_SECONDS, QUICK, THOROUGH
from evaluator.verification.verify import GivenTests, Verification, local_repository
from evaluator.verification.verify import verify as judge_change

_FILE = click.Path(dir_okay=False, path_type=Path)
EXIT_CODES = {Decision.ACCEPT: 0, Decision.REJECT: 1, Decision.ABSTAIN: 3}
"""What scripts see; 2 is a usage or input error, as in every command."""


@click.command(cls=ManyValuesCommand)
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="A local repository [default: the current directory].",
)
@click.option("--base", required=True, help="Revision without the change.")
@click.option("--head", default="HEAD", show_default=True, help="Revision with the change.")
@click.option(
    "--tests",
    "patches",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="A patch of tests that the change must satisfy. Takes several.",
)
@click.option(
    "--issue",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The report that the change answers; failures are compared with it.",
)
@click.option(
    "--reruns",
    type=click.IntRange(min=0),
    help=f"How often the runs are repeated [default: {THOROUGH.reruns}, quick: {QUICK.reruns}].",
)
@click.option(
    "--quick", is_flag=True, help="Leave out what takes long; the answer says what that was."
)
@click.option(
    "--regression-budget",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="How long existing tests run that the change can affect; 0 for not at all [default: as "
    f"long as the judged tests, from {LEAST_REGRESSION_SECONDS:g} to "
    f"{THOROUGH.regression_seconds:g}; quick: {QUICK.regression_seconds:g}].",
)
@click.option(
    "--coverage",
    "coverage_file",
    type=_FILE,
    help="Write a data file of coverage.py: what each reproducing test executes with the change.",
)
@click.option("--sarif", type=_FILE, help="Write the reasons as SARIF 2.1.0.")
@click.option("--junit", type=_FILE, help="Write the verdict and the tests as JUnit's XML.")
@click.option("--markdown", type=_FILE, help="Write a summary in Markdown.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@workspace_options
def verify(
    repo: Path,
    base: str,
    head: str,
    patches: tuple[Path, ...],
    issue: Path | None,
    reruns: int | None,
    *,
    quick: bool,
    regression_budget: float | None,
    coverage_file: Path | None,
    sarif: Path | None,
    junit: Path | None,
    markdown: Path | None,
    as_json: bool,
    **shared: Any,
) -> None:
    """Do tests fail without a change and pass with it?

    Exit code 0: accept, 1: reject, 3: cannot tell, 2: the input cannot be used.
    """
    thoroughness = QUICK if quick else THOROUGH
    if reruns is not None:
        thoroughness = dataclasses.replace(thoroughness, reruns=reruns)
    if regression_budget is not None:
        thoroughness = thoroughness.with_regressions(regression_budget)
    given = [GivenTests(str(path), _text(path)) for path in patches]
    own = workspace((str(local_repository(repo).resolve()),), **shared, observe=StepDisplay())
    verification = judge_change(
        own,
        change_between(repo, base, head, own.cache),
        given=given,
        issue=_text(issue) if issue else "",
        thoroughness=thoroughness,
        record=coverage_file is not None,
    )
    if coverage_file is not None:
        _write_coverage(coverage_file, verification, repo)
    _write_reports(verification, sarif=sarif, junit=junit, markdown=markdown)
    if as_json:
        click.echo(json.dumps(verification_json(verification), indent=2))
    else:
        print_verification(answer_console(), verification)
    raise SystemExit(EXIT_CODES[verification.verdict.decision])


def _write_reports(
    verification: Verification, *, sarif: Path | None, junit: Path | None, markdown: Path | None
) -> None:
    """Write the reports that are asked for. Raises InputError where a file cannot be written."""
    # Imported where they are asked for, as that takes long.
    if sarif is not None:
        from evaluator.report.sarif import sarif as to_sarif

        _write(sarif, json.dumps(to_sarif(verification), indent=2).encode())
    if junit is not None:
        from evaluator.report.junit import junit as to_junit

        _write(junit, to_junit(verification))
    if markdown is not None:
        from evaluator.report.markdown import markdown as to_markdown

        _write(markdown, to_markdown(verification).encode("utf-8", "replace"))


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error


def _write_coverage(file: Path, verification: Verification, repo: Path) -> None:
    try:
        write_executed(file, verification.executed, repo)
    except OSError as error:
        raise InputError(f"{file}: cannot be written: {error.strerror}") from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
