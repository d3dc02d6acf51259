"""That strangers' text comes out harmless, and everything within GitHub's limits."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.messages.markdown import LONGEST_TEXT, code, fenced, fitted, folded, plain, table

MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})
NASTY = st.text(alphabet="ab1 @#/`*_~|<>[]()!&\\\n-+.:=&;\"'", max_size=40)


@given(NASTY)
def test_plain_text_shows_as_it_is(text):
    shown = MARKDOWN.render("x " + plain(text))
    assert set(re.findall(r"<(\w+)", shown)) <= {"p"}
    told = html.unescape(re.sub(r"</?p>", "", shown)).replace("\u2060", "")
    assert " ".join(told.split()) == " ".join(f"x {text}".split())


@given(NASTY)
def test_code_shows_as_it_is(text):
    line = " ".join(text.split())
    (shown,) = re.findall(r"<code>(.*)</code>", MARKDOWN.render(code(text))) or [""]
    assert html.unescape(shown) == line


@given(NASTY, NASTY)
def test_a_block_cannot_be_closed_from_within(before, after):
    content = f"{before}\n```\n{after}"
    shown = MARKDOWN.render(fenced(content) + "\n\nend")
    assert shown.count("<pre>") == 1
    assert shown.endswith("<p>end</p>\n")


@pytest.mark.parametrize("text", ["@octocat", "hi @org/team", "a@b", "(@x)"])
def test_nobody_is_mentioned(text):
    assert not re.search(r"@[\w-]", plain(text))


@pytest.mark.parametrize("text", ["#12", "o/r#12", "GH-12", "gh-12"])
def test_no_other_issue_is_referred_to(text):
    assert not re.search(r"(#|GH-)\d", plain(text), re.IGNORECASE)


def test_links_are_not_made_of_addresses():
    assert "://" not in plain("see https://evil.example/login")


def test_what_hides_characters_is_shown():
    assert "\u202e" not in plain("a\u202eb")
    assert "\u200b" not in fenced("a\u200bb")


def test_a_table_keeps_its_columns():
    shown = MARKDOWN.render(table(["a", "b"], [[plain("x|y"), code("p|q")]]))
    assert shown.count("<td") == 2
    assert "p|q" in shown


def test_a_folded_part_shows_its_body_as_markdown():
    shown = MARKDOWN.render(folded("5 <tests>", "**bold**"))
    assert "<strong>bold</strong>" in shown
    assert "5 &lt;tests&gt;" in shown


@given(st.lists(st.text(max_size=3000), max_size=40), st.integers(200, LONGEST_TEXT))
def test_what_is_fitted_fits_and_tells_what_it_left_out(parts, longest):
    text = fitted(parts, longest)
    assert len(text) <= longest
    whole = "\n\n".join(parts)
    assert text == whole or "cut here" in text
