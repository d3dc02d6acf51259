"""GitHub's Markdown as HTML, with as little of the writers' own HTML as fixgate needs.

https://github.github.com/gfm/ is the form; which mentions and references become links stands in
https://docs.github.com/get-started/writing-on-github (autolinked references).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup

Linked = Callable[[str], str]
"""The address that a word such as `@alice`, `#12` or `alice/sample#12` leads to, "" for none."""

_ALLOWED: Final = re.compile(
    r"<!--.*?-->|<(/?)(details|summary|sub)(?:\s+open)?\s*>", re.DOTALL | re.IGNORECASE
)
_REFERENCE: Final = re.compile(
    r"(?<![\w/@#.&-])(?:"
    r"@[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}(?![\w-])"
    r"|(?:[\w-]+/[\w.-]+)?#\d+\b"
    r"|GH-\d+\b)",
    re.IGNORECASE,
)

_KINDS: Final = {"+": "added", "-": "removed", "@": "hunk"}
_SCROLLED: Final = re.compile("<(pre|table)>")
"""What may be wider than the screen; who has only a keyboard scrolls what has the focus."""
_HOST: Final = re.compile(r"^[\w-]+(?:\.[\w-]+)+(?:/[^\s<>()]*[^\s<>().,:;!?*_~])?")


def to_html(text: str, linked: Linked) -> Markup:
    """The text of a comment or a check. Pictures are shown as links, so that nothing is fetched.

    Of HTML, `details`, `summary` and `sub` count, comments vanish, and all else is shown as text.
    """
    rendered = _SCROLLED.sub(r'<\1 tabindex="0">', _MARKDOWN.render(text, {"linked": linked}))
    return Markup(rendered)  # noqa: S704 - made safe here


def _make_markdown() -> MarkdownIt:
    made = MarkdownIt("gfm-like", {"breaks": True, "highlight": _coloured})
    _link_as_github_does(made)
    made.core.ruler.push("references", _link_references)
    for kind in ("html_block", "html_inline"):
        made.add_render_rule(kind, _show_html)
    made.add_render_rule("image", _show_picture)
    return made


def _link_as_github_does(markdown: MarkdownIt) -> None:
    """Bare addresses are linked with a scheme or with `www.`, but `README.md` is not."""
    assert markdown.linkify is not None
    markdown.linkify.set({"fuzzy_link": False})
    markdown.linkify.add("www.", {"validate": _HOST, "normalize": _complete})


def _complete(_: object, match: Any) -> None:
    match.url = f"http://{match.url}"


def _coloured(code: str, language: str, _: str) -> str:
    """A diff in colours; anything else as it is."""
    if language != "diff":
        return ""
    parts = re.split("(?m)^(?=diff |@@)", code.removesuffix("\n"))
    return "".join(_row(line, part) for part in parts for line in part.splitlines())


def _row(line: str, part: str) -> str:
    """A line of a diff; only in a part that begins with @@ it may be an added or removed one."""
    kind = _KINDS.get(line[:1], "kept") if part.startswith("@@") else "hunk"
    return f'<span class="line {kind}">{html.escape(line)}\n</span>'


def _show_html(_: RendererHTML, tokens: Sequence[Token], index: int, *__: object) -> str:
    """The few elements that are let through; an element left open ends with its comment."""
    return "".join(_allowed(tokens[index].content))


def _allowed(source: str) -> Iterator[str]:
    end = 0
    for tag in _ALLOWED.finditer(source):
        yield html.escape(source[end : tag.start()])
        if tag[2]:
            yield f"<{tag[1]}{tag[2].lower()}>"
        end = tag.end()
    yield html.escape(source[end:])


def _show_picture(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    description = self.renderInlineAsText(token.children, options, env)
    address = html.escape(str(token.attrGet("src")))
    return f'<a href="{address}" rel="nofollow">[picture: {html.escape(description)}]</a>'


def _link_references(state: StateCore) -> None:
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = list(_with_links(block.children, state.env["linked"]))


def _with_links(tokens: Sequence[Token], linked: Linked) -> Iterator[Token]:
    """The tokens, with the references in text that is not in a link cut out and linked."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type in ("link_open", "link_close") else 0
        if token.type == "text" and depth == 0:
            yield from _cut(token, linked)
        else:
            yield token


def _cut(token: Token, linked: Linked) -> Iterator[Token]:
    end, text = 0, token.content
    for found in _REFERENCE.finditer(text):
        address = linked(found[0])
        if address:
            yield _token("text", 0, text[end : found.start()])
            yield _token("link_open", 1, attrs={"href": address, "class": "reference"})
            yield _token("text", 0, found[0])
            yield _token("link_close", -1)
            end = found.end()
    yield _token("text", 0, text[end:])


def _token(
    kind: str, nesting: Any, content: str = "", attrs: dict[str, Any] | None = None
) -> Token:
    tag = "" if kind == "text" else "a"
    return Token(kind, tag, nesting, attrs=attrs or {}, content=content)


_MARKDOWN: Final = _make_markdown()
