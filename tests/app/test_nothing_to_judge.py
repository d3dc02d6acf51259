"""Changes without anything to judge: a required gate lets them pass, and nothing is run."""

from __future__ import annotations

import pytest

from bot.jobs.scope import why_nothing

from .conftest import REPOSITORY

pytestmark = pytest.mark.bubblewrap

REQUIRED = "verify:\n  gate: required\n  paths_ignore: ['examples/', '*.svg']\n"


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"README.md": "# Words\n", "docs/use.rst": "Use\n"}, "only documentation changed"),
        ({".github/workflows/ci.yml": "on: push\n"}, "only settings of CI changed"),
        (
            {"LICENSE": "Free\n", "examples/a.py": "x = 1\n", "logo/a.svg": "<svg/>\n"},
            "only documentation and ignored paths changed",
        ),
        (
            {
                "tests/test_more.py": "import unittest\n\n\nclass More(unittest.TestCase):\n"
                "    def test_it(self):\n        self.assertEqual(1, 1)\n"
            },
            "no code changed",
        ),
    ],
    ids=["documentation", "CI", "ignored paths", "tests"],
)
def test_a_required_gate_lets_it_pass(story, files, why):
    story.alice.push(REPOSITORY, "main", {".github/fixgate.yml": REQUIRED})
    head = story.alice.push(REPOSITORY, "more", files)
    story.alice.open_pull(REPOSITORY, "more", "More")
    story.work()
    (check,) = story.checks(head)
    assert (check["conclusion"], check["title"]) == ("skipped", f"Nothing to check: {why}")
    assert all(path in str(check["summary"]) for path in files)


@pytest.mark.parametrize(
    "path",
    [
        "wordtools/words.md",
        "requirements.txt",
        "docs/conf.py",
        "docs/test_examples.py",
        "tests/data/README.md",
        "README.py",
        "pyproject.toml",
        "conftest.py",
    ],
)
def test_what_code_or_tests_may_read_is_judged(path):
    assert why_nothing([path, "README.md"], ["*.svg"]) == ""
