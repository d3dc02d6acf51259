"""Python: what the protocol of languages says of it."""

from evaluator.languages.protocol import Language
from evaluator.languages.python.blocks import BLOCKS
from evaluator.languages.python.environment.environments import PythonEnvironments
from evaluator.languages.python.failures import FAILURES
from evaluator.languages.python.frameworks import FRAMEWORKS, PythonRunner
from evaluator.languages.python.safeguards import SAFEGUARDS
from evaluator.languages.python.sources import SOURCES, TEST_CODE
from evaluator.languages.python.test_files import PythonTests

PYTHON = Language(
    name="python",
    suffixes=(".py",),
    tests=PythonTests(),
    environments=PythonEnvironments(),
    frameworks=FRAMEWORKS,
    runner=PythonRunner(),
    sources=SOURCES,
    test_code=TEST_CODE,
    failures=FAILURES,
    safeguards=SAFEGUARDS,
    blocks=BLOCKS,
)
