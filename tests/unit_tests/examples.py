"""A small dataset by hand, and Java that hypothesis makes up."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.dataset import (
    FocalMethod,
    HumanTest,
    MappingKind,
    RepositorySnapshot,
    TestFramework,
    Tests4JDataset,
    method_id,
)

REPOSITORY = "acme/money"
FOCAL = """public class Money {
    public static final Money NOTHING = new Money(0);

    public Money(long cents) {}

    public Money plus(Money other) {}

    public long cents() {}
}
"""
PLUS = """public Money plus(Money other) {
        if (other == null) {
            return this;
        }
        return new Money(cents + other.cents);
    }"""
TESTS = """import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class MoneyTest {
    private Money one;

    @Before
    public void setUp() {
        one = new Money(1);
    }

    private static Money of(long cents) {}
}
"""
ADDS = """@Test
    public void adds() {
        assertEquals(3, one.plus(of(2)).cents());
    }"""


def method(name: str = "plus", **given: Any) -> FocalMethod:
    values = {
        "focal_path": "src/main/java/acme/Money.java",
        "focal_class": "acme.Money",
        "name": name,
        "parameters": ("Money",),
        "source": PLUS,
        "focal_context": FOCAL,
        "test_path": "src/test/java/acme/MoneyTest.java",
        "test_class": "acme.MoneyTest",
        "test_context": TESTS,
        "tests": (HumanTest(name="adds", source=ADDS),),
        **given,
    }
    where = (values["focal_path"], values["focal_class"], name, values["parameters"])
    return FocalMethod(id=method_id(REPOSITORY, *where), name=name, **_without_name(values))


def _without_name(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != "name"}


def repository(*methods: FocalMethod, **given: Any) -> RepositorySnapshot:
    values = {"name": REPOSITORY, "commit": "0" * 40, "framework": TestFramework.JUNIT4, **given}
    return RepositorySnapshot(methods=methods, **values)


def dataset(*repositories: RepositorySnapshot) -> Tests4JDataset:
    return Tests4JDataset(name="small", mapping=MappingKind.HEURISTIC, repositories=repositories)


_NAMES = st.sampled_from(["alpha", "beta", "gamma", "delta", "zeta"])
_TYPES = st.sampled_from(["int", "String", "java.util.List<String>", "T[]", "Money"])
_FIELDS = st.tuples(_TYPES, _NAMES).map(lambda it: f"public {it[0]} {it[1]} = null;")
_METHODS = st.tuples(_TYPES, _NAMES, _TYPES).map(
    lambda it: f"/** About {it[1]}. */\n    public {it[0]} {it[1]}({it[2]} given) {{}}"
)
_SET_UPS = st.tuples(_NAMES).map(lambda it: f"@Before public void {it[0]}() {{ one = null; }}")
_MEMBERS = st.lists(
    st.one_of(_FIELDS, _METHODS, _SET_UPS, st.just("// on its own"), st.just("static class In {}")),
    max_size=8,
)
IMPORTS = st.lists(
    st.sampled_from(["import java.util.*;", "import static org.junit.Assert.*;"]), max_size=3
)


def a_class(name: str, members: list[str], constructors: bool = True) -> str:
    lines = [f"public {name}(int it) {{}}"] * constructors + members
    return "\n".join([f"public class {name}<T> {{", *(f"    {line}" for line in lines), "}", ""])


FOCAL_CLASSES = _MEMBERS.map(lambda members: a_class("Money", members))
TEST_CLASSES = st.tuples(IMPORTS, _MEMBERS).map(
    lambda it: "\n".join([*it[0], "", a_class("MoneyTest", it[1], constructors=False)])
)
