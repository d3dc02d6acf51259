from __future__ import annotations

import pytest

from generator.replies import (
    ModelJudgement,
    UnreadableReplyError,
    read_json_object,
    read_judgement,
    read_yes_or_no,
)

WHOLE = '{"reason": "it fails for {the} reason", "revealing": true}'


@pytest.mark.parametrize(
    "reply",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"My verdict:\n{WHOLE}\nThat is all.",
        WHOLE.replace("true", '"yes"'),
        WHOLE.replace("true", "1"),
        WHOLE.replace("true}", "true,\n}"),
        "{'reason': 'it fails for {the} reason', 'revealing': True}",
        '{"reason": "a draft", "revealing": false}\nNo:\n' + WHOLE,
        "<think>{" + WHOLE + "</think>" + WHOLE,
    ],
)
def test_a_judgement_is_read_however_it_is_written(reply: str) -> None:
    assert read_judgement(reply) == ModelJudgement(True, "it fails for {the} reason")


def test_a_damaged_object_still_tells_its_plain_value() -> None:
    reply = '{"reason": "it says "no" to it\nand more", "revealing": False'
    assert read_judgement(reply) == ModelJudgement(False)
    assert read_judgement('{"match": "yes", "why": "so"}', "match", "why") == ModelJudgement(
        True, "so"
    )


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "no JSON object with `revealing`"),
        ("It does reveal the bug.", "no JSON object with `revealing`"),
        ('{"reason": "so"}', "has no `revealing`"),
        ('{"revealing": "perhaps"}', "must be true or false, not 'perhaps'"),
        ('{"revealing": null}', "must be true or false"),
        ("[1, 2]", "no JSON object"),
    ],
)
def test_what_is_no_judgement_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        read_judgement(reply)


def test_any_object_is_read() -> None:
    assert read_json_object('text {"a": [1, {"b": 2}], "c": "x\ny"} text') == {
        "a": [1, {"b": 2}],
        "c": "x\ny",
    }
    with pytest.raises(UnreadableReplyError):
        read_json_object("{" * 5000)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("yes", True),
        ("**No**, since it might as well say yes.", False),
        ("There is no other way to see it. Yes.", True),
        ("<think>yes or no?</think>No.", False),
    ],
)
def test_yes_or_no(reply: str, says: bool) -> None:
    assert read_yes_or_no(reply) is says


def test_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(UnreadableReplyError, match="neither"):
        read_yes_or_no("Nobody knows yesterday's notes.")
