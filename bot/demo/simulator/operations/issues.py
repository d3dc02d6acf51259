"""Issues, comments and labels."""

from __future__ import annotations

from collections.abc import Sequence

from bot.demo.simulator.errors import invalid
from bot.demo.simulator.events import emit
from bot.demo.simulator.records import (
    Account,
    App,
    Comment,
    Issue,
    Json,
    Label,
    Reaction,
    Repository,
)
from bot.demo.simulator.serializers import issues
from bot.demo.simulator.serializers.issues import event_pull
from bot.demo.simulator.world import World

LONGEST_TITLE = 256
LONGEST_BODY = 65_536
_PALETTE = "ededed"


def check_text(title: str | None, body: str | None, resource: str = "Issue") -> None:
    """Raises RefusedError (422) where a title or a body is blank or too long."""
    if title is not None and not title.strip():
        raise invalid(resource, "title", "missing_field")
    if title is not None and len(title) > LONGEST_TITLE:
        message = f"title is too long (maximum is {LONGEST_TITLE} characters)"
        raise invalid(resource, "title", "custom", message)
    if body is not None and len(body) > LONGEST_BODY:
        message = f"body is too long (maximum is {LONGEST_BODY} characters)"
        raise invalid(resource, "body", "custom", message)


def open_issue(
    world: World,
    repository: Repository,
    author: Account,
    title: str,
    body: str | None,
    labels: Sequence[str] = (),
) -> Issue:
    """A new issue. Raises RefusedError."""
    check_text(title, body)
    made = keep_issue(world, repository, author, title, body)
    made.labels = [label_named(world, repository, name) for name in dict.fromkeys(labels)]
    _tell(world, made, "opened", author)
    for label in made.labels:
        _tell_label(world, made, label, "labeled", author)
    return made


def keep_issue(
    world: World, repository: Repository, author: Account, title: str, body: str | None
) -> Issue:
    """A record under the next number; nobody hears of it."""
    now = world.now()
    number = len(repository.issues) + 1
    made = Issue(world.new_id(), number, repository, author, title, body, now, now)
    repository.issues[number] = made
    return made


def edit_issue(
    world: World, issue: Issue, actor: Account, *, title: str | None = None, body: str | None = None
) -> None:
    """Another title or text. Raises RefusedError."""
    check_text(title, body)
    changes = reword(issue, title, body)
    if changes:
        issue.updated_at = world.now()
        _tell(world, issue, "edited", actor, changes=changes)


def reword(issue: Issue, title: str | None, body: str | None) -> Json:
    """Take a new title or text; the `changes` of the event, empty where nothing is new."""
    changes: Json = {}
    if title is not None and title != issue.title:
        changes["title"] = {"from": issue.title}
        issue.title = title
    if body is not None and body != issue.body:
        changes["body"] = {"from": issue.body or ""}
        issue.body = body
    return changes


def set_state(world: World, issue: Issue, state: str, reason: str | None, actor: Account) -> None:
    """Close or reopen an issue (not a pull)."""
    if issue.state == state:
        return
    now = world.now()
    closed = state == "closed"
    issue.state, issue.updated_at = state, now
    issue.state_reason = (reason or "completed") if closed else "reopened"
    issue.closed_at, issue.closed_by = (now, actor) if closed else (None, None)
    _tell(world, issue, "closed" if closed else "reopened", actor)


def comment(
    world: World, issue: Issue, author: Account, body: str, app: App | None = None
) -> Comment:
    """A new comment on an issue or a pull. Raises RefusedError."""
    check_comment(body)
    now = world.now()
    made = Comment(world.new_id(), author, body, now, now, app)
    issue.comments.append(made)
    issue.updated_at = now
    tell_comment(world, issue, made, "created", author)
    return made


def edit_comment(world: World, issue: Issue, of: Comment, body: str, actor: Account) -> None:
    """Another text. Raises RefusedError."""
    check_comment(body)
    changes = {"body": {"from": of.body}}
    of.body, of.updated_at = body, world.now()
    tell_comment(world, issue, of, "edited", actor, changes=changes)


def delete_comment(world: World, issue: Issue, of: Comment, actor: Account) -> None:
    """Take a comment away."""
    issue.comments.remove(of)
    tell_comment(world, issue, of, "deleted", actor)


def check_comment(body: str) -> None:
    """Raises RefusedError (422) where a comment is blank or too long."""
    if not body.strip():
        raise invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
    if len(body) > LONGEST_BODY:
        message = f"Body is too long (maximum is {LONGEST_BODY} characters)"
        raise invalid("IssueComment", "data", "unprocessable", message)


def tell_comment(
    world: World, issue: Issue, of: Comment, action: str, actor: Account, **more: object
) -> None:
    """The event of a comment."""
    site = world.site
    content = {"issue": issues.issue(site, issue), "comment": issues.comment(site, issue, of)}
    emit(world, "issue_comment", action, issue.repository, actor, {**content, **more})


def label_named(world: World, repository: Repository, name: str) -> Label:
    """A label of the repository, made where there is none, as GitHub does."""
    key = name.lower()
    if key not in repository.labels:
        repository.labels[key] = Label(world.new_id(), name, _PALETTE)
    return repository.labels[key]


def add_labels(world: World, issue: Issue, names: Sequence[str], actor: Account) -> None:
    """Put labels on an issue or a pull; those that it has are left alone."""
    for name in names:
        label = label_named(world, issue.repository, name)
        if label not in issue.labels:
            issue.labels.append(label)
            _tell_label(world, issue, label, "labeled", actor)


def remove_label(world: World, issue: Issue, label: Label, actor: Account) -> None:
    """Take a label off."""
    issue.labels.remove(label)
    _tell_label(world, issue, label, "unlabeled", actor)


def react(
    world: World, given: list[Reaction], author: Account, content: str
) -> tuple[Reaction, bool]:
    """A reaction, and whether it is new: everyone has each only once."""
    for known in given:
        if known.author is author and known.content == content:
            return known, False
    given.append(Reaction(world.new_id(), author, content, world.now()))
    return given[-1], True


def _tell_label(world: World, issue: Issue, label: Label, action: str, actor: Account) -> None:
    issue.updated_at = world.now()
    _tell(world, issue, action, actor, label=issues.label(world.site, issue.repository, label))


def _tell(world: World, issue: Issue, action: str, actor: Account, **more: object) -> None:
    if issue.pull is None:
        content: Json = {"issue": issues.issue(world.site, issue)}
        emit(world, "issues", action, issue.repository, actor, {**content, **more})
    else:
        content = {"number": issue.number, "pull_request": event_pull(world.site, issue.pull)}
        emit(world, "pull_request", action, issue.repository, actor, {**content, **more})
