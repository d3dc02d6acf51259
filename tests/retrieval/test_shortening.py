"""Long issues are shortened: code and tracebacks stay, and the budget holds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.retrieval import estimated_tokens, shortened_issue

PROSE = "\n\n".join(f"Paragraph {n} tells a long story of how it came to this." for n in range(200))
ISSUE = f"""The title

First of all.

{PROSE}

```python
crash(now=True)
```

{PROSE}

```
Traceback (most recent call last):
  File "x.py", line 1, in <module>
ValueError: no
```

The last word.
"""


def test_short_issues_stay_as_they_are() -> None:
    assert shortened_issue("Title\n\n`x`\n", 100) == "Title\n\n`x`\n"


def test_code_tracebacks_and_both_ends_stay() -> None:
    short = shortened_issue(ISSUE, 300)
    for kept in ("The title", "crash(now=True)", "ValueError: no", "First of all", "The last word"):
        assert kept in short
    assert "[...]" in short
    assert short.index("crash(now=True)") < short.index("ValueError: no")
    assert estimated_tokens(short) <= 300


def test_long_tracebacks_keep_their_ends() -> None:
    frames = "\n".join(f'  File "f{n}.py", line {n}, in f{n}' for n in range(1000))
    short = shortened_issue(f"Title\n\n```\nTraceback:\n{frames}\nKeyError: 'it'\n```\n", 400)
    assert "f0.py" in short
    assert "KeyError: 'it'" in short


@given(st.text(max_size=2000), st.integers(min_value=0, max_value=300))
def test_budget_holds_for_any_text(text: str, tokens: int) -> None:
    assert estimated_tokens(shortened_issue(text, tokens)) <= tokens


@pytest.mark.parametrize(
    ("text", "least"), [("a" * 9, 3), ("é", 2), ("漢字", 6), ("\ud800", 3), ("", 0)]
)
def test_estimates(text: str, least: int) -> None:
    assert estimated_tokens(text) == least
