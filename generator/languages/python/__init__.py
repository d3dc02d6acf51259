"""Python, for a writer of tests."""

from evaluator.languages.python.blocks.code import indented
from generator.languages.protocol import Language
from generator.languages.python import inverting, layout, outline, test_files
from generator.languages.python.issue_only.candidates import reproducers
from generator.languages.python.issue_only.rules import RULE_NAMES
from generator.languages.python.notation import NOTATION
from generator.languages.python.test_files import formatted_as_repository, placed
from generator.languages.python.words import WORDS

__all__ = ["PYTHON"]

PYTHON = Language(
    name="python",
    title="Python",
    suffixes=layout.SUFFIXES,
    package_files=layout.PACKAGE_FILES,
    test_mark=layout.TEST_MARK,
    new_test_file="tests/test_reported_issue.py",
    outlines=outline,
    sources=layout,
    test_files=test_files,
    assertions=inverting,
    placed=placed,
    formatted=formatted_as_repository,
    reproducers=reproducers,
    rules=RULE_NAMES,
    notation=NOTATION,
    indented=indented,
    words=WORDS,
)
