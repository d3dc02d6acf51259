"""Prices: known ones to the cent, unknown ones never nothing."""

from __future__ import annotations

import pytest

from evaluator.errors import InputError
from generator.model.prices import Price, known_prices
from generator.model.protocol import TokenUsage

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("name", "dollars"),
    [
        ("gpt-4o", 2.5),
        ("gpt-4o-2024-08-06", 2.5),
        ("gpt-4o-2024-05-13", 5),
        ("gpt-4o-mini", 0.15),
        ("gpt-4o-mini-2024-07-18", 0.15),
        ("gpt-4-0613", 30),
        ("gpt-4-1106-preview", 10),
        ("openai/gpt-4.1-mini", 0.4),
        ("claude-opus-4-20250514", 15),
        ("claude-opus-4-5", 5),
        ("anthropic/claude-sonnet-4.5", 3),
        ("claude-3-5-sonnet-latest", 3),
        ("GPT-4o", 2.5),
    ],
)
def test_a_known_model_is_found_by_name_release_and_vendor(name, dollars):
    price = known_prices().of(name)
    assert price is not None
    assert price.input == dollars


@pytest.mark.parametrize(
    "name",
    ["gpt-5-pro", "gpt-5.3", "gpt-4o-audio-preview", "claude-opus-4-9", "gpt-4o:free", "qwen", ""],
)
def test_a_relative_of_a_known_model_is_unknown(name):
    assert known_prices().of(name) is None


def test_each_kind_of_token_has_its_price():
    price = Price(input=3, output=15, cached=0.3, written=3.75)
    usage = TokenUsage(3 * MILLION, MILLION, cached_tokens=MILLION, written_tokens=MILLION)
    assert price.of(usage) == pytest.approx(3 + 0.3 + 3.75 + 15)


def test_without_prices_of_their_own_remembered_tokens_cost_as_others():
    usage = TokenUsage(2 * MILLION, 0, cached_tokens=MILLION)
    assert Price(input=3, output=15).of(usage) == pytest.approx(6)


def test_beyond_its_bound_a_price_is_unknown():
    price = known_prices().of("gemini-2.5-pro")
    assert price is not None
    assert price.of(TokenUsage(200_000, 1)) is not None
    assert price.of(TokenUsage(200_001, 1)) is None


def test_a_file_adds_to_the_prices_and_corrects_them(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('[me]\n"my-model" = { input = 1, output = 2 }\n"gpt-4o" = {input=9,output=9}\n')
    prices = known_prices(path)
    assert prices.of("my-model") == Price(1, 2)
    corrected, kept = prices.of("gpt-4o"), prices.of("gpt-4o-mini")
    assert corrected == Price(9, 9)
    assert kept is not None
    assert kept.input == 0.15


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[me", "is no TOML"),
        ("me = 1", "a table"),
        ('[me]\n"m" = 1', "a table"),
        ('[me]\n"m" = { input = 1 }', "required field missing.*output"),
        ('[me]\n"m" = { input = "much", output = 1 }', "input"),
        ('[me]\n"m" = { input = 1, output = 1, price = 3 }', "unknown field.*price"),
        ('[me]\n"m" = { input = -1, output = 1 }', "below zero"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_field(tmp_path, text, told):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"mine.toml.*{told}"):
        known_prices(path)
