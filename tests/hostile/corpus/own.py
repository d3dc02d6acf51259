"""What heads with tests of their own are made of: there is no test of an issue."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import dedent, indent

from tests.hostile.trees import Content

from .head import Head, Project
from .projects import WORDS


def test_case(body: str, imports: str = "") -> str:
    method = indent(dedent(body).strip(), " " * 8)
    head = f"import unittest\n{imports}\n\n\nclass NewTest(unittest.TestCase):\n"
    return f"{head}    def test_new(self):\n{method}\n"


def own_head(
    name: str,
    does: str,
    project: Project,
    test: str,
    files: Mapping[str, Content],
    who: str = "games",
    path: str = "tests/test_new.py",
) -> Head:
    brought = {path: test, **files}
    return Head(f"own-{name}", who, does, project, brought, given=False)  # type: ignore[arg-type]


def added(project: Project, code: str) -> Mapping[str, Content]:
    return {project.module: f"{project.files[project.module]}\n\n{dedent(code).strip()}\n"}


HELPER = added(
    WORDS,
    '''
    def is_short(text):
        """Whether a text is short."""
        return len(text) < 9
    ''',
)
KEYWORD = WORDS.edited(
    WORDS.module, ('mark="..."):', 'mark="...", strict=False):'), ("cut off.", "cut off; strictly.")
)
COMMENT = {WORDS.module: WORDS.files[WORDS.module] + "\n# Fixed: <= in place of <.\n"}
LIMIT = added(WORDS, 'LIMIT = 80\n"""The most characters of a line."""')
