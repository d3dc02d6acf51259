"""Where a model is asked, by options and the environment."""

from __future__ import annotations

import pytest

from evaluator.errors import InputError
from generator.model.endpoint import Endpoint, anthropic_endpoint, endpoint_from


def test_the_option_comes_before_the_environment_and_that_before_openai():
    environment = {"FIXGATE_BASE_URL": "http://b/v1", "OPENAI_BASE_URL": "http://c/v1"}
    assert endpoint_from("http://a/v1", environment).base_url == "http://a/v1"
    assert endpoint_from("", environment).base_url == "http://b/v1"
    assert endpoint_from("", {"OPENAI_BASE_URL": "http://c/v1"}).base_url == "http://c/v1"
    assert endpoint_from("", {}).base_url == "https://api.openai.com/v1"


def key_source(endpoint: Endpoint) -> str:
    assert endpoint.key is not None
    return endpoint.key.source


@pytest.mark.parametrize(
    ("url", "source"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY"),
        ("http://localhost:8000/v1", "OPENAI_API_KEY"),
        ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    ],
)
def test_each_vendor_gets_its_own_key(url, source):
    keys = {"OPENAI_API_KEY": "sk-openai-0", "ANTHROPIC_API_KEY": "sk-anthropic-0"}
    assert key_source(endpoint_from(url, keys)) == source
    keys["FIXGATE_API_KEY"] = "k"
    assert key_source(endpoint_from(url, keys)) == "FIXGATE_API_KEY"


def test_anthropics_protocol_gets_anthropics_key():
    keys = {"OPENAI_API_KEY": "sk-openai-0", "ANTHROPIC_API_KEY": "sk-anthropic-0"}
    endpoint = anthropic_endpoint("", keys)
    assert (endpoint.base_url, key_source(endpoint)) == (
        "https://api.anthropic.com",
        "ANTHROPIC_API_KEY",
    )


def test_no_key_is_no_trouble():
    assert endpoint_from("http://localhost:8000/v1", {"OPENAI_API_KEY": " "}).key is None


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://host/v1", "http://", "gpt-4o"])
def test_what_is_no_address_is_refused(url):
    with pytest.raises(InputError, match="is no address of an API"):
        endpoint_from(url, {})


@pytest.mark.parametrize("url", ["https://me:secret@host/v1", "https://host/v1?key=secret"])
def test_an_address_with_a_password_is_refused_without_showing_it(url):
    with pytest.raises(InputError, match="holds a password") as raised:
        endpoint_from(url, {})
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "clear"),
    [
        ("http://localhost:8000/v1", False),
        ("http://127.0.0.1:8000/v1", False),
        ("http://[::1]:8000/v1", False),
        ("https://example.org/v1", False),
        ("http://example.org/v1", True),
    ],
)
def test_what_others_can_read_is_known(url, clear):
    assert Endpoint(url).in_the_clear is clear
