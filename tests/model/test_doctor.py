"""`fixgate doctor` says what is wrong and what to do, and exits accordingly."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from bot.cli import main
from tests.ports import free_port

from .conftest import DONE, KEY, Act, Provider, delta, refuses, says, usage

ENVIRONMENT = ("FIXGATE_API_KEY", "FIXGATE_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")
NAMES = b'{"object": "list", "data": [{"id": "gpt-testing"}, {"id": "other"}]}'


@pytest.fixture
def doctor(monkeypatch):
    """A function that runs the command; the key is set unless it is told otherwise."""
    for name in (*ENVIRONMENT, "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "300")

    def run(*arguments: str, key: str = KEY):
        environment = {"FIXGATE_API_KEY": key} if key else {}
        done = CliRunner().invoke(main, ["doctor", *arguments], env=environment)
        assert KEY not in done.output
        return done

    return run


def at(provider: Provider, model: str = "gpt-test") -> list[str]:
    return ["--model", model, "--base-url", provider.url]


def plays(greeting: Act, errand: Act | None = None):
    """Answers the question with tools by `errand`, any other by `greeting`."""
    return lambda request: errand if errand and request.get("tools") else greeting


def _calls_the_tool() -> Act:
    part = {"index": 0, "id": "c", "function": {"name": "weather", "arguments": "{}"}}
    return Act(parts=[delta(tool_calls=[part]), delta("tool_calls"), usage(), DONE])


def test_all_is_well(play, doctor):
    done = doctor(*at(play(plays(says("ready"), _calls_the_tool())), "gpt-4o"))
    assert done.exit_code == 0, done.output
    assert "✓ key: found in FIXGATE_API_KEY" in done.output
    assert "✓ price: $2.5 per million tokens read" in done.output
    assert "✓ answer: 'ready' after" in done.output
    assert "✓ tools: the model calls them" in done.output


def test_a_model_that_calls_no_tools_is_told_to_be_used_by_text(play, doctor):
    done = doctor(*at(play(says("ready"))))
    assert done.exit_code == 0, done.output
    assert "✓ tools: the model does not call them; plain text is used instead" in done.output


def test_a_model_that_was_taken_for_one_with_tools_is_trouble(play, doctor):
    provider = play(plays(says("ready"), refuses(400, "tools are not supported")))
    done = doctor(*at(provider), "--tools")
    assert done.exit_code == 2
    assert "tools are not supported" in done.output
    assert "pass --no-tools" in done.output


def test_a_model_that_turns_out_to_call_tools_is_said(play, doctor):
    done = doctor(*at(play(plays(says("ready"), _calls_the_tool()))))
    assert done.exit_code == 0
    assert "· tools: the model calls them: say so with --tools" in done.output


def test_no_tools_means_no_question_about_them(play, doctor):
    provider = play(says("ready"))
    assert doctor(*at(provider), "--no-tools").exit_code == 0
    assert len(provider.requests) == 1


TROUBLE = {
    "a wrong key": (refuses(401, "bad key"), "does not take the key in FIXGATE_API_KEY: bad key"),
    "an unknown model": (refuses(404, "no"), "knows no model 'gpt-test'"),
    "a page": (Act(parts=[b"<html>"], content_type="text/html"), "usually ends in /v1"),
    "a server in trouble": (refuses(500, "oops"), "answers 500: oops (asked once)"),
    "garbage": (Act(parts=[b"data: {oops\n\n"]), "sent what cannot be read"),
    "silence": (Act(parts=[30.0]), "stalled: nothing came for 1 s"),
}


@pytest.mark.parametrize(("act", "told"), TROUBLE.values(), ids=TROUBLE)
def test_trouble_is_told_at_once(play, doctor, act, told):
    provider = play(act)
    done = doctor(*at(provider), "--stall-seconds", "1")
    assert done.exit_code == 2
    assert "✗ answer: " in done.output
    assert told in done.output
    assert sum(request.get("stream", False) for request in provider.requests) == 1


def test_without_a_key_it_says_where_to_put_one(play, doctor):
    done = doctor(*at(play(refuses(401, "who are you?"))), key="")
    assert done.exit_code == 2
    assert "wants a key: put it into the variable FIXGATE_API_KEY" in done.output


def test_an_unknown_model_is_answered_with_those_that_there_are(play, doctor):
    provider = play(refuses(404, "no such model"))
    provider.names = NAMES
    done = doctor(*at(provider))
    assert "It has gpt-testing" in done.output


def test_an_endpoint_alone_tells_its_models(play, doctor):
    provider = play(says("ready"))
    provider.names = NAMES
    done = doctor("--base-url", provider.url)
    assert done.exit_code == 0
    assert "and has gpt-testing, other" in done.output
    assert not provider.requests


def test_where_nobody_listens(doctor):
    url = f"http://127.0.0.1:{free_port()}/v1"
    done = doctor("--model", "m", "--base-url", url)
    assert done.exit_code == 2
    assert "cannot be reached" in done.output


def test_a_certificate_that_is_not_trusted_is_named_with_what_to_do(doctor, untrusted):
    done = doctor("--model", "m", "--base-url", untrusted.url)
    assert done.exit_code == 2
    assert "is not trusted" in done.output
    assert "--ca-bundle FILE or the variable SSL_CERT_FILE" in done.output


def test_a_certificate_can_be_trusted(doctor, untrusted):
    done = doctor("--model", "m", "--base-url", untrusted.url, "--ca-bundle", untrusted.bundle)
    assert "✓ answer: 'ready' after" in done.output


def test_without_a_model_it_says_so_and_looks_at_the_sandboxes(doctor):
    done = doctor(key="")
    assert "· model: none is named" in done.output
    assert "sandbox docker: " in done.output
    assert "sandbox bubblewrap: " in done.output


@pytest.mark.bubblewrap
def test_a_sandbox_that_works_is_told(doctor):
    done = doctor(key="")
    assert done.exit_code == 0
    assert "✓ sandbox bubblewrap: works" in done.output


def test_a_script_is_checked_too(doctor, tmp_path):
    path = tmp_path / "script.yaml"
    path.write_text("- hello")
    assert (
        "✓ model: scripted:script.yaml plays a file" in doctor("--model", f"scripted:{path}").output
    )
    path.write_text("7")
    done = doctor("--model", f"scripted:{path}")
    assert done.exit_code == 2
    assert "a list of replies was expected" in done.output


def test_an_address_that_is_none(doctor):
    done = doctor("--model", "m", "--base-url", "localhost:8000")
    assert done.exit_code == 2
    assert "is no address of an API" in done.output
