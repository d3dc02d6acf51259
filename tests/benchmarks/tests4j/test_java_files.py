"""Types by binary name, methods by what their parameters are erased to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.java_files import read_java

SOURCE = b"""package a.b;
import java.util.*;
import static  java.util.List.of ;
public class A<T extends Comparable<T>> extends x.y.B<T> implements C, d.D<String> {
  static class In<U extends V, V> extends A {
    <Q> void m(Q q, U u, T[] t, int... n) {}
    enum E implements I { X; void z() {} }
  }
  public A() {}
  void f(@Nullable java.util.Map.Entry<String, T> e, final int a[], java.lang.@N String s) {}
  record R(int a) { R { } int b() { return 1; } }
  interface J extends K, L { default void q(List<String>[] x) {} void none(); }
}
"""


def test_types_and_methods() -> None:
    file = read_java("src/A.java", SOURCE)
    assert (file.package, file.imports) == ("a.b", ("java.util.*", "static java.util.List.of"))
    assert file.main_type is not None
    assert file.main_type.binary_name == "a.b.A"
    assert {kind.binary_name: kind.supertypes for kind in file.types} == {
        "a.b.A": ("x.y.B", "C", "d.D"),
        "a.b.A$In": ("A",),
        "a.b.A$In$E": ("I",),
        "a.b.A$R": (),
        "a.b.A$J": ("K", "L"),
    }
    methods = {method.name: method for kind in file.types for method in kind.methods}
    assert methods["m"].parameters == ("Object", "Object", "Comparable[]", "int[]")
    assert methods["f"].parameters == ("Entry", "int[]", "String")
    assert methods["q"].parameters == ("List[]",)
    assert [name for name, method in methods.items() if method.is_constructor] == ["A", "R"]
    assert [name for name, method in methods.items() if method.body is None] == ["none"]
    assert methods["A"].modifiers == {"public"}


def test_a_type_variable_bounded_by_itself_ends() -> None:
    (kind,) = read_java("A.java", b"class A<T extends U, U extends T> { void m(T t) {} }").types
    assert len(kind.methods[0].parameters) == 1


@given(content=st.binary() | st.text().map(str.encode) | st.just(SOURCE[:300]))
def test_anything_is_read(content: bytes) -> None:
    file = read_java("A.java", content)
    assert all(kind.binary_name for kind in file.types)
