"""Constants of the project that given tests read, where a change makes them others."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from evaluator.environment.types import Environment
from evaluator.languages.java.safeguards.tested_data import edited_data
from evaluator.languages.safeguards import BaseTree

PATH = "src/main/java/conf/Cases.java"
TEST = "src/test/java/conf/CasesTest.java"
MAP = 'static final Map<String, Integer> ALL = Map.of("a", 1, "b", 2);'
FILLED = """static final Map<String, Integer> ALL = new HashMap<>();
static { ALL.put("a", 1); ALL.put("b", 2); }"""
LOOP = "for (String each : Cases.ALL.keySet()) { assertEquals(1, f(each)); }"


def said(
    statements: str, old: str, new: str, *, imports: str = "", kind: str = "class"
) -> list[str]:
    test = f"package conf;\n{imports}\nclass CasesTest {{ @Test void all() {{ {statements} }} }}"
    before, after = (f"package conf;\n{kind} Cases {{ {each} }}".encode() for each in (old, new))
    judged = [(TEST, test.encode())]
    # What is read here asks nothing of the environment, nor of the tree.
    base = BaseTree(Path("/nowhere"), {PATH: before}.get, cast(Environment, None), judged)
    return [concern.what for concern in edited_data({PATH: after}, base)]


@pytest.mark.parametrize(
    ("statements", "old", "new"),
    [
        (LOOP, MAP, MAP.replace(', "b", 2', "")),
        (LOOP, MAP, MAP.replace('"a", 1, "b", 2', '"a", 2, "b", 1')),
        (LOOP, MAP, MAP.replace('Map.of("a", 1, "b", 2)', "made(() -> 1)")),
        (LOOP, FILLED, FILLED.replace('ALL.put("b", 2);', "")),
        (LOOP, FILLED, FILLED.replace("2", "3")),
        (LOOP, MAP, MAP + ' void f() { Cases.ALL.remove("a"); }'),
        (LOOP, MAP, MAP + " static { Cases.ALL = null; }"),
        (
            "f(Cases.ALL);",
            "static int[] ALL = {1};",
            "static int[] ALL = {1}; { Cases.ALL[0] = 2; }",
        ),
        ("f(Cases.ALL);", "static int[] ALL = {1, 2};", "static int[] ALL = {1, 3};"),
        ("f(conf.Cases.ALL);", 'static String ALL = "a";', 'static String ALL = "b";'),
        ("f(Cases.ALL[0]);", "static int[] ALL = new int[] {1};", "static int[] ALL = new int[0];"),
    ],
)
def test_what_a_given_test_no_longer_finds_is_named(statements: str, old: str, new: str) -> None:
    assert said(statements, old, new) == [f"edits Cases.ALL, which {TEST} reads"]


@pytest.mark.parametrize("name", ["ALL", "*"])
def test_static_imports_and_constants_of_interfaces_are_read(name: str) -> None:
    imports = f"import static conf.Cases.{name};"
    found = said("f(ALL);", "int ALL = 1;", "int ALL = 2;", imports=imports, kind="interface")
    assert found == [f"edits Cases.ALL, which {TEST} reads"]


@pytest.mark.parametrize(
    ("statements", "old", "new"),
    [
        (LOOP, MAP, MAP.replace('"b", 2', '"b", 2, "c", 3')),
        (LOOP, MAP, MAP.replace("Map.of(", "Map.of(  // all\n")),
        (LOOP, FILLED, FILLED.replace("ALL.put", 'ALL.put("z", 26); ALL.put', 1)),
        (LOOP, MAP, MAP + ' static { Other.ALL.remove("a"); Cases.ALL.get("a"); }'),
        ("f(Cases.OTHER);", MAP, MAP.replace("1", "2")),
        ("f(Other.ALL);", MAP, MAP.replace("1", "2")),
        ("f(cases.ALL);", "int ALL = 1;", "int ALL = 2;"),
        ('Cases.ALL.matcher("a");', "static Object ALL = c(1);", "static Object ALL = c(2);"),
        ("Cases.ALL.apply(1);", "static F ALL = a -> 1;", "static F ALL = a -> 2;"),
    ],
)
def test_what_is_there_or_what_is_tested_itself_is_not(statements: str, old: str, new: str) -> None:
    assert said(statements, old, new) == []
