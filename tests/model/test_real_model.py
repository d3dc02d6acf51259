"""A real model behind a real server: nothing on the way is played."""

from __future__ import annotations

import json

import pytest

from evaluator.benchmarks.tests4j.dataset import save_dataset
from generator.costs import Budget, CostTracker
from generator.errors import ContextTooLongError
from generator.model.choosing import ModelSettings, model_from
from generator.model.protocol import Message, Parameters
from generator.model.tracked import TrackedModel
from generator.trajectory.reading import read_trajectory
from generator.trajectory.recorder import TrajectoryRecorder
from tests.command_line import fixgate
from tests.unit_tests.examples import dataset, method, repository

QUESTION = (
    Message("system", "You answer briefly."),
    Message("user", "Write a Python function that adds two numbers."),
)
SHORT = Parameters(max_tokens=24)

pytestmark = [pytest.mark.real_model, pytest.mark.timeout(900)]


@pytest.fixture
def settings(real_model_url, tmp_path):
    return ModelSettings(
        "smollm2", real_model_url, record=tmp_path / "r.jsonl", cache=tmp_path / "replies"
    )


def test_a_real_model_answers_and_is_counted_taken_down_kept_and_played(settings, tmp_path):
    chosen = model_from(settings, {})
    account = CostTracker(Budget(calls=2))
    recorder = TrajectoryRecorder(tmp_path / "one.traj.json", {})
    model = TrackedModel(chosen.model, account, recorder, chosen.price)
    reply = model.reply(QUESTION, SHORT)
    assert reply.message.content.strip()
    assert reply.finish_reason in ("stop", "length")
    assert reply.usage.output_tokens > 0
    assert account.spending.money == "calls without a known price: 1"
    kept = model.reply(QUESTION, SHORT)
    assert (kept.cached, kept.message) == (True, reply.message)
    played = model_from(ModelSettings(f"replay:{settings.record}"), {}).model
    assert played.reply(QUESTION, SHORT).message == reply.message
    said = [entry.content for entry in read_trajectory(recorder.path).entries]
    assert said.count(reply.message.content) == 2


def test_a_real_model_continues_a_test_class(real_model_url, tmp_path):
    path, out = tmp_path / "small.json", tmp_path / "out.jsonl"
    save_dataset(dataset(repository(method())), path)
    begin = ["tests4j", "generate", str(path), "--method", "endpoint", "--continue-text"]
    model = ["--model", "smollm2", "--base-url", real_model_url, "--no-reply-cache"]
    few = ["--temperature", "0.2", "--samples", "2", "--max-tokens", "24"]
    done = fixgate([*begin, *model, *few, "--out", str(out)])
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, out.read_text().splitlines())
    assert (row["end"], row["calls"], len(row["replies"])) == ("complete", 2, 2)
    assert all(reply.strip() for reply in row["replies"])


def test_a_real_server_says_when_the_messages_are_too_long(settings):
    long = Message("user", "word " * 20_000)
    with pytest.raises(ContextTooLongError):
        model_from(settings, {}).model.reply([long], SHORT)
