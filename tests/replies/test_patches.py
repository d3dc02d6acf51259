from __future__ import annotations

import textwrap

import pytest

from evaluator.diff import apply
from generator.replies import UnreadableReplyError, read_patches

DIFF = """\
--- a/tests/test_a.py
+++ b/tests/test_a.py
@@ -1,2 +1,3 @@
 def test_one():
     assert one() == 1
+    assert two() == 2
"""
OTHER = """\
diff --git a/tests/test_b.py b/tests/test_b.py
new file mode 100644
--- /dev/null
+++ b/tests/test_b.py
@@ -0,0 +1,2 @@
+def test_b():
+    assert False
"""
BLOCK = """\
diff
tests/test_a.py
insert
EOF
def test_two():
    assert two() == 2
end diff
"""
FILES = {"tests/test_a.py": b"def test_one():\n    assert one() == 1\n"}


def fenced(text: str, language: str = "diff") -> str:
    return f"Here is the patch:\n\n```{language}\n{text}```\n\nIt tests the issue."


@pytest.mark.parametrize(
    "reply",
    [
        DIFF,
        fenced(DIFF),
        fenced(DIFF, ""),
        fenced(DIFF, "patch tests/test_a.py"),
        fenced(DIFF).replace("```", "~~~~"),
        fenced(DIFF).removesuffix("```\n\nIt tests the issue."),
        fenced(DIFF).replace("\n", "\r\n"),
        f"Sure.\n<patch>\n{DIFF}</patch>\nDone.",
        f"<patch>\n```diff\n{DIFF}```\n</patch>",
        f"<patch>\n{DIFF}",
        f"<think>maybe\n{fenced(OTHER)}</think>\n{fenced(DIFF)}",
        "1. Steps\n\n" + textwrap.indent(fenced(DIFF), "   ", lambda line: True),
        f"Run it:\n```bash\npytest\n```\n{fenced(DIFF)}",
    ],
)
def test_a_diff_is_found_however_it_is_wrapped(reply: str) -> None:
    application = apply(read_patches(reply)[0], FILES.get)
    assert application.well_formed
    expected = FILES["tests/test_a.py"] + b"    assert two() == 2\n"
    assert application.changes.contents == {"tests/test_a.py": expected}


def test_blocks_are_found_in_their_own_fence_and_bare() -> None:
    for reply in (BLOCK, fenced(BLOCK, "custom-diff"), f"<patch>{BLOCK}</patch>"):
        application = apply(read_patches(reply)[0], FILES.get)
        assert application.format == "blocks"
        assert b"test_two" in (application.changes.contents["tests/test_a.py"] or b"")


def test_several_fences_are_parts_of_one_patch_first_and_drafts_of_it_then() -> None:
    together, last = read_patches(fenced(DIFF) + fenced(OTHER))[:2]
    assert set(apply(together, FILES.get).changes.contents) == {
        "tests/test_a.py",
        "tests/test_b.py",
    }
    assert set(apply(last, FILES.get).changes.contents) == {"tests/test_b.py"}


def test_of_several_diffs_of_one_file_the_last_is_the_likeliest() -> None:
    revised = DIFF.replace("two", "three")
    last, together = read_patches(fenced(DIFF) + fenced(revised))[:2]
    assert last == revised
    assert together == DIFF + "\n" + revised


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "is empty"),
        ("<think>what to do? " + DIFF, "is empty"),
        ("I cannot help with that.", "holds no diff"),
        ("```python\ndef test(): pass\n```", "fenced parts hold no diff"),
        ("--- a\nand that is all +++", "holds no diff"),
        ("diff\nis a word", "holds no diff"),
    ],
)
def test_what_is_no_patch_is_refused_with_the_reason(reply: str, reason: str) -> None:
    with pytest.raises(UnreadableReplyError, match=reason):
        read_patches(reply)
