"""How Java's source files are read: code, and what tests say in theirs."""

from evaluator.languages.java.sources.absence import absences
from evaluator.languages.java.sources.behaviour import (
    behaviour,
    executable_lines,
    is_data,
    loading_lines,
)
from evaluator.languages.java.sources.imports import import_roots, imports
from evaluator.languages.java.sources.inert import inert
from evaluator.languages.java.sources.test_code import (
    compared,
    count_tests,
    names_used,
    only_negative,
    subject_of,
    texts,
)
from evaluator.languages.java.sources.touched import touched
from evaluator.languages.sources import Sources, TestCode

SOURCES = Sources(
    executable_lines=executable_lines,
    loading_lines=loading_lines,
    behaviour=behaviour,
    is_data=is_data,
    touched=touched,
    imports=imports,
    import_roots=import_roots,
    absences=absences,
    inert=inert,
)
TEST_CODE = TestCode(
    count_tests=count_tests,
    subject_of=subject_of,
    names_used=names_used,
    compared=compared,
    only_negative=only_negative,
    texts=texts,
    unspecific_names=frozenset(
        {"tests", "test", "testing", "java", "resources", "util", "utils", "package-info"}
    ),
)
