"""Java: what the protocol of languages says of it."""

from evaluator.languages.java.environment.changes import compile_changes
from evaluator.languages.java.environment.environments import JavaEnvironments
from evaluator.languages.java.failures import FAILURES
from evaluator.languages.java.frameworks import FRAMEWORKS
from evaluator.languages.java.runner import JavaRunner
from evaluator.languages.java.safeguards import SAFEGUARDS
from evaluator.languages.java.sources import SOURCES, TEST_CODE
from evaluator.languages.java.test_files import JavaTests
from evaluator.languages.protocol import Language

JAVA = Language(
    name="java",
    suffixes=(".java",),
    tests=JavaTests(),
    environments=JavaEnvironments(),
    frameworks=FRAMEWORKS,
    runner=JavaRunner(),
    compiler=compile_changes,
    sources=SOURCES,
    test_code=TEST_CODE,
    failures=FAILURES,
    safeguards=SAFEGUARDS,
)
