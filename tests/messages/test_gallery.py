"""The page with every text of the App."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import main
from bot.github.types import Check
from bot.messages import rendering
from bot.messages.examples import examples
from bot.messages.phrases import OF_TESTS, OTHERS
from evaluator.verdict import RULES

TEXTS = {
    one.occasion: f"{one.shown.title}\n{one.shown.summary}\n{one.shown.text}"
    if isinstance(one.shown, Check)
    else one.shown
    for one in examples()
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("page") / "messages.html"
    done = CliRunner().invoke(main, ["messages", "--out", str(out)])
    assert done.exit_code == 0, done.output
    return out.read_text("utf-8")


def test_every_template_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    parts = rendering._parts

    def noted(name: str, values: Mapping[str, object]) -> dict[str, str]:
        used.add(name)
        return parts(name, values)

    monkeypatch.setattr(rendering, "_parts", noted)
    assert list(examples())
    assert used == set(rendering.templates())


def test_every_rule_has_words(page: str) -> None:
    assert {*OF_TESTS, *OTHERS} == set(RULES)
    for one, many in OF_TESTS.values():
        assert one.replace("'", "&#39;") in page
        assert many.format(3).replace("'", "&#39;") in page


@pytest.mark.parametrize("occasion", TEXTS)
def test_texts_use_the_words_of_people(occasion: str) -> None:
    """No notation of replays, no names of rules or templates, nothing left to fill in."""
    text = TEXTS[occasion]
    assert not re.search(r"[FPx-]->[FPx-]|R∘X|\{\{|\{%|None\b|surrogate|instance", text)
    assert not re.search(rf"\b({'|'.join(rule for rule in RULES if '_' in rule)})\b", text)
    assert "without a message" not in text


def test_a_page_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    out = tmp_path / "missing" / "messages.html"
    done = CliRunner().invoke(main, ["messages", "--out", str(out)])
    assert done.exit_code == 2
    assert f"{out}: cannot be written: No such file or directory" in done.output
