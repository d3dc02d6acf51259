"""Unified diffs as models write them: each leniency, and what is refused."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.diff import apply
from evaluator.errors import PatchError

FILE = "tests/test_x.py"
TEXT = "".join(f"line {number}\n" for number in range(1, 21))
SOURCE = {FILE: TEXT.encode()}.get
HEAD = f"diff --git a/{FILE} b/{FILE}\n--- a/{FILE}\n+++ b/{FILE}\n"
HUNK = "@@ -9,3 +9,4 @@\n line 9\n line 10\n+new\n line 11\n"
EXPECTED = TEXT.replace("line 10\n", "line 10\nnew\n").encode()


def patched(patch: str, content: bytes = TEXT.encode()) -> tuple[bytes | None, str]:
    """The file after a well-formed patch, and the relaxations in one string."""
    application = apply(patch, {FILE: content}.get)
    assert application.well_formed, application.parts
    return application.changes.contents[FILE], "; ".join(application.relaxations)


def refusal(patch: str, content: bytes | None = TEXT.encode()) -> str:
    application = apply(patch, {FILE: content}.get)
    assert not application.well_formed
    assert FILE not in application.changes.contents
    return "; ".join(part.reason for part in application.parts)


def test_an_exact_patch_needs_no_relaxation() -> None:
    assert patched(HEAD + HUNK) == (EXPECTED, "")


@pytest.mark.parametrize(
    "patch",
    [
        f"--- a/{FILE}\n+++ b/{FILE}\n{HUNK}",
        f"--- {FILE}\n+++ {FILE}\n{HUNK}",
        f"--- i/{FILE}\n+++ w/{FILE}\n{HUNK}",
        f"--- a/{FILE}\t2024-01-01 00:00:00\n+++ b/{FILE}\t2024-01-01 00:00:01\n{HUNK}",
        f"diff --git a/{FILE} b/{FILE}\n{HUNK}",
        f"+++ b/{FILE}\n{HUNK}",
        f"Here is the patch:\n\n```diff\n{HEAD}{HUNK}```\n\nIt adds a line.\n",
        f"<patch>\n{HEAD}{HUNK}</patch>",
        f"From 1234 Mon Sep 17\nSubject: x\n---\n x | 1 +\n\n{HEAD}{HUNK}-- \n2.39.5\n",
        f"Index: {FILE}\n{'=' * 67}\n{HEAD}{HUNK}",
        (HEAD + HUNK).rstrip("\n"),
        HEAD + HUNK + "\n\n",
        f"diff --git {FILE} {FILE}\n--- {FILE}\n+++ {FILE}\n{HUNK}",
    ],
)
def test_what_surrounds_a_diff_does_not_matter(patch: str) -> None:
    assert patched(patch) == (EXPECTED, "")


def test_a_real_directory_named_like_a_prefix_is_told_by_the_file_that_is_there() -> None:
    patch = f"--- b/{FILE}\n+++ b/{FILE}\n{HUNK}"
    application = apply(patch, {f"b/{FILE}": TEXT.encode()}.get)
    assert application.changes.contents == {f"b/{FILE}": EXPECTED}


def test_leading_directories_that_are_not_there_are_taken_away() -> None:
    content, said = patched(f"--- old/repo/{FILE}\n+++ new/repo/{FILE}\n{HUNK}")
    assert content == EXPECTED
    assert "read as" in said


@pytest.mark.parametrize(
    "header", ["@@ -9,7 +9,9 @@", "@@ -9,1 +9,1 @@", "@@ -9 +9 @@", "@@ -9,2 @@"]
)
def test_wrong_counts_are_recounted(header: str) -> None:
    content, said = patched(HEAD + HUNK.replace("@@ -9,3 +9,4 @@", header))
    assert content == EXPECTED
    assert "count" in said


@pytest.mark.parametrize("header", ["@@", "@@ @@", "@@ ... @@", "@@ def test_x(): @@"])
def test_a_header_without_numbers_is_placed_by_its_lines(header: str) -> None:
    content, said = patched(HEAD + HUNK.replace("@@ -9,3 +9,4 @@", header))
    assert content == EXPECTED
    assert "without line counts" in said


def test_a_header_without_numbers_uses_its_heading_among_equal_places() -> None:
    body = "    x = 1\n    return x\n"
    text = f"def a():\n{body}\ndef b():\n{body}"
    content, _ = patched(
        f"{HEAD}@@ def b():\n     x = 1\n+    x += 1\n     return x\n", text.encode()
    )
    assert content == f"def a():\n{body}\ndef b():\n    x = 1\n    x += 1\n    return x\n".encode()


@pytest.mark.parametrize(("start", "shift"), [(1, 8), (19, -10), (400, -391)])
def test_a_shifted_hunk_is_found_and_the_shift_is_told(start: int, shift: int) -> None:
    content, said = patched(HEAD + HUNK.replace("-9,3", f"-{start},3"))
    assert content == EXPECTED
    assert f"shifted by {shift:+d} lines" in said


def test_the_nearest_of_several_places_is_taken() -> None:
    text = "a\nb\n" * 10
    content, said = patched(f"{HEAD}@@ -8,2 +8,3 @@\n a\n+new\n b\n", text.encode())
    assert content is not None
    assert content.decode().split("\n").index("new") in (7, 9)
    assert "shifted by" in said


def test_a_count_too_small_does_not_cut_a_hunk_off() -> None:
    hunk = "@@ -9,1 +9,2 @@\n line 9\n+one\n\n+two\n line 10\n"
    text = TEXT.replace("line 9\n", "line 9\n\n")
    content, said = patched(HEAD + hunk, text.encode())
    assert content == text.replace("line 9\n\n", "line 9\none\n\ntwo\n").encode()
    assert "recounted" in said


def test_prose_that_looks_marked_is_left_off_when_it_does_not_fit() -> None:
    content, _ = patched(HEAD + HUNK + "\n- This adds a line\n")
    assert content == EXPECTED


def test_blank_context_may_have_lost_its_space() -> None:
    text = TEXT.replace("line 10\n", "\n")
    content, said = patched(f"{HEAD}@@ -9,3 +9,4 @@\n line 9\n\n+new\n line 11\n", text.encode())
    assert content == text.replace("line 9\n\n", "line 9\n\nnew\n").encode()
    assert "lost their leading space" in said


def test_context_may_have_lost_its_marks() -> None:
    content, said = patched(f"{HEAD}@@ -9,3 +9,4 @@\n line 9\nline 10\n+new\nline 11\n")
    assert content == EXPECTED
    assert "without a mark" in said


def test_trailing_space_in_context_is_forgiven_and_the_file_keeps_its_own() -> None:
    text = TEXT.replace("line 9\n", "line 9   \n")
    content, said = patched(HEAD + HUNK, text.encode())
    assert content == text.replace("line 10\n", "line 10\nnew\n").encode()
    assert "line ends" in said


def test_white_space_is_forgiven_and_added_lines_move_with_their_surroundings() -> None:
    text = "class A:\n    def f(self):\n        a = 1\n        b = 2\n"
    hunk = "@@ -2,3 +2,4 @@\n def f(self):\n     a = 1\n+    new = 1\n     b = 2\n"
    content, said = patched(HEAD + hunk, text.encode())
    assert content == text.replace("a = 1\n", "a = 1\n        new = 1\n").encode()
    assert "white space differs" in said


@pytest.mark.parametrize(
    ("hunk", "forgiven"),
    [
        ("@@ -9,3 +9,4 @@\n wrong\n line 10\n+new\n line 11\n", "1 leading"),
        ("@@ -9,3 +9,4 @@\n line 9\n line 10\n+new\n wrong\n", "1 trailing"),
        ("@@ -8,4 +8,5 @@\n wrong\n more\n line 10\n+new\n wrong\n", "2 leading"),
        ("@@ -7,4 +7,5 @@\n no\n not\n nor\n line 10\n+new\n", "3 leading"),
    ],
)
def test_outer_context_may_be_wrong(hunk: str, forgiven: str) -> None:
    content, said = patched(HEAD + hunk)
    assert content == EXPECTED
    assert f"{forgiven} context line" in said


@pytest.mark.parametrize(
    "hunk",
    [
        "@@ -9,3 +9,4 @@\n wrong\n+new\n",
        "@@ -9,3 +9,3 @@\n line 9\n-absent\n+new\n line 11\n",
        "@@ -9,3 +9,4 @@\n line 9\n-line 11\n+new\n-line 10\n",
        "@@ -9,6 +9,7 @@\n a\n b\n c\n d\n line 10\n+new\n line 11\n",
    ],
)
def test_a_hunk_that_fits_nowhere_is_refused_with_the_line(hunk: str) -> None:
    assert "it fits nowhere" in refusal(HEAD + hunk)


def test_a_file_is_changed_whole_or_not_at_all() -> None:
    bad = "@@ -15,2 +16,3 @@\n nothing\n-like\n+this\n"
    said = refusal(HEAD + HUNK + bad)
    assert "another hunk of the file does not" in said
    assert "no line 'nothing'" in said


def test_a_bad_file_leaves_other_files_alone() -> None:
    other = "--- a/other.py\n+++ b/other.py\n@@ -1,1 +1,1 @@\n-gone\n+new\n"
    application = apply(other + HEAD + HUNK, SOURCE)
    assert not application.well_formed
    assert application.changes.contents == {FILE: EXPECTED}
    assert [part.applied for part in application.parts] == [False, True]


def test_hunks_out_of_order_are_all_placed() -> None:
    later = "@@ -15,1 +15,2 @@\n line 15\n+later\n"
    content, _ = patched(HEAD + later + HUNK)
    assert content == EXPECTED.replace(b"line 15\n", b"line 15\nlater\n")


def test_two_hunks_never_take_the_same_lines() -> None:
    assert "it fits nowhere" in refusal(HEAD + HUNK + HUNK.replace("+new", "+newer"))


def test_a_patch_that_was_applied_already_is_told() -> None:
    content, said = patched(HEAD + HUNK, EXPECTED)
    assert content == EXPECTED
    assert "already applied" in said


def test_a_truncated_patch_gives_what_it_holds() -> None:
    cut = "@@ -9,6 +9,9 @@\n line 9\n line 10\n+new\n lin"
    content, said = patched(HEAD + cut)
    assert content == EXPECTED
    assert "recounted" in said


@pytest.mark.parametrize(
    "text", ["", "\n", "None", "null", "I cannot do it.", "--- \n", "@@ -1 +1 @@"]
)
def test_what_is_no_diff_is_not_well_formed(text: str) -> None:
    application = apply(text, SOURCE)
    assert not application.well_formed
    assert application.format in ("none", "unified")
    assert all(part.reason for part in application.parts)
    assert not application.changes.contents


@pytest.mark.parametrize(
    "header", ["diff --git a/dev/null b/{0}", "diff --git a/{0} b/{0}", "no git line"]
)
@pytest.mark.parametrize("counts", ["@@ -0,0 +1,2 @@", "@@ -0,0 +1,9 @@", "@@ -0,0 +1 @@"])
def test_new_files(header: str, counts: str) -> None:
    patch = (
        f"{header.format(FILE)}\nnew file mode 100644\nindex e69de29..452003a 100644\n"
        f"--- /dev/null\n+++ b/{FILE}\n{counts}\n+one\n+two"
    )
    application = apply(patch, lambda path: None)
    assert application.well_formed
    assert application.changes.contents == {FILE: b"one\ntwo\n"}
    assert bool(application.relaxations) == ("1,2" not in counts)


def test_a_new_file_that_is_there_already_is_told() -> None:
    patch = f"--- /dev/null\n+++ b/{FILE}\n@@ -0,0 +1,1 @@\n+one\n"
    assert patched(patch, b"one\n") == (b"one\n", f"{FILE}: the new file is there already")
    content, said = patched(patch, b"other\n")
    assert content == b"one\n"
    assert "replaced" in said


def test_a_file_that_is_not_there_is_made_of_added_lines_only() -> None:
    patch = f"--- a/{FILE}\n+++ b/{FILE}\n@@ -0,0 +1,1 @@\n+one\n"
    application = apply(patch, lambda path: None)
    assert application.changes.contents == {FILE: b"one\n"}
    assert "it is created" in application.relaxations[0]
    assert "there is no file" in refusal(HEAD + HUNK, None)


def test_a_new_file_may_have_lost_marks() -> None:
    patch = f"--- /dev/null\n+++ b/{FILE}\n@@ -0,0 +1,3 @@\n+one\n\n+two\n"
    application = apply(patch, lambda path: None)
    assert application.changes.contents == {FILE: b"one\n\ntwo\n"}
    assert application.relaxations


def test_deleted_files() -> None:
    patch = f"--- a/{FILE}\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"
    assert patched(patch, b"one\ntwo\n") == (None, "")
    content, said = patched(patch, b"other\n")
    assert content is None
    assert "something else" in said


def test_a_patch_with_carriage_returns_fits_a_file_without() -> None:
    crlf = (HEAD + HUNK).replace("\n", "\r\n")
    assert patched(crlf)[0] == EXPECTED
    assert patched(f"Sure:\n{crlf}")[0] == EXPECTED


def test_a_file_with_carriage_returns_keeps_them() -> None:
    windows = TEXT.replace("\n", "\r\n").encode()
    content, said = patched(HEAD + HUNK, windows)
    assert content == EXPECTED.replace(b"\n", b"\r\n")
    assert "line endings differ" in said
    exact, said = patched(HEAD + HUNK.replace("\n", "\r\n").replace("@@\r", "@@"), windows)
    assert (exact, said) == (content, "")


def test_both_with_carriage_returns_when_the_patch_was_converted_too() -> None:
    windows = TEXT.replace("\n", "\r\n").encode()
    content, _ = patched((HEAD + HUNK).replace("\n", "\r\n"), windows)
    assert content == EXPECTED.replace(b"\n", b"\r\n")


def test_lines_end_at_newlines_only() -> None:
    text = "a\x0cb\nc\u2028d\x85e\nf\n"
    hunk = "@@ -1,3 +1,3 @@\n a\x0cb\n-c\u2028d\x85e\n+c\x1cd\n f\n"
    assert patched(HEAD + hunk, text.encode()) == (b"a\x0cb\nc\x1cd\nf\n", "")


def test_no_newline_at_the_end() -> None:
    marker = "\\ No newline at end of file\n"
    hunk = f"@@ -1,2 +1,2 @@\n a\n-b\n{marker}+c\n{marker}"
    assert patched(HEAD + hunk, b"a\nb") == (b"a\nc", "")
    assert patched(f"{HEAD}@@ -1,2 +1,3 @@\n a\n-b\n{marker}+b\n+c\n", b"a\nb") == (
        b"a\nb\nc\n",
        "",
    )
    content, said = patched(f"{HEAD}@@ -1,2 +1,3 @@\n a\n b\n+c\n", b"a\nb")
    assert content == b"a\nb\nc\n"
    assert said


def test_removed_lines_that_look_like_headers_are_content() -> None:
    text = "-- a\nx\n"
    hunk = "@@ -1,2 +1,2 @@\n--- a\n+++ b\n x\n"
    assert patched(HEAD + hunk, text.encode()) == (b"++ b\nx\n", "")


def test_counts_that_reach_into_the_next_file_are_not_believed() -> None:
    other = "tests/test_y.py"
    patch = (
        f"--- a/{FILE}\n+++ b/{FILE}\n@@ -9,4 +9,5 @@\n line 9\n line 10\n+new\n line 11\n"
        f"--- a/{other}\n+++ b/{other}\n@@ -1,1 +1,1 @@\n-old\n+new\n"
    )
    application = apply(patch, {FILE: TEXT.encode(), other: b"old\n"}.get)
    assert application.changes.contents == {FILE: EXPECTED, other: b"new\n"}


def test_binary_files_without_content_are_named_and_do_no_harm() -> None:
    image = "tests/a.png"
    binary = f"diff --git a/{image} b/{image}\nBinary files a/{image} and b/{image} differ\n"
    application = apply(binary + HEAD + HUNK, SOURCE)
    assert application.well_formed
    assert application.changes.contents == {FILE: EXPECTED}
    assert [(part.path, part.applied) for part in application.parts[:1]] == [(image, False)]
    assert not apply(binary, SOURCE).well_formed


def test_a_damaged_binary_patch_is_refused() -> None:
    patch = "diff --git a/t.bin b/t.bin\nindex 0..1\nGIT binary patch\nliteral 5\n{}\n\n"
    for block in ("zcmZP", "LcmZ~~~~~~", "?", "delta 5"):
        application = apply(patch.format(block), {"t.bin": b"x"}.get)
        assert not application.well_formed
        assert "binary" in application.parts[0].reason


@pytest.mark.parametrize("mode", ["120000", "160000"])
def test_links_and_submodules_are_refused(mode: str) -> None:
    patch = (
        f"diff --git a/link b/link\nnew file mode {mode}\n--- /dev/null\n+++ b/link\n"
        "@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n"
    )
    application = apply(patch, lambda path: None)
    assert not application.well_formed
    assert "refused" in application.parts[0].reason
    assert not application.changes.contents


def test_a_combined_diff_is_refused_by_name() -> None:
    names = f"diff --cc {FILE}\nindex 1,2..3\n--- a/{FILE}\n+++ b/{FILE}\n"
    patch = f"{names}@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n"
    assert "merge" in refusal(patch)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../outside.py",
        "tests/../../outside.py",
        "C:/windows/x.py",
        "..\\outside.py",
        "\\\\host\\share",
        ".git/config",
        ".GIT/hooks/pre-commit",
        "sub/.git/config",
        "tests/.git. /config",
        "GIT~1/config",
        "tests/a\0b.py",
        "x" * 300,
        "tests/\ud800.py",
    ],
)
def test_paths_that_escape_are_refused_by_name(path: str) -> None:
    for patch in (
        f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n",
        f"--- /dev/null\n+++ {path}\n@@ -0,0 +1 @@\n+x\n",
        f"diff --git a/x b/{path}\nrename from {FILE}\nrename to {path}\n",
        f"diff --git a/{path} b/{path}\ndeleted file mode 100644\n",
        f"diff\n{path}\ninsert\nEOF\nx = 1\nend diff\n",
    ):
        application = apply(patch, SOURCE)
        assert not application.well_formed
        assert not application.changes.contents
        assert "refused path" in application.parts[0].reason


def test_a_source_may_refuse_a_path() -> None:
    def source(path: str) -> bytes | None:
        raise PatchError(f"{path} is behind a link")

    application = apply(HEAD + HUNK, source)
    assert not application.well_formed
    assert application.parts[0].reason == f"{FILE} is behind a link"


def test_only_wanted_files_are_applied() -> None:
    code = "--- a/src.py\n+++ b/src.py\n@@ -1 +1 @@\n-a\n+b\n"
    source = {FILE: TEXT.encode(), "src.py": b"a\n"}.get
    application = apply(code + HEAD + HUNK, source, keep=lambda path: path == FILE)
    assert application.well_formed
    assert application.left_out == ("src.py",)
    assert application.changes.contents == {FILE: EXPECTED}
    nothing = apply(code, source, keep=lambda path: path == FILE)
    assert not nothing.well_formed
    assert "src.py" in nothing.parts[0].reason


def test_a_rename_out_of_the_wanted_files_is_left_out() -> None:
    names = f"rename from src.py\nrename to {FILE}\n"
    patch = f"diff --git a/src.py b/{FILE}\nsimilarity index 100%\n{names}"
    application = apply(patch, {"src.py": b"a\n"}.get, keep=lambda path: path == FILE)
    assert application.left_out == (FILE,)
    assert not application.changes.contents


def test_changed_lines_have_true_numbers() -> None:
    patch = (
        HEAD
        + "@@ -2,3 +2,3 @@\n line 9\n-line 10\n+ten\n+and more\n line 11\n"
        + "@@ -15,1 +15,0 @@\n-line 15\n"
    )
    lines = apply(patch, SOURCE).lines
    assert lines.removed == {FILE: {10: "line 10", 15: "line 15"}}
    assert lines.added == {FILE: {10: "ten", 11: "and more"}}


def test_changed_lines_of_new_deleted_and_renamed_files() -> None:
    patch = (
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n"
        "--- a/old.py\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n"
        "diff --git a/from.py b/to.py\nrename from from.py\nrename to to.py\n"
        "--- a/from.py\n+++ b/to.py\n@@ -1,2 +1,2 @@\n-x\n+X\n y\n"
    )
    lines = apply(patch, {"old.py": b"gone\n", "from.py": b"x\ny\n"}.get).lines
    assert lines.added == {"new.py": {1: "a", 2: "b"}, "to.py": {1: "X"}}
    assert lines.removed == {"old.py": {1: "gone"}, "from.py": {1: "x"}}


lines = st.lists(
    st.sampled_from(["", "a", "b", "c", " d", "-e", "+f", "@@ -1 +1 @@", "--- x", "é\x0c"])
)
files = lines.map("\n".join)


def unified(old: str, new: str, context: int = 3) -> str:
    """The diff of two texts by difflib, with the notes on missing newlines that it leaves out."""
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    made = difflib.unified_diff(before, after, f"a/{FILE}", f"b/{FILE}", n=context)
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in made
    )


@given(files, files, st.integers(0, 4))
def test_any_edit_comes_out_as_it_was_made(old: str, new: str, context: int) -> None:
    old, new = old.replace("\x0c", ""), new.replace("\x0c", "")
    patch = unified(old, new, context)
    if old and new and patch:
        application = apply(f"diff --git a/{FILE} b/{FILE}\n{patch}", {FILE: old.encode()}.get)
        assert application.well_formed
        assert application.changes.contents == {FILE: new.encode()}
        assert application.relaxations == ()


@given(st.data(), st.integers(0, 30), st.integers(0, 30))
def test_mangled_headers_do_no_harm(data: st.DataObject, counts: int, shift: int) -> None:
    old = [f"line {number}" for number in range(30)]
    at = data.draw(st.integers(0, 29))
    new = [
        *old[:at],
        *data.draw(st.lists(st.sampled_from(["new", "newer", ""]), max_size=3)),
        *old[at + 1 :],
    ]
    before, after = "\n".join([*old, ""]), "\n".join([*new, ""])
    header, *body = unified(before, after).split("\n")[2:]
    start = int(header.split("-")[1].split(",")[0]) + shift
    mangled = f"@@ -{start},{counts} +{start},{counts} @@"
    patch = "\n".join([f"--- a/{FILE}", f"+++ b/{FILE}", mangled, *body])
    application = apply(patch, {FILE: before.encode()}.get)
    assert application.changes.contents == {FILE: after.encode()}


@given(st.text(alphabet=st.sampled_from("+- @\\ab\n\r\t\"'`0123,/.diffgt")))
def test_no_text_is_ever_an_exception(text: str) -> None:
    application = apply(HEAD + text, SOURCE)
    assert application.well_formed == (all(f.applied for f in application.parts))
    apply(text, SOURCE)
    apply(HEAD + text, SOURCE)


def test_a_hunk_without_context_goes_where_its_number_says() -> None:
    content, said = patched(f"{HEAD}@@ -10,3 +10,4 @@\n+new\n")
    assert content == TEXT.replace("line 10\n", "new\nline 10\n").encode()
    assert "placed by its line number" in said
    content, said = patched(f"{HEAD}@@ -99,0 +99,1 @@\n+new\n")
    assert content == f"{TEXT}new\n".encode()
    assert "beyond the end" in said
    content, said = patched(f"{HEAD}@@ -3 +3 @@\n-line 9\n@@ -14,0 +14,1 @@\n+new\n")
    moved_along = TEXT.replace("line 9\n", "").replace("line 20\n", "line 20\nnew\n")
    assert content == moved_along.encode()
    assert "shifted by +6 lines" in said
    assert "neither context nor a line number" in refusal(f"{HEAD}@@ @@\n+new\n")


def test_a_patch_that_names_nothing_is_refused() -> None:
    application = apply("--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", SOURCE)
    assert [part.reason for part in application.parts] == ["it names no file"]


def test_changed_lines_can_be_printed_whatever_they_hold() -> None:
    patch = f"{HEAD}@@ -1 +1 @@\n-caf\udce9\n+caf\udce9s\n"
    lines = apply(patch, {FILE: b"caf\xe9\n"}.get).lines
    assert lines.removed == {FILE: {1: "caf\ufffd"}}
    assert lines.added == {FILE: {1: "caf\ufffds"}}


def test_lone_surrogates_in_added_lines_are_written_as_they_are() -> None:
    content, _ = patched(HEAD + HUNK.replace("+new", "+\ud800\udcff"))
    assert b"\xed\xa0\x80" in (content or b"")
