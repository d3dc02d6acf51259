"""Time limits as annotations of tests, for builds that nothing else limits (thesis, p. 16)."""

from __future__ import annotations

import re

from evaluator.benchmarks.tests4j.dataset import TestFramework

_TEST = re.compile(r"@(?:org\.(?:junit|testng\.annotations)\.)?Test\b(\s*\()?")
_ARGUMENTS = {TestFramework.JUNIT4: "timeout", TestFramework.TESTNG: "timeOut"}


def limited(source: str, framework: TestFramework, seconds: int) -> str:
    """A test with a limit where its framework takes one from `@Test`, and it has none.

    Jupiter is given one for all tests by a setting; JUnit 3 knows none.
    """
    name = _ARGUMENTS.get(framework)
    match = _TEST.search(source)
    if name is None or match is None or re.search(rf"\b{name}\s*=", source):
        return source
    limit = f"{name} = {1000 * seconds}"
    if match[1] is None:
        return f"{source[: match.end()]}({limit}){source[match.end() :]}"
    rest = source[match.end() :]
    comma = "" if rest.lstrip().startswith(")") else ", "
    return f"{source[: match.end()]}{limit}{comma}{rest}"
