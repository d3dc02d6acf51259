"""Tests told from code by path, and diffs split by it."""

from __future__ import annotations

import pytest

from evaluator.diff import apply, split
from evaluator.languages import is_test_file, runnable_test_files


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_x.py",
        "test_requests.py",
        "test/x.py",
        "conftest.py",
        "src/pkg/conftest.py",
        "pkg/tests/data/x.json",
        "pkg/test/helpers.py",
        "pkg/x_test.py",
        "app/tests.py",
        "app/x_tests.py",
        "src/unitTests.py",
        "pkg/testWords.py",
        "pkg/TestWords.py",
        "pkg/WordsTest.py",
        "tests/admin_views/models.py",
        "tests/roots/test-intl/index.rst",
        "testing/python/fixtures.py",
        "lib/matplotlib/tests/baseline_images/x.png",
        "sympy/testing/tests/test_runtests.py",
        "astropy/tests/test_logger.py",
        "astropy/tests/tests/test_runner.py",
        "pylint/testutils/tests/x.py",
        "js_tests/admin/x.js",
        "tests/unittest_lint.py",
        "flit_core/tests_core/samples/module1.py",
        "test.py",
    ],
)
def test_tests(path: str) -> None:
    assert is_test_file(path)


@pytest.mark.parametrize(
    "path",
    [
        "setup.cfg",
        "pkg/core.py",
        "src/_pytest/unittest.py",
        "src/_pytest/python.py",
        "src/_pytest/py.typed",
        "src/main/java/org/example/test/Helper.java",
        "sympy/testing/runtests.py",
        "lib/matplotlib/testing/compare.py",
        "sphinx/testing/util.py",
        "numpy/testing/_private/utils.py",
        "django/test/testcases.py",
        "django/core/management/commands/test.py",
        "hug/test.py",
        "astropy/tests/helper.py",
        "astropy/tests/runner.py",
        "astropy/tests/plugins/display.py",
        "sympy/ntheory/primetest.py",
        "contest.py",
        "pkg/Latest.py",
        "pkg/TestCase.py",
        "pkg/testUtils.py",
        "latest/x.py",
        "attestation/tests_of_time.txt",
        "pylint/testutils/functional_test_file.py",
        "test_plan.md",
        "=0.19",
    ],
)
def test_code(path: str) -> None:
    assert not is_test_file(path)


def test_runnable_files() -> None:
    run = ["tests/test_x.py", "tests/checkers/unittest_imports.py", "testing/python/fixtures.py"]
    run += ["tests/admin_views/tests.py", "test_x.py", "my-app/tests/test_y.py"]
    rest = ["tests/x.json", "tests/x.txt", "tests/x.PNG", "tests/index.rst", "tests/conftest.py"]
    rest += ["pkg/tests/__init__.py", "tests/roots/test-intl/conf.py", "tests/Makefile"]
    run += [
        "src/test/java/a/resources/ATest.java",
        "m/src/it/java/BIT.java",
        "test/resources/C.java",
    ]
    rest += ["m/src/test/resources/a/Input.java", "src/test/resources-noncompilable/Input.java"]
    rest += ["src/test/java/a/package-info.java"]
    assert runnable_test_files([*run, *rest, *run]) == tuple(run)


def piece(old: str, new: str, extra: str = "") -> str:
    return f"diff --git a/{old} b/{new}\n{extra}--- a/{old}\n+++ b/{new}\n@@ -1 +1 @@\n-a\n+b\n"


def test_split_keeps_every_part_as_it_is_written() -> None:
    tests = [piece("tests/test_x.py", "tests/test_x.py"), piece("tests/d ü.txt", "tests/d ü.txt")]
    code = [piece("src/x.py", "src/x.py"), piece("setup.cfg", "setup.cfg")]
    parts = split("".join((code[0], tests[0], code[1], tests[1])), is_test_file)
    assert (parts.tests, parts.code) == ("".join(tests), "".join(code))
    assert parts.test_files == ("tests/test_x.py", "tests/d ü.txt")
    assert parts.code_files == ("src/x.py", "setup.cfg")


def test_moves_between_tests_and_code_are_code_and_copies_go_with_their_new_name() -> None:
    out = piece("tests/a.py", "src/a.py", "rename from tests/a.py\nrename to src/a.py\n")
    copy = piece("src/b.py", "tests/b.py", "copy from src/b.py\ncopy to tests/b.py\n")
    within = piece("tests/c.py", "tests/d.py", "rename from tests/c.py\nrename to tests/d.py\n")
    parts = split(out + copy + within, is_test_file)
    assert (parts.tests, parts.code) == (copy + within, out)
    assert parts.test_files == ("tests/b.py", "tests/d.py", "tests/c.py")
    assert parts.code_files == ("src/a.py", "tests/a.py")


def test_split_of_new_deleted_and_binary_files() -> None:
    new = "diff --git a/tests/x.py b/tests/x.py\nnew file mode 100644\nindex 000..111\n"
    gone = "--- a/src/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    image = "diff --git a/tests/x.png b/tests/x.png\nindex 0..1\nGIT binary patch\n"
    image += "literal 3\nKcmY%^N!c&{0;&M#\n\nliteral 0\nHcmV?d00001\n\n"
    parts = split(f"Some words.\n{new}{gone}{image}", is_test_file)
    assert (parts.tests, parts.code) == (new + image, gone)
    assert parts.test_files == ("tests/x.py", "tests/x.png")


def test_nothing_is_nothing() -> None:
    assert split("", is_test_file) == split("No diff.", is_test_file) == split("None", is_test_file)
    assert split("", is_test_file).tests == split("", is_test_file).code == ""


def test_a_missing_newline_at_the_end_does_not_join_parts() -> None:
    test, code = piece("tests/x.py", "tests/x.py"), piece("x.py", "x.py")
    parts = split((code + test).rstrip("\n"), is_test_file)
    assert (parts.tests, parts.code) == (test, code)


def test_what_was_split_applies_to_the_same() -> None:
    source = {"tests/x.py": b"a\r\n", "x.py": b"a\n"}.get
    whole = piece("tests/x.py", "tests/x.py").replace("a\n+b\n", "a\r\n+b\r\n")
    whole += piece("x.py", "x.py")
    parts = split(whole, is_test_file)
    both = apply(parts.code, source).changes.merged(apply(parts.tests, source).changes)
    assert (
        both.contents
        == apply(whole, source).changes.contents
        == {"tests/x.py": b"b\r\n", "x.py": b"b\n"}
    )
