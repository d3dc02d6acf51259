"""Code in texts that have lost their fences and empty lines."""

from __future__ import annotations

import textwrap
import time

from hypothesis import given
from hypothesis import strategies as st

from generator.languages.python.notation import NOTATION
from generator.report_text import IssueReport, read_report


def report(issue: str) -> IssueReport:
    return read_report(textwrap.dedent(issue).strip("\n"), NOTATION)


def sources(issue: str) -> list[str]:
    return [s.source for example in report(issue).examples for s in example.statements]


def test_code_stands_among_prose_without_any_mark() -> None:
    issue = """
        The title is no code.
        Description
        \t
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
        "class A(models.Model):\n    name = models.CharField(\n        max_length=10,\n    )\n"
        "    def __str__(self):\n        return self.name # twice",
        "a = A()",
        "a.name",
    ]


def test_a_session_ends_where_a_sentence_begins() -> None:
    issue = """
        Title
        >>> f(
        ...     3)
        4
        But this should be five.
        >>> g()
        5
    """
    first, second = (statement for e in report(issue).examples for statement in e.statements)
    assert (first.source, first.shown) == ("f(\n    3)", "4")
    assert (second.source, second.shown) == ("g()", "5")


def test_frames_of_a_traceback_are_no_code() -> None:
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
    assert [error.name for error in report(issue).errors] == ["ValueError"]


def test_comments_between_statements_belong_to_them() -> None:
    issue = "Title\n# Bytes\nx = f(b'1')\nx.content\n# Out: b'2'\n# This is wrong\nx.close()"
    read, looked, closed = (s for e in report(issue).examples for s in e.statements)
    assert (read.heralds, looked.below) == ("Bytes", "Out: b'2'\nThis is wrong")
    assert closed.source == "x.close()"


def test_a_block_that_does_not_parse_as_a_whole_is_left_out() -> None:
    issue = "Title\nclass A(models.Model):\n    x = 1\n  y = 2\n"
    assert "class A" not in "".join(sources(issue))


def test_decorators_and_elisions() -> None:
    issue = "Title\n@register(A)\nclass B(C):\n    …\n    def f(self):\n        pass\n"
    assert sources(issue) == [
        "@register(A)\nclass B(C):\n    ...\n    def f(self):\n        pass",
    ]


def test_a_text_with_paragraphs_shows_its_code_by_marks() -> None:
    issue = "Title\n\nCall it:\nf(1)\n\nand see.\n"
    assert sources(issue) == []


def test_reading_takes_seconds_at_most() -> None:
    started = time.process_time()
    read_report("Title\n" + "f(x,\n" * 8_000, NOTATION)
    read_report("Title\n" + ("f(" + "x," * 900 + "\n") * 36, NOTATION)
    assert time.process_time() - started < 30


@given(st.text(alphabet=st.sampled_from("fx(=)#:'\"\n\t >@\u2026")))
def test_any_text_can_be_read(text: str) -> None:
    read_report(text, NOTATION)
