from __future__ import annotations

import io
import json
import logging
import secrets

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.logs import REDACTED, RedactingFilter, redact
from tests.github.conftest import Room

_LONG = "ghs_" + ".".join(secrets.token_urlsafe(size) for size in (27, 102, 255))
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@pytest.mark.parametrize("prefix", ["ghs_", "ghp_", "gho_", "ghu_", "ghr_", "github_pat_"])
@given(value=st.text(alphabet=_LETTERS, min_size=36, max_size=80))
def test_tokens_of_all_kinds(prefix: str, value: str) -> None:
    for text in ("{}", "token={}, next", '"{}"', "https://x:{}@github.com/a/b", "({})"):
        done = redact(text.format(prefix + value))
        assert value not in done
        assert done == text.format(REDACTED)


def test_the_new_format_goes_whole() -> None:
    assert len(_LONG) > 500
    assert redact(f"got {_LONG} today") == f"got {REDACTED} today"
    assert redact(f"{_LONG}.") in (REDACTED, f"{REDACTED}.")


def test_real_tokens_of_the_simulator(room: Room) -> None:
    made = room.app.create_token(room.studio.installation, "alice/calc", {"issues": "read"})
    signed = room.key.sign("Iv23", 1_800_000_000)
    for secret in (made.value, signed):
        assert redact(f"a {secret.reveal()} b") == f"a {REDACTED} b"


def test_escaped_line_breaks_hide_nothing() -> None:
    made = jwt.encode({"iss": "x"}, "k" * 32, algorithm="HS256")
    for secret in (_LONG, f"github_pat_{'a1' * 20}", made):
        assert redact(json.dumps({"log": f"line\n{secret}\nline"})) == (
            json.dumps({"log": f"line\n{REDACTED}\nline"})
        )


def test_web_tokens_and_headers() -> None:
    made = jwt.encode({"iss": "x"}, "k" * 32, algorithm="HS256")
    assert redact(f"Bearer {made}!") == f"Bearer {REDACTED}!"
    assert redact("Authorization: Basic eDphYmM=") == f"Authorization: Basic {REDACTED}"
    assert redact("authorization: bearer abc.def") == f"authorization: bearer {REDACTED}"


def test_keys(room: Room) -> None:
    pem = room.studio.app.private_key
    assert redact(f"key:\n{pem}end") == f"key:\n{REDACTED}\nend"
    assert redact(pem[:400]) == REDACTED
    assert redact(f"{pem}{pem}") == f"{REDACTED}\n{REDACTED}\n"
    assert redact(repr(pem)) == f"'{REDACTED}\\n'"


@pytest.mark.parametrize(
    "text",
    [
        "ghs_short",
        "a variable named highs_and_lows",
        "eyJust a word",
        "-----BEGIN",
        "9f2d38d09b054c919177c7add16bf3a5c63d8d64",
        "tests/test_github_patches.py::test_x",
        "",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert redact(text) == text


@given(st.text())
def test_redacting_twice_is_redacting_once(text: str) -> None:
    assert redact(redact(text)) == redact(text)


def test_logs_with_arguments_and_tracebacks() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RedactingFilter())
    logger = logging.Logger("test")
    logger.addHandler(handler)
    logger.warning("token %s for %d", _LONG, 7)
    try:
        raise RuntimeError(f"refused {_LONG}")
    except RuntimeError:
        logger.exception("failed", stack_info=True)
    shown = stream.getvalue()
    assert f"token {REDACTED} for 7" in shown
    assert f"RuntimeError: refused {REDACTED}" in shown
    assert _LONG[:20] not in shown


def test_long_texts_take_no_time() -> None:
    text = "-----BEGIN A-----" * 5_000 + "eyJ" * 50_000 + "ghs_" * 50_000
    assert len(redact(text)) < len(text)
