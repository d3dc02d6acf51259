from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.errors import ContextTooLongError, LimitReachedError, ModelUnavailableError
from generator.method import MethodSettings
from generator.methods import method
from generator.model.protocol import Message, Reply, ToolCall
from generator.writer import WritingExit, write

from .conftest import (
    TEST_OF_FOUR,
    Bench,
    Turn,
    as_tools,
    block,
    call,
    model_of,
    notes_of,
)

METHODS = ("agent", "swe-agent", "swe-agent-plus")

WORKING = (
    block("cat wordtools/roman.py tests/test_roman.py"),
    block("python -m unittest -v tests.test_roman"),
    block(TEST_OF_FOUR + "python -m unittest tests.test_roman"),
    block("submit"),
)
PASSING = TEST_OF_FOUR.replace('"IV"', '"IIII"')


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("tools", [False, True])
def test_a_conversation_gives_a_test_that_reproduces(sample: Bench, name: str, tools: bool) -> None:
    work = sample.work(as_tools(WORKING) if tools else WORKING, tools=tools)
    written = write(method(name), work)
    assert written.exit is WritingExit.SUBMITTED
    assert written.admitted
    assert '+        self.assertEqual(to_roman(4), "IV")' in written.patch
    assert "'IIII' != 'IV'" in written.reason
    assert all(bool(offered) is tools for offered in model_of(work).offered)


def test_the_model_sees_its_results_and_the_issue_between_marks(sample: Bench) -> None:
    work = sample.work(WORKING)
    write(method("agent"), work)
    system, task, *rest = model_of(work).asked[-1]
    assert (system.role, task.role) == ("system", "user")
    assert task.content.startswith("<issue>\nto_roman writes too many letters")
    assert "python -m unittest -v tests.test_roman" in task.content
    results = [message.content for message in rest if message.role == "user"]
    assert "def to_roman(number)" in results[0]
    assert results[1].startswith("exit code 0\n<output>")
    assert "AssertionError: 'IIII' != 'IV'" in results[2]


def test_every_tool_call_gets_its_answer(sample: Bench) -> None:
    bad = ToolCall("x", "python", "{}")
    several = call("pwd", "submit", TEST_OF_FOUR, "exit 3")
    turns = [Message("assistant", "", (*several.tool_calls, bad)), call("submit")]
    work = sample.work(turns, tools=True)
    assert write(method("agent"), work).admitted
    answers = [m for m in model_of(work).asked[-1] if m.role == "tool"]
    assert [m.tool_call_id for m in answers] == [*(c.id for c in several.tool_calls), "x"]
    assert "no test file" in answers[1].content
    assert answers[3].content.startswith("exit code 3")


def test_changes_of_code_are_dropped_and_told(sample: Bench) -> None:
    spoil = block(TEST_OF_FOUR + "echo >> wordtools/roman.py; echo x > scratch.py")
    work = sample.work([spoil, block("submit")])
    written = write(method("swe-agent"), work)
    assert written.admitted
    assert "wordtools/roman.py" not in written.patch
    assert "scratch.py: is no test file" in written.considered[0].candidate.problem


def test_a_test_that_passes_is_refused_until_it_fails(sample: Bench) -> None:
    turns = [block(PASSING), block("submit"), *([block("submit")] * 2), block(TEST_OF_FOUR)]
    work = sample.work([*turns, block("submit")])
    written = write(method("swe-agent-plus"), work)
    assert written.admitted
    model = model_of(work)
    assert "Not submitted: the test passes on the code as it is" in model.told(2)
    assert "submit again at once" not in model.told(2)
    assert len(model.asked) == len(turns) + 1


def test_the_agent_may_insist(sample: Bench) -> None:
    work = sample.work([block(PASSING), block("submit"), block("submit")])
    written = write(method("agent"), work)
    assert written.exit is WritingExit.ABSTAINED
    assert "submit again at once" in model_of(work).told(2)
    assert len(model_of(work).asked) == 3
    assert 'assertEqual(to_roman(4), "IIII")' in written.considered[0].candidate.raw


def test_swe_agent_is_not_stopped(sample: Bench) -> None:
    work = sample.work([block(PASSING), block("submit")])
    assert not write(method("swe-agent"), work).admitted
    assert len(model_of(work).asked) == 2


def test_submitting_nothing_is_told(sample: Bench) -> None:
    work = sample.work([block("submit"), block(TEST_OF_FOUR), block("submit")])
    assert write(method("swe-agent"), work).admitted
    assert "no test file was written or changed" in model_of(work).told(1)


@pytest.mark.parametrize(
    ("error", "ended"),
    [
        (LimitReachedError("the money is spent"), WritingExit.LIMIT_REACHED),
        (ModelUnavailableError("the endpoint stalls"), WritingExit.MODEL_ERROR),
    ],
)
def test_what_was_written_before_an_end_is_kept(
    sample: Bench, error: Turn, ended: WritingExit
) -> None:
    written = write(method("agent"), sample.work([block(TEST_OF_FOUR), error]))
    assert written.exit is ended
    assert written.admitted
    assert written.problem == str(error)


def test_steps_are_bounded_and_told(sample: Bench) -> None:
    turns = [block(TEST_OF_FOUR), *([block("true")] * 30)]
    work = sample.work(turns, settings=MethodSettings(rounds=5))
    assert write(method("swe-agent"), work).admitted
    model = model_of(work)
    assert len(model.asked) == 5
    assert "3 replies are left" in model.told(2)
    assert "submit now" in model.told(4)


def test_swe_agent_has_twenty_replies(sample: Bench) -> None:
    work = sample.work([call("true")] * 30, tools=True)
    write(method("swe-agent"), work)
    assert len(model_of(work).asked) == 20


@pytest.mark.parametrize(
    "replies",
    [
        ["", "well", "```bash\nls"],
        [call().content, Message("assistant", "", (ToolCall("1", "bash", "{"),)), "```py\n1\n```"],
    ],
)
def test_useless_replies_end_it_with_what_there_is(sample: Bench, replies: Sequence[Turn]) -> None:
    work = sample.work([block(TEST_OF_FOUR), *replies, block("true")])
    assert write(method("agent"), work).admitted
    assert len(model_of(work).asked) == 4
    assert "the conversation ended: unusable" in notes_of(work)


def test_one_useless_reply_is_answered_with_the_form(sample: Bench) -> None:
    work = sample.work(["Hello!", block(TEST_OF_FOUR), "Well?", block("submit")])
    assert write(method("agent"), work).admitted
    assert "exactly one block" in model_of(work).told(1)


def test_old_results_are_forgotten_where_the_conversation_is_too_long(sample: Bench) -> None:
    long = block("for i in $(seq 3000); do echo $i; done")
    turns: list[Turn] = [
        *([long] * 4),
        ContextTooLongError("too long"),
        block(TEST_OF_FOUR),
        block("submit"),
    ]
    work = sample.work(turns)
    assert write(method("agent"), work).admitted
    before, after = model_of(work).asked[4:6]
    assert sum(map(size, after)) < sum(map(size, before))
    assert after[:2] == before[:2]
    assert after[-2:] == before[-2:]


def test_a_conversation_that_cannot_be_shortened_ends(sample: Bench) -> None:
    too_long = ContextTooLongError("too long")
    written = write(method("agent"), sample.work([block(TEST_OF_FOUR), too_long, too_long]))
    assert written.exit is WritingExit.MODEL_ERROR
    assert written.admitted


def test_samples_differ_by_number_and_temperature(sample: Bench) -> None:
    work = sample.work([*WORKING, *WORKING], settings=MethodSettings(samples=2))
    written = write(method("agent"), work)
    assert len(written.considered) == 2
    first, second = (model_of(work).parameters[n] for n in (0, -1))
    assert (first.temperature, first.sample) == (0.0, 0)
    assert (second.temperature > 0, second.sample) == (True, 1)


def test_a_given_patch_is_shown_and_the_golden_one_never(sample: Bench) -> None:
    settings = MethodSettings(given_patch="+ GIVEN", golden_patch="+ GOLDEN")
    work = sample.work(WORKING, settings=settings)
    write(method("swe-agent-plus"), work)
    said = "\n".join(message.content for message in model_of(work).asked[-1])
    assert "+ GIVEN" in said
    assert "GOLDEN" not in said


def test_a_reply_cut_off_in_a_call_is_asked_for_again(sample: Bench) -> None:
    cut = Reply(
        Message("assistant", "", (ToolCall("1", "bash", '{"command": "cat'),)),
        finish_reason="length",
    )
    work = sample.work([cut, call(TEST_OF_FOUR), call("submit")], tools=True)
    assert write(method("agent"), work).admitted
    assert "cut off" in model_of(work).told(1)


def size(message: Message) -> int:
    return len(message.content)
