"""Java, for a writer of tests."""

from generator.languages.java import inverting, layout, outline, test_files
from generator.languages.java.formatting import formatted
from generator.languages.java.issue_only.candidates import RULES, reproducers
from generator.languages.java.notation import NOTATION
from generator.languages.java.placing import placed
from generator.languages.java.words import WORDS
from generator.languages.protocol import Language

__all__ = ["JAVA"]

JAVA = Language(
    name="java",
    title="Java",
    suffixes=layout.SUFFIXES,
    package_files=layout.PACKAGE_FILES,
    test_mark=layout.TEST_MARK,
    new_test_file="src/test/java/ReportedIssueTest.java",
    outlines=outline,
    sources=layout,
    test_files=test_files,
    assertions=inverting,
    placed=placed,
    formatted=formatted,
    reproducers=reproducers,
    rules=RULES,
    words=WORDS,
    notation=NOTATION,
)
