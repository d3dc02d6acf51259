"""Retrieval finds code, test files and places in them, and never looks past the base commit."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.languages.python.test_files import placed
from generator.retrieval import RankedFile, Retrieval

from .conftest import Shop

LookUp = Callable[[str], Retrieval]
TRACEBACK = """It fails

Traceback (most recent call last):
  File "/home/me/mine.py", line 3, in <module>
    Cart().total()
  File "/usr/lib/python3/site-packages/shop/cart.py", line 11, in total
    return sum(item.amount for item in self.items)
AttributeError: 'int' object has no attribute 'amount'
"""


@pytest.mark.parametrize(
    ("issue", "reason"),
    [
        (TRACEBACK, "the traceback goes through it"),
        ("Bug\n\nI think `shop/cart.py` is wrong", "the issue names it"),
        ("Bug\n\n    from shop.cart import Cart", "the issue names it as a module"),
        ("The total of a cart", "shares words with the issue"),
        ("`Cart` is broken", "defines Cart"),
    ],
)
def test_source_file_and_its_reason(look_up: LookUp, issue: str, reason: str) -> None:
    first = look_up(issue).source_files()[0]
    assert first.path == "shop/cart.py"
    assert reason in first.reasons


def test_function_that_the_traceback_ends_in(look_up: LookUp) -> None:
    first = look_up(TRACEBACK).functions()[0]
    assert (first.path, first.symbol.name) == ("shop/cart.py", "Cart.total")
    assert "a frame of the traceback lies in it" in first.reasons


def test_function_by_its_name(look_up: LookUp) -> None:
    assert look_up("parse_price('') should say more").functions()[0].symbol.name == "parse_price"


def test_test_file_by_name_and_import(look_up: LookUp) -> None:
    first = look_up("`Cart` adds wrongly").test_files()[0]
    assert first.path == "tests/test_cart.py"
    assert "is named like shop/cart.py" in first.reasons
    assert "imports shop/cart.py" in first.reasons


def test_test_file_that_the_issue_names(look_up: LookUp) -> None:
    first = look_up("tests/test_regressions.py fails with `Cart`").test_files()[0]
    assert first.path == "tests/test_regressions.py"
    assert first.reasons[0] == "the issue names it"


def test_test_file_by_history(shop: Shop, look_up: LookUp) -> None:
    assert "tests/test_regressions.py" not in paths(look_up("`Cart` adds wrongly").test_files())
    shop.edit("shop/cart.py", "tests/test_regressions.py")
    found = {f.path: f.reasons for f in look_up("`Cart` adds wrongly").test_files()}
    assert found["tests/test_regressions.py"] == ("changed with shop/cart.py",)


def paths(files: tuple[RankedFile, ...]) -> list[str]:
    return [file.path for file in files]


def test_only_files_with_tests_are_proposed(look_up: LookUp) -> None:
    proposed = paths(look_up("parse_price of a Price in a Cart").test_files(99))
    assert set(proposed) == {"tests/test_price.py", "tests/test_cart.py"}


def test_what_came_later_is_not_seen(shop: Shop) -> None:
    base = shop.git("rev-parse", "HEAD")
    shop.edit("shop/cart.py", "tests/test_regressions.py")
    shop.git("tag", "later")
    found = shop.retrieval(base, "`Cart` adds wrongly").test_files(99)
    assert "tests/test_regressions.py" not in paths(found)


def test_merged_work_counts_as_one_change(shop: Shop, look_up: LookUp) -> None:
    shop.git("checkout", "--quiet", "-b", "work")
    shop.edit("shop/cart.py")
    shop.edit("tests/test_regressions.py")
    shop.git("checkout", "--quiet", "main")
    shop.git("merge", "--quiet", "--no-ff", "--no-edit", "work")
    found = look_up("`Cart` adds wrongly").test_files()
    assert "tests/test_regressions.py" in paths(found)


def test_a_shallow_clone_tells_no_history_and_does_no_harm(shop: Shop, tmp_path: Path) -> None:
    shop.edit("shop/cart.py", "tests/test_cart.py")
    url = shop.path.as_uri()
    shop.git("clone", "--quiet", "--depth=1", url, str(tmp_path / "shallow"))
    shop.path = tmp_path / "shallow"
    found = shop.retrieval(shop.git("rev-parse", "HEAD"), "`Cart` adds wrongly").test_files()
    assert found[0].path == "tests/test_cart.py"
    assert not any("changed with" in reason for reason in found[0].reasons)


def test_index_is_made_once(shop: Shop, look_up: LookUp) -> None:
    first = look_up("`Cart` adds wrongly")
    found = first.test_files()
    shutil.rmtree(shop.task(shop.git("rev-parse", "HEAD"), "").subject.pristine / "tests")
    assert look_up("`Cart` adds wrongly").test_files() == found


def test_links_are_not_followed(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("def hidden_treasure(): pass\n")
    (shop.path / "shop" / "link.py").symlink_to(tmp_path / "secret.py")
    shop.git("add", "--all")
    shop.git("commit", "--quiet", "--message", "link")
    found = shop.retrieval(
        shop.git("rev-parse", "HEAD"), "`hidden_treasure` in link"
    ).source_files()
    assert "shop/link.py" not in paths(found)


def test_anchor_is_behind_the_last_test_of_the_likeliest_class(look_up: LookUp) -> None:
    anchor = look_up("parse_price fails for text").anchor("tests/test_price.py")
    assert (anchor.class_name, anchor.beside) == ("ParsingTests", "test_parse_fraction")


def test_anchor_at_the_top_level(look_up: LookUp) -> None:
    anchor = look_up("`Cart` adds wrongly").anchor("tests/test_cart.py")
    assert (anchor.class_name, anchor.beside, anchor.line) == ("", "test_total", 6)


def test_anchor_of_a_file_without_tests_is_its_end(look_up: LookUp) -> None:
    anchor = look_up("`Cart` adds wrongly").anchor("tests/helpers.py")
    assert (anchor.class_name, anchor.beside, anchor.line) == ("", "", 2)


def test_a_test_can_be_placed_at_the_anchor(shop: Shop, look_up: LookUp) -> None:
    anchor = look_up("Price.rounded rounds down").anchor("tests/test_price.py")
    source = shop.mirror().source(shop.git("rev-parse", "HEAD"))
    code = "def test_new(self):\n    assert True\n"
    changes = placed(source, anchor.path, code, line=anchor.line)
    text = (changes.contents[anchor.path] or b"").decode()
    assert text.index("test_rounded_down") < text.index("test_new") < text.index("ParsingTests")


@pytest.mark.parametrize("budget", [0, 1, 40, 100, 200, 400, 1000, 100_000])
def test_context_stays_within_its_budget(look_up: LookUp, budget: int) -> None:
    context = look_up(TRACEBACK + "\nSome words. " * 60).context(budget)
    assert context.tokens <= budget


def test_context_holds_what_a_writer_needs(look_up: LookUp) -> None:
    context = look_up(TRACEBACK).context(4000)
    assert context.issue == TRACEBACK
    assert [excerpt.path for excerpt in context.tests] == ["tests/test_cart.py"]
    assert "def test_total" in context.tests[0].text
    assert any("def total" in excerpt.text for excerpt in context.code)
    assert any("def total(self)" in excerpt.text for excerpt in context.outlines)


def test_excerpts_say_where_they_stand(shop: Shop, look_up: LookUp) -> None:
    for excerpt in look_up(TRACEBACK).context(4000).code:
        lines = (shop.path / excerpt.path).read_text().splitlines()
        assert excerpt.text.splitlines() == lines[excerpt.first - 1 : excerpt.last]


def test_a_repository_without_tests(shop: Shop) -> None:
    shop.git("rm", "-r", "--quiet", "tests")
    shop.git("commit", "--quiet", "--message", "no tests")
    found = shop.retrieval(shop.git("rev-parse", "HEAD"), "`Cart` adds wrongly")
    assert found.test_files() == ()
    assert found.context(1000).tests == ()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", ["", "a", "\n", "(", "+", "`", "<!--", "\ud800", "é", "a/b.py "])
def test_any_issue_can_be_looked_up(look_up: LookUp, piece: str) -> None:
    retrieval = look_up(piece * 20_000)
    assert retrieval.context(300).tokens <= 300
    assert retrieval.anchor("tests/test_price.py").line > 1


@pytest.mark.timeout(20)
def test_an_issue_full_of_imports_can_be_looked_up(look_up: LookUp) -> None:
    issue = "".join(f"from shop{n} import (\n" for n in range(5000))
    assert look_up(issue).context(300).tokens <= 300
