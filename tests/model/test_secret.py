"""Keys are used and never shown: not in messages, files, logs, or what runs in a sandbox."""

from __future__ import annotations

import logging
import pickle
import traceback

import pytest

from evaluator.errors import FixgateError, InputError
from evaluator.sandbox.bubblewrap import BubblewrapSandbox
from evaluator.sandbox.process import ProcessSandbox
from evaluator.sandbox.protocol import Command
from generator.costs import Budget, CostTracker
from generator.model.choosing import ModelSettings, model_from
from generator.model.protocol import Message, Parameters
from generator.model.secret import Secret
from generator.model.tracked import TrackedModel
from generator.trajectory.page import write_page
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import TrajectoryRecorder

from .conftest import KEY, QUICK, Act, event, refuses, says

QUESTION = (Message("user", "what is 6 x 7?"),)


def test_nothing_shows_a_key_but_to_reveal_it():
    secret = Secret(f"  {KEY}\n", "FIXGATE_API_KEY")
    shown = f"{secret} {secret!r} {[secret]} %s" % secret
    assert KEY not in shown
    assert "FIXGATE_API_KEY" in repr(secret)
    assert secret.reveal() == KEY
    with pytest.raises(TypeError, match="not to be written"):
        pickle.dumps(secret)


def test_a_key_is_taken_out_of_texts():
    assert Secret(KEY, "K").redact(f"no: {KEY}!") == "no: [key]!"


def test_a_placeholder_is_no_secret():
    assert Secret("x", "K").redact("exactly") == "exactly"


@pytest.mark.parametrize("value", ["", "  ", "sk-“quoted”-0123", "sk-two\nlines-012345"])
def test_what_can_be_no_key_is_refused_without_showing_it(value):
    with pytest.raises(InputError, match="MY_KEY holds no usable key") as raised:
        Secret(value, "MY_KEY")
    assert not value.strip() or value not in str(raised.value)


ANSWERS = {
    "a reply": says("forty-two"),
    "the key echoed in a refusal": refuses(401, f"Incorrect API key provided: {KEY}"),
    "the key echoed in a page": Act(500, {}, [f"<p>{KEY}</p>".encode()], "text/html"),
    "the key echoed in a stream": Act(parts=[event({"error": {"code": 401, "message": KEY}})]),
    "the key echoed as garbage": Act(parts=[f"data: {KEY}\n\n".encode()]),
}


@pytest.mark.parametrize("act", ANSWERS.values(), ids=ANSWERS)
def test_no_key_in_anything_that_is_written(play, tmp_path, caplog, capfd, act):
    caplog.set_level(logging.DEBUG)
    provider = play(act)
    settings = ModelSettings(
        "gpt-test",
        provider.url,
        record=tmp_path / "record.jsonl",
        cache=tmp_path / "replies",
        retry_policy=QUICK,
    )
    chosen = model_from(settings, {"FIXGATE_API_KEY": KEY})
    account = CostTracker(Budget())
    recorder = TrajectoryRecorder(
        tmp_path / "one.traj.json", {}, statistics=lambda: account.spending.statistics()
    )
    model = TrackedModel(chosen.model, account, recorder, chosen.price)
    told = ""
    try:
        model.reply(QUESTION, Parameters())
    except FixgateError as error:
        told = "".join(traceback.format_exception(error)) + repr(error)
    write_page(tmp_path / "page.html", read_trajectory(recorder.path))
    printed = capfd.readouterr()
    assert provider.headers[0]["authorization"] == f"Bearer {KEY}"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) >= 2
    for path in written:
        assert KEY.encode() not in path.read_bytes(), path
    assert KEY not in told + caplog.text + printed.out + printed.err
    assert KEY not in repr(chosen) + repr(settings)


@pytest.mark.bubblewrap
def test_no_key_reaches_bubblewrap(monkeypatch):
    _no_key_reaches(BubblewrapSandbox(), monkeypatch)


def test_no_key_reaches_a_process(monkeypatch):
    _no_key_reaches(ProcessSandbox(), monkeypatch)


def _no_key_reaches(sandbox, monkeypatch):
    for name in ("FIXGATE_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    everything = "env; cat /proc/self/environ /proc/1/environ /proc/$PPID/environ 2>/dev/null; true"
    command = Command(("/bin/sh", "-c", everything), "/", (), {"HELLO": "world"})
    output = sandbox.run(command).output
    assert "HELLO=world" in output
    assert "API_KEY" not in output
    assert KEY not in output
