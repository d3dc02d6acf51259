from __future__ import annotations

from pathlib import Path

import pytest

from generator.code_search import CALLS, MOST_FOUND, CodeSearch, answer
from generator.replies import WrittenCall

SHAPES = '''\
class Shape:
    """A shape."""

    @property
    def area(self):
        return 0

    class Meta:
        kind = "none"


class Square(Shape):
    async def area(self):
        return self.side ** 2


def area(shape):
    """class Hidden: not one."""
    return shape.area
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "shapes").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "shapes" / "base.py").write_text(SHAPES)
    (tmp_path / "shapes" / "old.py").write_text("print 'area'\n\ndef area(x):\n    return x\n")
    (tmp_path / "shapes" / "raw.py").write_bytes(b"# \xff\nclass Raw: pass\n")
    (tmp_path / "tests" / "test_base.py").write_text("def test_area():\n    assert area(1) == 1\n")
    outside = tmp_path.with_suffix(".py")
    outside.write_text("class Secret: pass\n")
    (tmp_path / "shapes" / "link.py").symlink_to(outside)
    (tmp_path / "around").symlink_to(tmp_path)
    return tmp_path


def names(found: tuple[object, ...]) -> list[tuple[str, int, int, str]]:
    return [(s.path, s.first, s.last, s.name) for s in found]  # type: ignore[attr-defined]


def test_classes_and_methods_are_found_by_name(tree: Path) -> None:
    search = CodeSearch(tree)
    assert names(search.search_class("Shape")) == [("shapes/base.py", 1, 9, "Shape")]
    assert names(search.search_class("Shape.Meta")) == [("shapes/base.py", 8, 9, "Shape.Meta")]
    assert names(search.search_method("area")) == [
        ("shapes/base.py", 4, 6, "Shape.area"),
        ("shapes/base.py", 13, 14, "Square.area"),
        ("shapes/base.py", 17, 19, "area"),
        ("shapes/old.py", 3, 4, "area"),
    ]
    assert names(search.search_method_in_class("area", "Square")) == [
        ("shapes/base.py", 13, 14, "Square.area")
    ]
    assert names(search.search_method_in_file("area", "old.py")) == [
        ("shapes/old.py", 3, 4, "area")
    ]
    assert search.search_class_in_file("Shape", "old.py") == ()


def test_what_lies_outside_of_the_tree_or_in_texts_is_not_found(tree: Path) -> None:
    search = CodeSearch(tree)
    assert search.search_class("Secret") == ()
    assert search.search_class("Hidden") == ()
    assert search.search_class_in_file("Shape", "../base.py") == ()
    assert not any(path.startswith("around/") for path in search.texts)


def test_code_is_found_with_its_surroundings_and_tests_come_last(tree: Path) -> None:
    found = CodeSearch(tree).search_code("area(")
    assert found[0].path == "shapes/base.py"
    assert found[-1].path == "tests/test_base.py"
    (only,) = CodeSearch(tree).search_code_in_file("return self.side", "shapes/base.py")
    assert (only.first, only.last, only.name) == (11, 17, "Square.area")
    assert CodeSearch(tree).search_code(" \n") == ()


def test_lines_around_a_line(tree: Path) -> None:
    search = CodeSearch(tree)
    (only,) = search.get_code_around_line("base.py", 5, 1)
    assert only.text == "    @property\n    def area(self):\n        return 0"
    assert search.get_code_around_line("base.py", 500) == ()
    assert search.get_code_around_line("base.py", -1, -5) == ()


def test_few_of_many_results_are_shown_and_long_ones_are_cut(tree: Path) -> None:
    many = "\n".join(f"def f{n}():\n    return same_thing\n\n\n\n\n\n" for n in range(100))
    (tree / "many.py").write_text(many + "class Long:\n" + "    def m(self): pass\n" * 200)
    search = CodeSearch(tree)
    told = answer(search, WrittenCall("search_code", ("same_thing",)))
    assert told.startswith(f"at least {MOST_FOUND} found:")
    assert f"More are in: many.py ({MOST_FOUND - 3})" in told
    assert len(answer(search, WrittenCall("search_class", ("Long",)))) < 10_000


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("arguments", [(), ("x",), ("", ""), ("(", "*", 1), (1, 2), ("\0", -1, 5)])
def test_any_call_is_answered(tree: Path, name: str, arguments: tuple[str | int, ...]) -> None:
    assert answer(CodeSearch(tree), WrittenCall(name, arguments))
