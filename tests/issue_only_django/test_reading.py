from __future__ import annotations

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from generator.issue_only.django.reading import read_ticket


def sources(issue: str) -> list[str]:
    return [s.source for s in read_ticket(textwrap.dedent(issue).strip("\n")).statements]


def test_code_stands_among_prose_without_any_mark() -> None:
    issue = """
        The title is no code.
        Description

        Consider this:
        from django.db import models
        class A(models.Model):
        \tname = models.CharField(
        \t\tmax_length=10,
        \t)

        \tdef __str__(self):
        \t\treturn self.name # twice
        a = A()
        a.name
        Works
        Note: this is prose.
        Everything (nearly) parses.
    """
    assert sources(issue) == [
        "from django.db import models",
        "class A(models.Model):\n    name = models.CharField(\n        max_length=10,\n    )\n\n"
        "    def __str__(self):\n        return self.name # twice",
        "a = A()",
        "a.name",
    ]


def test_a_session_with_its_output() -> None:
    issue = """
        Title
        >>> for x in (1, 2):
        ...     print(x)
        1
        2
        In [2]: f(
            3)
        Out: 4
    """
    first, second = read_ticket(textwrap.dedent(issue).strip()).statements
    assert first.typed
    assert first.source == "for x in (1, 2):\n    print(x)"
    assert first.after == ("1", "2")
    assert second.source == "f(\n    3)"
    assert second.after == ("Out: 4",)


def test_tracebacks_hold_no_code() -> None:
    issue = """
        Title
        Traceback (most recent call last):
          File "a.py", line 1, in <module>
            main()
          File "b.py", line 2, in main
            return f(x)
        ValueError: too short
        g(1)
    """
    assert sources(issue) == ["g(1)"]


def test_a_block_that_does_not_parse_as_a_whole_is_left_out() -> None:
    issue = """
        Title
        class A(models.Model):
            x = 1
          y = 2
    """
    assert "class A" not in "".join(sources(issue))


def test_decorators_and_elisions() -> None:
    issue = """
        Title
        @register(A)
        class B(C):
            …
            @classmethod
            def f(cls):
                pass
    """
    assert sources(issue) == [
        "@register(A)\nclass B(C):\n    ...\n    @classmethod\n    def f(cls):\n        pass"
    ]


def test_comments_at_the_end_of_a_statement() -> None:
    statement = read_ticket("Title\nprint(a.query) # GROUP BY x # should go").statements[0]
    assert statement.comment == "GROUP BY x # should go"


def test_a_text_that_holds_everything_twice() -> None:
    text = "A title that is long enough to be told from others\n" + "f(1)\n" * 40
    assert len(read_ticket(text + text).statements) == 40


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    read_ticket(text)
