from __future__ import annotations

import pytest

from generator.languages.python.test_files import read_test_file
from generator.replies import UnreadableReplyError

TEST = "import shapes\n\n\ndef test_area():\n    assert shapes.area(2) == 4\n"
UNITTEST = "class A(unittest.TestCase):\n    async def testArea(self):\n        pass\n"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (TEST, TEST),
        (f"```python\n{TEST}```", TEST),
        (f"\n\n```py\n{TEST}```\n\nIt fails.", TEST),
        (f"```\n{TEST}", TEST),
        (f"```python\n{UNITTEST}```", UNITTEST),
        (f"A draft:\n```python\n{UNITTEST}```\nBetter:\n```python\n{TEST}```", TEST),
        (f"```python\n{TEST}```\nRun it:\n```bash\npytest\n```", TEST),
        (f"```python\n{TEST}```\nwhere area is\n```python\ndef area(x): ...\n```", TEST),
        (f"<test>\n{TEST}</test>", TEST),
        (f"<think>```python\n{UNITTEST}```</think>```python\n{TEST}```", TEST),
    ],
)
def test_the_last_part_that_defines_a_test_is_taken(reply: str, code: str) -> None:
    assert read_test_file(reply) == code


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (" \n", "is empty"),
        ("<plan>\n1. Import `area`.\n2. Call it.\n</plan>", "holds no Python code"),
        ("```bash\npytest\n```", "holds no Python code"),
        ("```python\nassert area(2) == 4\n```", "defines no test"),
        ("```python\ndef test_a():\n    assert (1\n```", "not valid Python: .*line 2"),
        ("def helper():\n    pass\n", "defines no test"),
        ("```python\ndef test_a():\n    x = '\0'\n```", "not valid Python"),
    ],
)
def test_what_is_no_test_file_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        read_test_file(reply)
