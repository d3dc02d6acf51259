"""The annotated diff: numbers and states on the right lines, whatever the diff looks like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator.model import ChangeCoverage, ChangedLine, LineState, Revision
from evaluator.report.annotated_diff import annotate

PATCH = """\
diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -3,3 +3,4 @@ def f():
 x
--- y
+++ z
+w
 v
@@ -10 +11,0 @@
-gone
\\ No newline at end of file
diff --git a/old.py b/new.py
rename from old.py
rename to new.py
--- a/old.py\t2020
+++ b/new.py\t2020
@@ -1 +1 @@
-a\r
+b\r
"""


def lines(*places: tuple[Revision, str, int]) -> ChangeCoverage:
    return ChangeCoverage(
        tuple(ChangedLine(path, number, side, LineState.COVERED) for side, path, number in places)
    )


def test_lines_are_numbered_on_their_side():
    found = [(line.kind, line.number, line.text) for line in annotate(PATCH, [])]
    assert found == [
        ("file", None, "a.py"),
        ("hunk", None, "@@ -3,3 +3,4 @@ def f():"),
        ("context", 3, "x"),
        ("removed", 4, "-- y"),
        ("added", 4, "++ z"),
        ("added", 5, "w"),
        ("context", 6, "v"),
        ("hunk", None, "@@ -10 +11,0 @@"),
        ("removed", 10, "gone"),
        ("file", None, "rename from old.py"),
        ("file", None, "rename to new.py"),
        ("file", None, "new.py"),
        ("hunk", None, "@@ -1 +1 @@"),
        ("removed", 1, "a"),
        ("added", 1, "b"),
    ]


def test_states_stand_beside_the_changed_lines_one_for_each_prediction():
    first = lines((Revision.BASE, "a.py", 4), (Revision.FIXED, "new.py", 1))
    second = lines((Revision.BASE, "old.py", 1))
    found = {line.text: line.states for line in annotate(PATCH, [first, second]) if line.states}
    covered = LineState.COVERED
    assert found == {"-- y": (covered, None), "b": (covered, None), "a": (None, covered)}


@given(st.text(alphabet="+- @,0123\n\\ab", max_size=200))
def test_no_text_is_an_error(text):
    assert list(annotate("@@ -1,9 +1,9 @@\n" + text, []))
