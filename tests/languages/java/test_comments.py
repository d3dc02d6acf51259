"""Comments are taken out of Java, and nothing else is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.java.comments import without_comments

PIECES = {
    '/** a "b */\n': "",
    "int c;\n": "int c;",
    "// d 'e\n": "",
    'of("f // g");\n': 'of("f // g");',
    "of('\"');\n": "of('\"');",
    'of("h\\\\");/* i */\n': 'of("h\\\\");',
    'of("""\n  // j "\n  """);\n': 'of("""\n  // j "\n  """);',
    "of('\\'');\n": "of('\\'');",
    'of("/*");\n': 'of("/*");',
    "/* k // l */ int m;\n": "int m;",
    'of("\\\\\\"n");\n': 'of("\\\\\\"n");',
}
"""Lines of code, and what stays of them."""


@given(st.lists(st.sampled_from(sorted(PIECES)), max_size=6))
def test_only_comments_are_gone(pieces: list[str]) -> None:
    found = without_comments("".join(pieces).encode()).decode()
    assert _without_blanks(found) == _without_blanks("".join(PIECES[each] for each in pieces))


def _without_blanks(code: str) -> str:
    return "".join(code.split())
