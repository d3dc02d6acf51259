"""Comments and documentation are taken out of Python, and nothing else is."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.languages.python.comments import without_comments

ROOT = Path(__file__).parents[3]
CODE = '''\
# one foo
"""Two bar."""
class C:  # three
    r"""Four
    "five"
    """
    mark = "# six"

    def f(self) -> dict[str,
                        int]:
        """Seven \\""" """

        return f("""
# eight
""", {"nine":
        1})
'''
PIECES = [
    *(
        "x = 1\n",
        "x = 'a # b'\n",
        'x = "\'c"\n',
        "# d 'e\n",
        "x = '''f\n# g\n'''\n",
        "x = b'h\\''\n",
    ),
    *('"""i \'j"""\n', "if k:\n    '''l'''\n    pass  # m \"\"\"\n", "x = r'\\n'  # o\n"),
]
_WORD = re.compile(r"[A-Za-z]+")


def words(code: str) -> set[str]:
    return set(_WORD.findall(without_comments(code.encode()).decode()))


def expected(code: str) -> set[str]:
    """The words that Python itself takes for code, in long texts that begin no block, and texts."""
    bodies = (getattr(node, "body", None) for node in ast.walk(ast.parse(code)))
    first = (body[0] for body in bodies if isinstance(body, list) and body)
    documentation = {each.lineno for each in first if isinstance(each, ast.Expr)}
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return {
        word
        for token in tokens
        if token.type != tokenize.COMMENT
        and not (token.string.endswith(('"""', "'''")) and token.start[0] in documentation)
        for word in _WORD.findall(token.string)
    }


def test_what_only_people_read_is_gone() -> None:
    numbers = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}
    assert {word.lower() for word in words(CODE)} & numbers == {"six", "eight", "nine"}


@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_it_is_what_python_itself_takes_for_code(code: str) -> None:
    assert words(code) == expected(code)


@pytest.mark.parametrize("package", ["bot", "evaluator", "generator"])
def test_it_is_so_in_our_own_code(package: str) -> None:
    files = sorted(ROOT.joinpath(package).rglob("*.py"))
    assert files
    for file in files:
        code = file.read_text(encoding="utf-8")
        assert words(code) == expected(code), file
