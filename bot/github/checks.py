"""Check runs: found by their key before they are made, annotations in portions.

https://docs.github.com/rest/checks/runs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.github.api import Api
from bot.github.models import CheckRun, Id, Payload
from bot.github.tokens import Identity
from bot.github.types import Annotation, Button, Check

NAME: Final = "fixgate"
_ENDED: Final = "completed"
_PORTION = 50
_LONGEST = 65_535
_LONGEST_TITLE = 255
_LONGEST_MESSAGE = 16_000
"""Characters; GitHub takes 64 KB of each message, and a character is up to four bytes."""
_BUTTONS, _LONGEST_LABEL, _LONGEST_DESCRIPTION = 3, 20, 40

Json = dict[str, Any]


def put_check(api: Api, root: str, identity: Identity, check: Check) -> int:
    """Make or update the run with the check's key on its head; its id. Raises GitHubError.

    Twice is the same as once: annotations that are there are not sent again (GitHub would add
    them), and a run that is concluded does not go back to being in progress.
    """
    return api.until_certain(lambda: _put(api, root, identity, check))


def _put(api: Api, root: str, identity: Identity, check: Check) -> int:
    run = _find(api, root, identity, check)
    wanted = [_cut(one) for one in check.annotations]
    if run is None:
        return _send(api, root, check, wanted, None)
    if check.conclusion is None and run.status == _ENDED:
        return run.id
    shown = _shown(api, root, run.id) if wanted else frozenset()
    return _send(api, root, check, [one for one in wanted if one not in shown], run.id)


def _find(api: Api, root: str, identity: Identity, check: Check) -> CheckRun | None:
    path = f"{root}/commits/{check.head_sha}/check-runs"
    asked: dict[str, str | int] = {"check_name": NAME, "filter": "all", "app_id": identity.id}
    runs = api.pages(CheckRun, path, "check_runs", **asked)
    return next((run for run in runs if run.external_id == check.key), None)


class _Annotation(Payload):
    path: str
    start_line: Id
    end_line: Id
    annotation_level: str = ""
    message: str = ""
    title: str = ""


def _shown(api: Api, root: str, number: int) -> frozenset[Annotation]:
    found = api.pages(_Annotation, f"{root}/check-runs/{number}/annotations")
    return frozenset(Annotation(*dict(one).values()) for one in found)


def _send(
    api: Api, root: str, check: Check, annotations: Sequence[Annotation], number: int | None
) -> int:
    """In portions; only the last one concludes the run. Without a number it is made first."""
    for portion, is_last in _portions(annotations):
        body = _body(check, portion, concluded=is_last)
        if number is None:
            new = {**body, "head_sha": check.head_sha}
            number = api.post(CheckRun, f"{root}/check-runs", new, repeatable=False).id
        else:
            # Annotations would be added twice, and what goes on may have ended meanwhile.
            ends = body["status"] == _ENDED
            path = f"{root}/check-runs/{number}"
            api.send("PATCH", path, body, repeatable=ends and not portion)
    assert number is not None  # there is always a portion
    return number


def _portions(annotations: Sequence[Annotation]) -> Iterator[tuple[Sequence[Annotation], bool]]:
    starts = range(0, max(len(annotations), 1), _PORTION)
    for start in starts:
        yield annotations[start : start + _PORTION], start == starts[-1]


def _body(check: Check, annotations: Sequence[Annotation], *, concluded: bool) -> Json:
    body: Json = {
        "name": NAME,
        "external_id": check.key,
        "output": {
            "title": check.title[:_LONGEST_TITLE],
            "summary": check.summary[:_LONGEST],
            "text": check.text[:_LONGEST],
            "annotations": [_annotation(one) for one in annotations],
        },
        "actions": [_button(one) for one in check.buttons[:_BUTTONS]],
        "status": "in_progress",
    }
    if check.details_url:
        body["details_url"] = check.details_url
    if check.conclusion is not None and concluded:
        body |= {"status": _ENDED, "conclusion": check.conclusion.value}
    return body


def _cut(one: Annotation) -> Annotation:
    """Before it is compared with what is shown."""
    message, title = one.message[:_LONGEST_MESSAGE], one.title[:_LONGEST_TITLE]
    return replace(one, message=message, title=title)


def _annotation(one: Annotation) -> Json:
    title = {"title": one.title} if one.title else {}
    return {
        "path": one.path,
        "start_line": one.first_line,
        "end_line": one.last_line,
        "annotation_level": one.level,
        "message": one.message,
        **title,
    }


def _button(one: Button) -> Json:
    return {
        "label": one.label[:_LONGEST_LABEL],
        "description": one.description[:_LONGEST_DESCRIPTION],
        "identifier": one.identifier,  # not cut: it comes back and must be known
    }
