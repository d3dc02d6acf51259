from __future__ import annotations

import pytest

from evaluator.demo.sample import patch
from evaluator.errors import InputError
from generator.errors import ContextTooLongError
from generator.method import MethodSettings
from generator.methods import METHODS
from generator.model.protocol import Message, Reply
from generator.writer import Submit, WritingExit

from .conftest import Sample, fenced

RIGHT = patch("predictions/careful.shorten.patch")
PASSING = RIGHT.replace('shorten("nine char", 9)', 'shorten("nine char", 10)')
BLOCK = """\
diff
tests/test_shorten.py
insert
EOF
class ExactWidthTest(unittest.TestCase):
    def test_text_that_just_fits(self):
        self.assertEqual(shorten("just fits", 9), "just fits")
end diff
"""
LONGER = BLOCK.replace(
    "        self", '        self.assertEqual(shorten("a", 3), "a")\n        self', 1
)
OTHER = """\
diff
tests/test_other.py
insert
EOF
import unittest
from wordtools.shorten import shorten
class MarkTest(unittest.TestCase):
    def test_shorten(self):
        self.assertTrue(shorten("just fits", 9).endswith("fits"))
end diff
"""
ALREADY_RIGHT = BLOCK.replace("9), ", "10), ")


def added(patch: str) -> list[str]:
    return [line for line in patch.splitlines() if line.startswith("+")]


PROSE = "One should test a text that fits exactly."


def test_a_model_of_a_short_context_is_asked_with_less_code(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The sample's code is so short that only a much smaller bound cuts any of it.
    monkeypatch.setattr("generator.methods.single_shot.LEAST_CONTEXT_TOKENS", 50)
    long = ContextTooLongError("the messages are too long for it")
    written, asked = sample.write("zeroshot", "shorten", [*[long] * 7, fenced(RIGHT)])
    assert written.admitted
    assert len(asked.questions[0]) > len(asked.questions[-1])
    assert all(len(messages) == 1 for messages in asked.messages)
    assert patch("instances/shorten.issue.md").strip() in asked.questions[-1]


def test_a_context_that_is_too_short_for_anything_is_told(sample: Sample) -> None:
    long = ContextTooLongError("the messages are too long for it")
    written, asked = sample.write("zeroshot", "shorten", [long] * 20)
    assert written.exit is WritingExit.MODEL_ERROR
    assert "too long" in written.reason
    assert len(asked.messages) == 5


def test_zeroshot_asks_once_and_submits_the_diff(sample: Sample) -> None:
    written, asked = sample.write("zeroshot", "shorten", [fenced(RIGHT)])
    assert written.exit is WritingExit.SUBMITTED
    assert written.admitted
    assert added(written.patch) == added(RIGHT)
    (question,) = asked.questions
    assert patch("instances/shorten.issue.md").strip() in question
    assert "`tests/test_shorten.py`" in question
    assert "def shorten(text, width" in question
    assert [p.temperature for p in asked.parameters] == [0.0]


def test_zeroshotplus_asks_once_and_submits_the_blocks(sample: Sample) -> None:
    written, asked = sample.write("zeroshotplus", "shorten", [fenced(BLOCK)])
    assert written.exit is WritingExit.SUBMITTED
    assert '+        self.assertEqual(shorten("just fits", 9), "just fits")\n' in written.patch
    assert "end diff" in asked.questions[0]


def test_only_tests_are_kept_of_a_patch_that_fixes_too(sample: Sample) -> None:
    written, _ = sample.write("zeroshot", "shorten", [fenced(patch("fixes/shorten.patch") + RIGHT)])
    assert added(written.patch) == added(RIGHT)


def test_of_two_drafts_the_last_is_taken_and_of_two_files_both(sample: Sample) -> None:
    draft = RIGHT.replace("nine char", "just fits")
    written, _ = sample.write("zeroshot", "shorten", [fenced(draft) + fenced(RIGHT)])
    assert added(written.patch) == added(RIGHT)
    written, _ = sample.write("zeroshotplus", "shorten", [fenced(BLOCK) + fenced(OTHER)])
    assert "tests/test_other.py" in written.patch
    assert "tests/test_shorten.py" in written.patch


def test_parts_that_look_like_drafts_are_put_together_where_the_last_does_not_apply(
    sample: Sample,
) -> None:
    lost = RIGHT.replace("a long", "no such").replace("def test_long", "def test_no")
    written, _ = sample.write("zeroshot", "shorten", [fenced(RIGHT) + fenced(lost)])
    assert added(written.patch) == added(RIGHT)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (PROSE, "holds no diff"),
        ("", "is empty"),
        (fenced(PASSING), "passes on the code as it is"),
        (fenced(patch("fixes/shorten.patch")), "nothing is left to apply"),
    ],
)
def test_what_reproduces_nothing_is_not_submitted(sample: Sample, reply: str, reason: str) -> None:
    written, _ = sample.write("zeroshot", "shorten", [reply])
    assert (written.exit, written.patch) == (WritingExit.ABSTAINED, "")
    assert reason in written.reason


def test_what_cannot_be_applied_is_handed_on_as_it_is_where_all_is_submitted(
    sample: Sample,
) -> None:
    written, _ = sample.write("zeroshot", "shorten", [PROSE], submit=Submit.ALWAYS)
    assert written.patch == PROSE
    assert not written.admitted


def test_a_given_patch_is_shown_and_the_golden_one_never(sample: Sample) -> None:
    given, golden = patch("fixes/shorten-wrong.patch"), patch("fixes/shorten.patch")
    settings = MethodSettings(given_patch=given, golden_patch=golden, names_test_file=False)
    for name in ("zeroshot", "zeroshotplus", "libro", "autocoderover", "aider", "pass-at-k"):
        _, asked = sample.write(name, "shorten", [PROSE] * 10, settings)
        assert "text.isupper()" in asked.questions[0]
        assert "len(text) <= width" not in asked.everything
        assert "`tests/test_shorten.py`" not in asked.questions[0]


def test_samples_differ_by_their_number_at_a_temperature(sample: Sample) -> None:
    settings = MethodSettings(samples=3)
    written, asked = sample.write("zeroshot", "shorten", [fenced(RIGHT), PROSE, PROSE], settings)
    assert [(p.temperature, p.sample) for p in asked.parameters] == [(0.7, 0), (0.7, 1), (0.7, 2)]
    assert added(written.patch) == added(RIGHT)
    assert len(written.considered) == 3


def test_what_was_found_stays_when_a_limit_ends_the_rest(sample: Sample) -> None:
    written, _ = sample.write("libro", "shorten", [fenced(BLOCK)])
    assert written.exit is WritingExit.LIMIT_REACHED
    assert "test_text_that_just_fits" in written.patch
    assert "script is at its end" in written.problem


def test_pass_at_k_lets_the_golden_patch_choose(sample: Sample) -> None:
    wrong = BLOCK.replace('9), "just fits"', '9), "just fit"')
    replies = [PROSE, fenced(ALREADY_RIGHT), fenced(wrong), fenced(BLOCK), fenced(LONGER)]
    settings = MethodSettings(golden_patch=patch("fixes/shorten.patch"))
    written, asked = sample.write("pass-at-k", "shorten", replies, settings)
    assert "proposal 4 passes with the golden patch" in written.reason
    assert written.confidence == 1.0
    assert len(asked.questions) == 5
    assert {p.temperature for p in asked.parameters} == {0.7}


def test_pass_at_k_finds_nothing_where_nothing_is_right(sample: Sample) -> None:
    settings = MethodSettings(golden_patch=patch("fixes/shorten-wrong.patch"))
    written, _ = sample.write("pass-at-k", "shorten", [fenced(BLOCK)] * 5, settings)
    assert written.exit is WritingExit.ABSTAINED


def test_pass_at_k_refuses_to_run_without_the_golden_patch(sample: Sample) -> None:
    assert METHODS["pass-at-k"].replay_only
    with pytest.raises(InputError, match="golden patch"):
        sample.write("pass-at-k", "shorten", [fenced(BLOCK)] * 5)


def test_libro_takes_the_shortest_of_the_samples_that_agree(sample: Sample) -> None:
    replies = [fenced(LONGER), fenced(OTHER), PROSE, fenced(BLOCK), fenced(ALREADY_RIGHT)]
    written, asked = sample.write("libro", "shorten", replies)
    assert written.exit is WritingExit.SUBMITTED
    assert "2 of 5 samples fail in this way" in written.reason
    assert 'shorten("a", 3)' not in written.patch
    assert "test_text_that_just_fits" in written.patch
    assert [(p.temperature, p.sample) for p in asked.parameters] == [(0.7, n) for n in range(5)]


def test_libro_abstains_where_nothing_fails(sample: Sample) -> None:
    written, _ = sample.write("libro", "shorten", [fenced(ALREADY_RIGHT)] * 5)
    assert written.exit is WritingExit.ABSTAINED
    assert "passes on the code as it is" in written.reason


def test_a_reply_that_was_cut_off_says_so(sample: Sample) -> None:
    cut = Reply(Message("assistant", fenced(RIGHT)[:300]), finish_reason="length")
    written, _ = sample.write("zeroshot", "shorten", [cut])
    assert written.exit is WritingExit.ABSTAINED
    assert "cut off" in written.reason


MALFORMED = (
    "",
    PROSE,
    "```diff\n```",
    fenced("--- a/tests/test_shorten.py\n+++ b/tests/test_shorten.py\n@@ what @@\n"),
    fenced(RIGHT.replace("tests/test_shorten.py", "../../etc/test_passwd.py")),
    fenced("diff\ntests/test_shorten.py\nrewrite\n3\ndef (\nend diff\n"),
    "<file>tests/test_x.py</file><original></original><patched>def</patched>",
    "tests/test_x.py\n<<<<<<< SEARCH\n=======\nimport (\n>>>>>>> REPLACE\n",
    "\0\ud800 `search_class(` \x1b[31m",
    '{"tool": "submit"}',
)


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if m.needs_model])
def test_no_method_breaks_on_malformed_replies(sample: Sample, name: str) -> None:
    settings = MethodSettings(golden_patch=patch("fixes/shorten.patch"))
    written, _ = sample.write(name, "shorten", MALFORMED, settings)
    assert written.exit in (WritingExit.ABSTAINED, WritingExit.LIMIT_REACHED, WritingExit.SUBMITTED)
    assert written.reason
    assert not written.patch or written.admitted
