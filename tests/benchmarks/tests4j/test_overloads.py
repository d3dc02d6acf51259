"""Of several overloads, a test is about the one that its calls mean."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.argument_types import type_of, variables
from evaluator.benchmarks.tests4j.mapping import HeuristicMapping
from evaluator.benchmarks.tests4j.sources import RepositorySources
from evaluator.languages.java.syntax import field, found, parsed

METHODS = ("boolean", "byte[]", "double", "int", "java.io.Reader", "List<String>", "long", "String")


def parameters(body: str, *overloads: str, fields: str = "") -> tuple[str, ...]:
    """The parameters of the overload of `put` that a test is about."""
    code = "".join(f"void put({one}) {{ }} " for one in overloads)
    files = {
        "src/main/java/Box.java": f"class Box {{ {code} }}".encode(),
        "src/test/java/BoxTest.java": (
            f"class BoxTest {{ {fields} @Test void it() {{ {body} }} }}".encode()
        ),
    }
    (link,) = HeuristicMapping().links(RepositorySources("o/n", "0" * 40, files, b""))
    return link.focal.parameters


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("true", "boolean"),
        ("!(a == b)", "boolean"),
        ("new byte[0]", "byte[]"),
        ("new byte[] {1}", "byte[]"),
        ("-1.5", "double"),
        ("1f", "double"),
        ("'c'", "int"),
        ("0x1F", "int"),
        ("(short) 7", "int"),
        ("1 + 2", "int"),
        ("7L", "long"),
        ("new StringReader(text)", "Reader"),
        ("new ArrayList<>()", "List"),
        ('"a" + unknown()', "String"),
        ('"""\n a"""', "String"),
    ],
)
def test_literals_and_new_objects_choose(argument: str, expected: str) -> None:
    every = [f"{kind} value" for kind in METHODS]
    assert parameters(f"box.put({argument});", *every) == (expected,)
    assert parameters(f"box.put({argument});", *reversed(every)) == (expected,)


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ("box.put(text);", "private String text;"),
        ('String text = "a"; box.put(text);', "private int text;"),
        ('var text = "a"; box.put(text);', ""),
        ("for (String text : all) { box.put(text); }", ""),
        ("try (String text = open()) { box.put((text)); }", ""),
        ("box.put(text());", "private String text() { return null; }"),
    ],
)
def test_variables_choose(body: str, fields: str) -> None:
    assert parameters(body, "int value", "String value", fields=fields) == ("String",)


def test_what_is_inherited_chooses() -> None:
    files = {
        "src/main/java/Box.java": b"class Box { void put(int a) { } void put(String a) { } }",
        "src/test/java/BaseTest.java": b"class BaseTest { String text; @Test String read() { } }",
        "src/test/java/BoxTest.java": b"class BoxTest extends BaseTest { @Test void a() { "
        b"put(read()); } @Test void b() { put(text); } }",
    }
    links = HeuristicMapping().links(RepositorySources("o/n", "0" * 40, files, b""))
    assert [link.focal.parameters for link in links] == [("String",), ("String",)]


def test_the_overload_of_most_calls_is_chosen() -> None:
    assert parameters("put(1); put(true); put(false);", "int v", "boolean v") == ("boolean",)
    assert parameters("put(1); put(true);", "boolean v", "int v") == ("int",)


def test_the_number_of_arguments_comes_first() -> None:
    overloads = ("int... all", "String a", "String a, Object b")
    assert parameters("put(unknown(), unknown());", *overloads) == ("String", "Object")
    assert parameters("put(1, 2, 3);", *overloads) == ("int[]",)
    assert parameters("put();", *overloads) == ("int[]",)


def test_what_no_call_shows_is_the_first() -> None:
    assert parameters("put(unknown());", "int v", "String v") == ("int",)
    assert parameters("put(1, 2, 3);", "int v", "String v") == ("int",)


def test_null_and_functions_are_no_values() -> None:
    assert parameters("put(null);", "int v", "String v") == ("String",)
    assert parameters("put(a -> a);", "int v", "String v", "Runnable v") == ("Runnable",)
    assert parameters("put(Box::new);", "int[] v", "Runnable v") == ("Runnable",)


@given(st.text(alphabet="abB1\"'.()[]{};:,=+-<> \n", max_size=40))
@example(";;<>a")
def test_any_code_can_be_read(code: str) -> None:
    root = parsed(f"class A {{ void a() {{ var x = put({code}); }} }}".encode())
    assert root is not None
    known = variables(root)
    for call in found(root, "method_invocation"):
        given_ones = field(call, "arguments")
        for each in [] if given_ones is None else given_ones.named_children:
            assert " " not in type_of(each, known)
