"""Python: what the protocol of languages says of it."""

from evaluator.languages.protocol import Language
from evaluator.languages.python.test_files import PythonTests

PYTHON = Language(name="python", suffixes=(".py",), tests=PythonTests())
