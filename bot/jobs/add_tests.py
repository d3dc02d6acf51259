"""Adds the tests that a pull request was judged by to the pull request itself."""

from __future__ import annotations

from bot.errors import ForbiddenError
from bot.github.models import Pull
from bot.github.protocol import Repository
from bot.github.types import RepositoryId
from bot.jobs.services import Services
from bot.messages.comments import TESTS_MARKER, tests_to_apply
from evaluator.checkout import Mirror
from evaluator.diff import Changes, Source, apply
from evaluator.languages import is_test_file


def add_tests(services: Services, place: RepositoryId, repository: Repository, pull: Pull) -> None:
    """Commit the tests of the linked issues to the pull request's branch.

    Where that cannot be pushed to (it is on a fork, or the App may not write), the tests are shown
    in a comment to be applied by hand. Raises ConflictError where the branch has moved.
    """
    patches = _patches(services, place, repository, pull)
    if not patches:
        return
    try:
        committed = not pull.from_fork and _committed(services, place, repository, pull, patches)
    except ForbiddenError:
        committed = False
    if not committed:
        repository.put_comment(pull.number, TESTS_MARKER, tests_to_apply(patches))


def _committed(
    services: Services,
    place: RepositoryId,
    repository: Repository,
    pull: Pull,
    patches: list[str],
) -> bool:
    """Commits what the branch lacks of the tests. Raises ForbiddenError, ConflictError."""
    changes = _together(patches, _head(services, place, repository, pull))
    if changes.contents:
        message = "Add tests that reproduce the issues that this fixes"
        repository.commit_files(pull.head.ref, pull.head.sha, changes.contents, message)
    return True


def _patches(
    services: Services, place: RepositoryId, repository: Repository, pull: Pull
) -> list[str]:
    numbers = repository.issues_closed_by(pull.number)
    kept = [services.store.tests.newest(place.full_name, number) for number in numbers]
    return [tests.patch for tests in kept if tests is not None]


def _head(services: Services, place: RepositoryId, repository: Repository, pull: Pull) -> Source:
    reference = f"refs/pull/{pull.number}/head"
    mirror = services.mirrors.fetch(repository, place.full_name, [reference])
    return Mirror.open(mirror, services.data).source(pull.head.sha)


def _together(patches: list[str], source: Source) -> Changes:
    changes = Changes()
    for patch in patches:
        changes = changes.merged(apply(patch, changes.overlaid(source), keep=is_test_file).changes)
    return changes
