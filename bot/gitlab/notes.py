"""The one note of fixgate on a merge request.

https://docs.gitlab.com/api/notes/
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import gitlab
import requests
from gitlab.exceptions import GitlabError
from gitlab.v4.objects import ProjectMergeRequest, ProjectMergeRequestNote

from bot.errors import ConfigurationError
from bot.messages.comments import marker
from bot.messages.markdown import shortened
from generator.model.secret import Secret

MARKER: Final = marker("gitlab")
LONGEST_NOTE: Final = 900_000
"""Characters; GitLab takes a million."""
SECONDS: Final = 30.0


@dataclass(frozen=True)
class MergeRequestId:
    """A merge request by its number in a project, on a GitLab, and a token that may write to it."""

    server: str
    project: str
    number: int
    token: Secret = field(repr=False)


def merge_request_of(environment: Mapping[str, str]) -> MergeRequestId:
    """That of a job, by GitLab's own variables. Raises ConfigurationError naming what is missing.

    https://docs.gitlab.com/ci/variables/predefined_variables/
    """
    names = ("CI_SERVER_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_IID", "FIXGATE_GITLAB_TOKEN")
    missing = [name for name in names if not environment.get(name)]
    if missing:
        raise ConfigurationError(
            f"{', '.join(missing)} not set: run this in a job of a merge request pipeline, with a "
            "project access token (scope `api`) as the variable FIXGATE_GITLAB_TOKEN"
        )
    server, project, number, token = (environment[name] for name in names)
    return MergeRequestId(server, project, int(number), Secret(token, names[-1]))


def put_note(place: MergeRequestId, text: str) -> None:
    """Make or edit the note. Raises ConfigurationError with what GitLab says."""
    body = shortened(f"{MARKER}\n{text}", LONGEST_NOTE)
    try:
        with gitlab.Gitlab(place.server, place.token.reveal(), timeout=SECONDS) as client:
            client.auth()
            assert client.user is not None  # who the token belongs to
            project = client.projects.get(place.project, lazy=True)
            request = project.mergerequests.get(place.number, lazy=True)
            _put(request, client.user.id, body)
    except (GitlabError, requests.RequestException) as error:
        raise ConfigurationError(
            f"{place.server} does not take the note: {error}; see FIXGATE_GITLAB_TOKEN"
        ) from error


def _put(request: ProjectMergeRequest, author: int, body: str) -> None:
    own = _own_note(request, author)
    if own is None:
        request.notes.create({"body": body})
    elif own.body != body:
        own.body = body
        own.save()


def _own_note(request: ProjectMergeRequest, author: int) -> ProjectMergeRequestNote | None:
    """Notes of others that copy the marker are left alone."""
    for note in request.notes.list(iterator=True, order_by="created_at", sort="asc"):
        if note.author["id"] == author and note.body.startswith(MARKER):
            return note
    return None
