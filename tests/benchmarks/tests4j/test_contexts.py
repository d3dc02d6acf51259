"""Focal class and test class as the thesis cuts them."""

from __future__ import annotations

from hypothesis import given

from evaluator.benchmarks.tests4j.contexts import cut_focal_class, cut_test_class
from evaluator.benchmarks.tests4j.declared_tests import DeclaredTests
from evaluator.benchmarks.tests4j.java_files import read_java
from evaluator.languages.java.syntax import parsed
from tests.benchmarks.tests4j.java import test_classes

FOCAL = b"""package a;
import java.util.List;
/** A box. */
@Deprecated
public class Box<T extends Comparable<T>> extends Chest {
\tpublic static final String NAME = "a  b"; // its name
\tprivate int size;
\tpublic Box( int size /* at first */ ) { this.size = size; }
\tBox() {}
\t/** Puts. */
\t@Override public <Q> int put(
\t\tList<Q> all) throws Full {
\t\treturn size +=
\t\t\tall.size();
\t}
\t@Nullable
\tpublic T get(@NotNull String key) { return null; }
\tvoid hidden() {}
\tpublic abstract int count();
\tpublic static class Lid {}
}
"""
FOCAL_CUT = """\
public class Box<T extends Comparable<T>> extends Chest {
    public static final String NAME = "a  b";

    public Box( int size ) {}

    @Override public <Q> int put(
    \tList<Q> all) throws Full {
    \treturn size +=
    \t\tall.size();
    }

    public T get( String key) {}

    public abstract int count();
}
"""
TEST = b"""package a;
import org.junit.*;
import static org.junit.Assert.assertEquals;
@RunWith(Runner.class)
public class BoxTest {
  @Rule
  public final Timeout timeout = Timeout.seconds(3);
  private Box box;
  @Before public void fill() {
    box = new Box(3);
  }
  @After public void empty() { box = null; }
  /** It puts. */
  @Test public void put() { assertEquals(1, box.put(list(1))); }
  private List<Integer> list(int n) { return List.of(n); }
}
"""
TEST_CUT = """\
import org.junit.*;
import static org.junit.Assert.assertEquals;

@RunWith(Runner.class) public class BoxTest {
    @Rule
    public final Timeout timeout = Timeout.seconds(3);
    private Box box;

    @Before public void fill() {
      box = new Box(3);
    }

    @After public void empty() {}

    private List<Integer> list(int n) {}
}
"""


def test_the_focal_class_has_public_heads_and_the_method_in_its_place() -> None:
    kind = read_java("Box.java", FOCAL).types[0]
    method = next(each for each in kind.methods if each.name == "put")
    assert cut_focal_class(kind, method) == FOCAL_CUT


def test_a_focal_method_that_is_not_public_is_shown() -> None:
    kind = read_java("Box.java", FOCAL).types[0]
    method = next(each for each in kind.methods if each.name == "hidden")
    assert "    void hidden() {}\n" in cut_focal_class(kind, method)


def test_an_enum_keeps_its_constants() -> None:
    kind = read_java("E.java", b"enum E { A(1), B { void x() {} }; public int f() { return 1; } }")
    (enum,) = kind.types
    shown = "enum E {\n    A, B;\n\n    public int f() { return 1; }\n}\n"
    assert cut_focal_class(enum, enum.methods[0]) == shown


def test_the_test_class_has_no_tests_and_what_runs_before_them() -> None:
    file = read_java("BoxTest.java", TEST)
    tests = DeclaredTests([file]).of(file.types[0])
    assert cut_test_class(file, file.types[0], tests) == TEST_CUT


@given(made=test_classes())
def test_a_context_is_java(made: tuple[str, list[str], list[str]]) -> None:
    file = read_java("BoxTest.java", made[0].encode())
    kind = file.types[0]
    context = cut_test_class(file, kind, DeclaredTests([file]).of(kind))
    root = parsed(context.encode())
    assert root is not None
    assert not root.has_error
    assert not any(name in context for name in made[1])
