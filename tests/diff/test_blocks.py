"""The fault-tolerant block format: what each operation does to a file, and nothing else."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.diff import Application, apply

FILE = "tests/test_x.py"
ONE = '''\
@deco(
    1,
)
def test_one(x):
    """Doc
  odd indent.
    """
    assert x
'''
METHOD_A = """\
    def test_a(self):
        assert 1
"""
METHOD_B = """\
    async def test_b(self):  # trailing
        assert 2
"""
LAST = """\
def test_a():
    assert 3  # last
"""
TEXT = f'''\
#!/usr/bin/env python
"""Doc."""
from __future__ import annotations

import os
from a import b  # noqa

X   =   {{1: 2}}


# about one
{ONE}

class TestA:
    """T."""

    # about a
{METHOD_A}
{METHOD_B}

# about the last
{LAST}'''
NEW = "def test_new():\n    assert 1\n"


def line_of(text: str) -> int:
    return TEXT[: TEXT.index(text)].count("\n") + 1


def block(operation: str, position: object, code: str, path: str = FILE) -> str:
    return f"diff\n{path}\n{operation}\n{position}\n{code}\nend diff\n"


def applied(patch: str, text: str = TEXT) -> Application:
    return apply(patch, {FILE: text.encode()}.get)


def edited(operation: str, position: object, code: str, text: str = TEXT) -> str:
    application = applied(block(operation, position, code), text)
    assert application.well_formed, application.parts
    assert application.format == "blocks"
    return (application.changes.contents[FILE] or b"").decode()


def refusal(operation: str, position: object, code: str, text: str = TEXT) -> str:
    application = applied(block(operation, position, code), text)
    assert not application.well_formed
    assert application.changes.contents == {}
    return application.parts[0].reason


def test_rewriting_a_function_leaves_all_else_alone() -> None:
    new = "@other\ndef test_one(y):\n    assert y == '''\n x'''"
    assert edited("rewrite", 12, new) == TEXT.replace(ONE, new + "\n")


def test_rewriting_a_method_puts_it_at_its_indentation() -> None:
    new = '    def test_a(self):\n        assert """x\ny"""'
    assert edited("rewrite", line_of(METHOD_A), new) == TEXT.replace(METHOD_A, new + "\n")
    bare = 'def test_a(self):\n    assert """x\ny"""'
    assert edited("rewrite", line_of(METHOD_A), bare) == TEXT.replace(METHOD_A, new + "\n")


def test_the_indentation_of_tabs_is_kept() -> None:
    text = "class A:\n\tdef f(self):\n\t\tpass\n"
    assert (
        edited("rewrite", 2, "def f(self):\n\tx = 1", text)
        == "class A:\n\tdef f(self):\n\t\tx = 1\n"
    )


def test_rewriting_an_async_method() -> None:
    new = "    async def test_b(self):\n        assert 22\n"
    assert edited("rewrite", 1, new) == TEXT.replace(METHOD_B, new)


def test_rewriting_a_class() -> None:
    new = "class TestA:\n    def test_z(self):\n        pass\n"
    old = TEXT[TEXT.index("class TestA") : TEXT.index("\n\n# about the last")]
    assert edited("rewrite", 1, new) == TEXT.replace(old, new)


def test_the_line_number_tells_between_functions_of_one_name() -> None:
    text = (
        "class A:\n    def f(self):\n        pass\n\n\nclass B:\n    def f(self):\n        pass\n"
    )
    assert edited("rewrite", 2, "def f(self):\n    x = 1", text).index("x = 1") < text.index(
        "class B"
    )
    assert edited("rewrite", 8, "def f(self):\n    x = 1", text).index("x = 1") > text.index(
        "class B"
    )


def test_line_numbers_are_those_of_the_file_as_it_was() -> None:
    functions = "".join(f"class C{n}:\n    def f(self):\n        pass\n\n\n" for n in range(4))
    patch = block("insert", "BOF", "import os\n" * 30)
    patch += block("rewrite", 2, "def f(self):\n    x = 0\n" + "    # more\n" * 40)
    patch += block("rewrite", 12, "def f(self):\n    x = 2")
    application = applied(patch, functions)
    text = (application.changes.contents[FILE] or b"").decode()
    assert text.index("x = 0") < text.index("class C1")
    assert text.index("class C2") < text.index("x = 2") < text.index("class C3")


def test_self_tells_methods_from_functions() -> None:
    assert edited("rewrite", 1, "def test_a(self):\n    assert 9") == TEXT.replace(
        "assert 1", "assert 9"
    )
    assert edited("rewrite", 1, "def test_a():\n    assert 9") == TEXT.replace(
        "assert 3  # last", "assert 9"
    )


def test_leading_imports_go_to_the_imports_of_the_file_unless_they_are_there() -> None:
    code = "import os, sys\nfrom a import b, c\n\n    def test_a(self):\n        assert 9"
    assert edited("rewrite", line_of(METHOD_A), code) == TEXT.replace(
        "assert 1", "assert 9"
    ).replace("import b  # noqa\n", "import b  # noqa\nimport sys\nfrom a import c\n")


def test_what_comes_along_with_a_rewritten_function_stands_beside_it() -> None:
    code = "HELP = 1\n\ndef helper():\n    return HELP\n\ndef test_a():\n    assert helper()\n\n"
    code += "def after():\n    pass"
    assert edited("rewrite", line_of(LAST), code).endswith(
        "# about the last\nHELP = 1\n\ndef helper():\n    return HELP\n\n\n"
        "def test_a():\n    assert helper()\n\n\ndef after():\n    pass\n"
    )


def test_a_repeated_comment_is_not_doubled() -> None:
    code = "# about the last\ndef test_a():\n    assert 4"
    assert edited("rewrite", line_of(LAST), code) == TEXT.replace(
        LAST, "def test_a():\n    assert 4\n"
    )


def test_a_similar_name_will_do_and_is_told() -> None:
    application = applied(block("rewrite", line_of(LAST), "def test_aa():\n    assert 9"))
    assert application.relaxations == (f"{FILE}: test_aa taken for test_a",)
    assert application.changes.contents == {
        FILE: TEXT.replace(LAST, "def test_aa():\n    assert 9\n").encode()
    }


def test_a_function_that_is_not_there_is_inserted_and_that_is_told() -> None:
    application = applied(block("rewrite", "EOF", NEW))
    assert application.changes.contents == {FILE: f"{TEXT}\n\n{NEW}".encode()}
    assert "inserted instead" in application.relaxations[0]


def test_insert_at_the_end() -> None:
    assert edited("insert", "EOF", NEW) == f"{TEXT}\n\n{NEW}"
    assert edited("insert", "eof", NEW, "x = 1") == f"x = 1\n\n\n{NEW}"
    assert edited("insert", "EOF", NEW, "x = 1\n\n\n\n") == f"x = 1\n\n\n\n{NEW}"
    assert edited("insert", "EOF", NEW, "") == NEW


def test_insert_at_the_beginning_comes_after_what_must_be_first() -> None:
    future = "from __future__ import annotations\n"
    assert edited("insert", "BOF", "import sys") == TEXT.replace(future, f"{future}\nimport sys\n")
    assert edited("insert", "BOF", NEW, "x = 1\n") == f"{NEW}\n\nx = 1\n"
    assert (
        edited("insert", "BOF", "Y = 1", "# coding: latin-1\nx = 1\n")
        == "# coding: latin-1\n\nY = 1\n\nx = 1\n"
    )


def test_a_future_import_goes_to_the_front() -> None:
    code = f"from __future__ import division\nimport sys\n\n{NEW}"
    text = edited("insert", "EOF", code)
    compile(text, FILE, "exec")
    assert text.endswith(f"\n\n\n{NEW}")


def test_insert_of_a_method_goes_into_the_class() -> None:
    classes = "class A:\n    x = 1\n\n\nclass B:\n    y = 1\n"
    method = "    def f(self):\n        pass\n"
    assert edited("insert", "EOF", method, classes) == f"{classes}\n{method}"
    assert edited("insert", 3, method, classes) == classes.replace("x = 1\n", f"x = 1\n\n{method}")
    application = applied(block("insert", "EOF", "def f(self):\n    pass"), classes)
    assert application.changes.contents == {FILE: f"{classes}\n{method}".encode()}
    assert "method of class B" in application.relaxations[0]


def test_insert_at_a_line_never_lands_within_a_function() -> None:
    application = applied(block("insert", 15, NEW))
    assert application.changes.contents == {
        FILE: TEXT.replace("class TestA", f"{NEW}\n\nclass TestA").encode()
    }
    assert "between two statements" in application.relaxations[0]


def test_insert_of_statements_takes_the_indentation_of_its_place() -> None:
    line = line_of("        assert 1")
    assert edited("insert", line, "print(1)") == TEXT.replace(
        "assert 1", "print(1)\n        assert 1"
    )
    assert "no longer be valid Python" in refusal("insert", line_of("    1,"), "print(1)")
    assert "not valid Python" in refusal("insert", 9, "print(1)\n  x = 2\n")


def test_delete() -> None:
    without_last = TEXT.replace(LAST, "")
    assert edited("delete", line_of(LAST), "def test_a():\n    ...") == without_last
    without_method = TEXT.replace(METHOD_A + "\n", "")
    for code in ("def test_a(self):", "TestA.test_a", "test_a", ""):
        assert edited("delete", line_of(METHOD_A), code) == without_method
    assert edited("delete", "EOF", "@deco\ndef test_one(x):\n    pass") == TEXT.replace(
        ONE + "\n\n", ""
    )
    assert "no function or class nothing" in refusal("delete", 1, "nothing")
    assert "does not name" in refusal("delete", "EOF", "")


def test_a_class_that_is_left_empty_gets_a_body() -> None:
    text = "class A:\n    def f(self):\n        pass\n"
    assert edited("delete", 1, "def f(self): pass", text) == "class A:\n    pass\n"


def test_files_that_are_not_there_are_created() -> None:
    for operation in ("insert", "rewrite"):
        patch = block(
            operation, "EOF", "    " + NEW.replace("\n    ", "\n        "), "tests/new.py"
        )
        application = apply(patch, lambda path: None)
        assert application.changes.contents == {"tests/new.py": NEW.encode()}
        assert bool(application.relaxations) == (operation == "rewrite")
    assert not apply(block("delete", 1, "def f(): pass"), lambda path: None).well_formed


def test_a_file_that_is_no_python_takes_inserts_at_its_ends() -> None:
    broken = "def broken(:\n"
    assert edited("insert", "EOF", NEW, broken) == f"{broken}{NEW}"
    assert edited("insert", "BOF", NEW, broken) == f"{NEW}\n\n{broken}"
    for operation in ("insert", "rewrite", "delete"):
        assert "not valid Python" in refusal(operation, 1, NEW, broken)


def test_other_files_than_python_take_inserts() -> None:
    patch = block("insert", "EOF", "d,e", "tests/data.csv")
    application = apply(patch, {"tests/data.csv": b"a\nb"}.get)
    assert application.changes.contents == {"tests/data.csv": b"a\nb\nd,e\n"}
    middle = apply(block("insert", 2, "d,e", "tests/data.csv"), {"tests/data.csv": b"a\nb\n"}.get)
    assert middle.changes.contents == {"tests/data.csv": b"a\nd,e\nb\n"}
    assert not apply(block("rewrite", 1, "x", "a.csv"), {"a.csv": b"a"}.get).well_formed


def test_carriage_returns_of_the_file_are_kept() -> None:
    windows = TEXT.replace("\n", "\r\n")
    application = apply(
        block("rewrite", line_of(LAST), NEW.replace("test_new", "test_a")),
        {FILE: windows.encode()}.get,
    )
    expected = TEXT.replace(LAST, NEW.replace("test_new", "test_a")).replace("\n", "\r\n")
    assert application.changes.contents == {FILE: expected.encode()}
    whole = block("insert", "EOF", NEW).replace("\n", "\r\n")
    assert applied(whole).changes.contents == {FILE: f"{TEXT}\n\n{NEW}".encode()}


def test_content_that_is_not_utf8_is_kept() -> None:
    content = b"# coding: latin-1\nX = '\xe9'\n\n\ndef f():\n    pass\n"
    application = apply(block("rewrite", 4, "def f():\n    x = 1"), {FILE: content}.get)
    assert application.changes.contents == {FILE: content.replace(b"pass", b"x = 1")}


def test_one_bad_block_does_not_lose_the_others() -> None:
    patch = (
        block("insert", "EOF", "def broken(:")
        + block("insert", "EOF", NEW)
        + block("rewrite", 1, "x = 1")
        + block("insert", "EOF", "x = 1", "../outside.py")
        + block("rewrite", 1, "def f(): pass", ".git/hooks.py")
    )
    application = applied(patch)
    assert application.well_formed
    assert application.changes.contents == {FILE: f"{TEXT}\n\n{NEW}".encode()}
    assert [part.applied for part in application.parts] == [False, True, False, False, False]
    assert all(part.reason for part in application.parts if not part.applied)
    assert [part.what for part in application.parts][:2] == ["block 1: insert", "block 2: insert"]


def test_files_that_are_not_wanted_are_left_out() -> None:
    patch = block("insert", "EOF", NEW) + block("insert", "EOF", "x = 1", "src.py")
    application = apply(patch, {FILE: TEXT.encode()}.get, keep=lambda path: path == FILE)
    assert application.left_out == ("src.py",)
    assert list(application.changes.contents) == [FILE]


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (f"Sure:\n```custom-diff\n{block('insert', 'EOF', NEW)}```\nDone.", ""),
        (f"```diff\n{FILE}\ninsert\nEOF\n{NEW}end diff\n```", ""),
        (block("INSERT", "< EOF >", NEW, f"`a/{FILE}`"), ""),
        (block("insert", "EOF", f"```python\n{NEW}```"), ""),
        (block("insert", "EOF", NEW).replace("end diff", ""), "no `end diff`"),
        (
            block("insert", "EOF", NEW).replace("end diff", "```\nThis adds a test."),
            "no `end diff`",
        ),
        (block("insert", "EOF", NEW).replace("EOF\n", ""), "no place"),
    ],
)
def test_what_surrounds_a_block_does_not_matter(patch: str, said: str) -> None:
    application = applied(patch)
    assert application.changes.contents == {FILE: f"{TEXT}\n\n{NEW}".encode()}
    assert said in "; ".join(application.relaxations)
    assert bool(said) == bool(application.relaxations)


@given(
    st.sampled_from(["rewrite", "insert", "delete"]),
    st.one_of(st.integers(0, 60), st.sampled_from(["BOF", "EOF"])),
    st.sampled_from(
        [NEW, ONE, METHOD_A, METHOD_B, LAST, "test_a", "x = 1", "import sys\n\n" + METHOD_A]
    ),
)
def test_python_stays_python_and_other_lines_stay(
    operation: str, position: object, code: str
) -> None:
    application = applied(block(operation, position, code))
    for content in application.changes.contents.values():
        assert content is not None
        ast.parse(content)
        kept = set(content.decode().split("\n"))
        assert {"X   =   {1: 2}", "# about one", "from a import b  # noqa"} <= kept
        # What stands inside a class goes with it where the whole class is deleted.
        assert ("    # about a" in kept) == ("class TestA:" in kept)


@given(st.text(alphabet=st.sampled_from("abcdef()[]:'\"\\\n\t #@.=")))
def test_no_code_is_ever_an_exception(code: str) -> None:
    for operation in ("rewrite", "insert", "delete"):
        for position in ("EOF", "BOF", 12):
            application = applied(block(operation, position, code))
            assert all(part.applied or part.reason for part in application.parts)
