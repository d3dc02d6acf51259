"""What others send us in JSON, as typed models: checked once, where it comes in.

Webhooks and the answers of GitHub's API have the same forms. Fields that nobody needs are passed
over, null counts as missing, and what is missing or of another type is reported by its path.
https://docs.github.com/webhooks/webhook-events-and-payloads
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, PydanticCustomError

from bot.errors import GitHubError
from bot.github.types import RepositoryId
from evaluator.field_paths import field_path


class PayloadError(GitHubError):
    """A webhook's payload, or an answer of GitHub, has not the form that it should have.

    `field` is the path to what is wrong ("issue.number").
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field or 'the payload'} {problem}")
        self.field = field


class Payload(BaseModel):
    """A JSON object; values of another type are refused, even if they could be converted."""

    model_config = ConfigDict(frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_missing(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        return {name: value for name, value in data.items() if value is not None}


Model = TypeVar("Model", bound=Payload)


def checked(model: type[Model], data: object) -> Model:
    """Parsed JSON as a model. Raises PayloadError naming the field that is missing or wrong."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _payload_error(error.errors()[0]) from None


def _payload_error(error: ErrorDetails) -> PayloadError:
    return PayloadError(field_path(error["loc"]), _problem(error))


def _problem(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "is missing"
    return f"should be {_FORMS.get(error['type'], error['msg'])}, not {_kind(error['input'])}"


_FORMS: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "datetime_from_date_parsing": "a time in ISO 8601",
    "datetime_parsing": "a time in ISO 8601",
    "dict_type": "an object",
    "float_type": "a number",
    "greater_than_equal": "a whole number from 0",
    "int_type": "a whole number from 0",
    "model_type": "an object",
    "string_type": "a string",
    "timezone_aware": "a time with its zone",
    "tuple_type": "a list",
}


def _kind(data: object) -> str:
    """What something is, without showing all of it."""
    if isinstance(data, str):
        return f"the string {data[:40]!r}"
    if data is None or isinstance(data, bool | int | float):
        return str(data)
    return "a list" if isinstance(data, list) else "an object"


def _matches(pattern: str, form: str) -> AfterValidator:
    known = re.compile(pattern)

    def check(text: str) -> str:
        if not known.fullmatch(text):
            raise PydanticCustomError("form", form)
        return text

    return AfterValidator(check)


Id = Annotated[int, Field(ge=0)]
Moment = Annotated[AwareDatetime, Field(strict=False)]
Sha = Annotated[str, _matches(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", "the id of a commit")]
FullName = Annotated[
    str, _matches(r"[A-Za-z0-9][A-Za-z0-9-_]*/(?!\.{1,2}\Z)[A-Za-z0-9._-]+", "owner/name")
]
Item = TypeVar("Item")
Many = Annotated[tuple[Item, ...], Field(strict=False)]
"""JSON has lists only."""


class Account(Payload):
    """A person, an organisation or an App; those who are gone are GitHub's `ghost`."""

    login: str = "ghost"
    type: str = "User"

    @property
    def is_bot(self) -> bool:
        """Whether it is an App or another machine."""
        return self.type == "Bot"


class Label(Payload):
    """A label of an issue."""

    name: str


class Issue(Payload):
    """An issue, or the issue's side of a pull request.

    `text` is its body, as written, and `url` its page.
    """

    number: Id
    title: str
    text: str = Field(default="", alias="body")
    user: Account = Account()
    url: str = Field(default="", alias="html_url")
    labels: Many[Label] = ()
    state: str = ""
    closed_at: str = ""
    pull_request: Any = None

    @property
    def report(self) -> str:
        """All that it reports: its title and its text."""
        return f"{self.title}\n\n{self.text}"

    @property
    def label_names(self) -> tuple[str, ...]:
        """Its labels."""
        return tuple(label.name for label in self.labels)

    @property
    def is_open(self) -> bool:
        """Events about pinning leave the state out."""
        return (self.state or ("closed" if self.closed_at else "open")) == "open"

    @property
    def is_pull(self) -> bool:
        """Whether it is a pull request."""
        return self.pull_request is not None


class Comment(Payload):
    """A comment on an issue or a pull request's conversation."""

    id: Id
    text: str = Field(default="", alias="body")
    user: Account = Account()


class _Identified(Payload):
    id: Id


class Branch(Payload):
    """One side of a pull request; a head's repository may be gone."""

    ref: str
    sha: Sha
    repo: _Identified | None = None


class Pull(Payload):
    """A pull request. Its base is on the repository itself, its head may be on a fork."""

    number: Id
    title: str
    text: str = Field(default="", alias="body")
    user: Account = Account()
    head: Branch
    base: Branch
    draft: bool = False
    state: str

    @property
    def is_open(self) -> bool:
        """Whether it is neither merged nor closed."""
        return self.state == "open"

    @property
    def from_fork(self) -> bool:
        """Nothing can be pushed to a fork; a head whose repository is gone was one's."""
        return self.head.repo is None or self.head.repo != self.base.repo


class _Numbered(Payload):
    number: Id


class CheckRun(Payload):
    """A check run on a head."""

    id: Id
    status: str = ""
    external_id: str = ""
    head_sha: Sha
    pull_requests: Many[_Numbered] = ()


class _CheckSuite(Payload):
    head_sha: Sha
    pull_requests: Many[_Numbered] = ()


class _Repository(Payload):
    full_name: FullName
    default_branch: str


class Event(Payload):
    """What happened in a repository, who did it, and the delivery that reports it."""

    action: str
    installation: _Identified
    repository: _Repository
    sender: Account = Account()
    delivery: str = ""

    @property
    def place(self) -> RepositoryId:
        """The repository as the App's installation sees it."""
        return RepositoryId(self.installation.id, self.repository.full_name)


class _Edit(Payload):
    before: str = Field(default="", alias="from")


class _IssueEdits(Payload):
    title: _Edit | None = None
    text: _Edit | None = Field(default=None, alias="body")


class IssueEvent(Event):
    """`label` is the one that came or went, for `labeled` and `unlabeled`.

    `edits` holds what an edit changed, as it was before.
    """

    issue: Issue
    label: Label | None = None
    edits: _IssueEdits = Field(default=_IssueEdits(), alias="changes")

    @property
    def report_before(self) -> str:
        """What the issue reported before it was edited."""
        title = self.issue.title if self.edits.title is None else self.edits.title.before
        text = self.issue.text if self.edits.text is None else self.edits.text.before
        return self.issue.model_copy(update={"title": title, "text": text}).report


class CommentEvent(Event):
    """A comment was written, edited or deleted."""

    issue: Issue
    comment: Comment


class PullEvent(Event):
    """`changes` holds what an edit changed (`base`, `body`, `title`), as it was before."""

    pull: Pull = Field(alias="pull_request")
    changes: dict[str, Any] = Field(default_factory=dict)

    @property
    def changed(self) -> frozenset[str]:
        """The names of what was changed."""
        return frozenset(name for name, change in self.changes.items() if change is not None)


class _Button(Payload):
    identifier: str = ""


class CheckRunEvent(Event):
    """A check run changed, or somebody pressed `requested_action`, a button of ours on it."""

    check_run: CheckRun
    requested_action: _Button = _Button()

    @property
    def pulls(self) -> tuple[int, ...]:
        """The numbers of its pull requests; empty for heads on forks, which GitHub leaves out."""
        return tuple(pull.number for pull in self.check_run.pull_requests)


class CheckSuiteEvent(Event):
    """All checks of the App on a commit."""

    check_suite: _CheckSuite

    @property
    def pulls(self) -> tuple[int, ...]:
        """As for check runs."""
        return tuple(pull.number for pull in self.check_suite.pull_requests)


class _MergeGroup(Payload):
    head_sha: Sha
    base_sha: Sha


class MergeGroupEvent(Event):
    """A group of a merge queue waits for checks, or is gone."""

    merge_group: _MergeGroup
