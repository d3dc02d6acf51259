"""`fixgate gitlab-note`: a summary as a note on a merge request of GitLab."""

from __future__ import annotations

import os
from pathlib import Path

import click

from evaluator import extra_needed


@click.command("gitlab-note")
@click.argument("summary", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def gitlab_note(summary: Path) -> None:
    """Show SUMMARY, a file in Markdown, as a note on the merge request of a GitLab CI job.

    One note, edited in place. FIXGATE_GITLAB_TOKEN is a project access token with the scope `api`;
    all else comes from the variables that GitLab gives to the jobs of merge requests.
    """
    with extra_needed("gitlab", "a note on GitLab"):
        from bot.gitlab import merge_request_of, put_note

    put_note(merge_request_of(os.environ), summary.read_text("utf-8"))
