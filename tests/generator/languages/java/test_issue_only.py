"""From a Java issue to a test, and from the test to verdicts, without a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import fixgate
from tests.languages.java.repository import BROKEN, CODE, FIXED, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

ISSUE = """\
Plural of box is wrong

The plural of words that end in x has no e:

```java
assertEquals("boxes", Plural.of("box"));
```

fails with

    org.junit.ComparisonFailure: expected:<box[e]s> but was:<box[]s>
"""
PASSES = ISSUE.replace("boxes", "cats").replace('of("box")', 'of("cat")')
ONLY_WORDS = "Plural of box is wrong\n\nIt should be boxes.\n"
NO_FIX = BROKEN.replace('return word + "s"', 'return word.concat("s")')


class Story:
    """A repository with issues."""

    def __init__(self, place: Path, cache: Path) -> None:
        self.place, self.cache = place, cache
        self.repository = Repository(place / "words")
        self.heads = {name: self.repository.change({CODE: c}) for name, c in HEADS.items()}
        (place / "issue.md").write_text(ISSUE)

    def ask(self, command: str, *arguments: object) -> tuple[int, str]:
        """The exit code and the output of one of fixgate's commands on the repository's base."""
        of = ("--repo", self.repository.path, "--base", self.repository.base)
        usual = ("--sandbox", "bubblewrap", "--cache", self.cache)
        done = fixgate([command, *map(str, (*of, *usual, *arguments))])
        return done.returncode, done.stdout

    def written(self, issue: str) -> dict[str, str]:
        """The row that comes of an issue."""
        text, out = self.place / "report.md", self.place / "tests.jsonl"
        text.write_text(issue)
        out.unlink(missing_ok=True)
        self.ask("generate", "--issue", text, "--method", "issue-only", "--out", out)
        row: dict[str, str] = json.loads(out.read_text())
        return row


HEADS = {"right": FIXED, "without effect": NO_FIX}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory, java_cache: Path) -> Story:
    return Story(tmp_path_factory.mktemp("java"), java_cache)


def test_the_code_of_an_issue_becomes_a_test_that_judges_fixes(story: Story) -> None:
    patch = story.written(ISSUE)["model_patch"]
    assert "+++ b/src/test/java/words/PluralBoxWrongTest.java" in patch
    assert '+        assertEquals("boxes", Plural.of("box"));' in patch
    tests = story.place / "tests.patch"
    tests.write_text(patch)
    judged = ("--tests", tests, "--issue", story.place / "issue.md", "--quick")
    exits = {head: story.ask("verify", "--head", c, *judged) for head, c in story.heads.items()}
    assert {head: code for head, (code, _) in exits.items()} == {
        "right": 0,
        "without effect": 1,
    }, exits


@pytest.mark.parametrize("issue", [PASSES, ONLY_WORDS], ids=["passes", "only words"])
def test_what_does_not_fail_as_reported_is_not_submitted(story: Story, issue: str) -> None:
    row = story.written(issue)
    assert row["model_patch"] == ""
    assert row["reason"]
