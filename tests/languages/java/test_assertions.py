"""Java tests are rewritten so that their assertions are tried with other values."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from evaluator.languages import language
from evaluator.languages.java.environment.types import JavaEnvironment, JavaRecipe
from evaluator.languages.java.syntax import parsed
from evaluator.languages.safeguards import NegatedTests

PATH = "src/test/java/a/b/WordTest.java"
TEST = """\
package a.b;

import static a.b.Checks.*;

public class WordTest {
    static class Always {
        @Override public boolean equals(Object other) { return true; }
        @Override public int hashCode() { return 1; }
    }

    @interface Test { Class<?> expected() default Object.class; long timeout() default 0; }

    @Test public void notices() throws java.io.IOException {
        int number = 1;
        assertEquals(number, 3 - 2);
        assertEquals("a", "A".toLowerCase());
        assertEquals(1.5, 3 / 2.0, 0.1);
        assertArrayEquals(new int[] {1}, new int[] {1});
        assertNotEquals('a', 'b');
        assertTrue("said", number > 0);
        assertTrue("a".equals("a"));
    }

    @Test public void holds() {
        assertEquals(new Always(), "a");
    }

    @Test public void lies() {
        assertTrue(new Always().equals("a"));
    }

    @Test public void nothing() {
        new Always();
    }

    @Test(expected = IllegalStateException.class, timeout = 1000) public void throwing() {
        throw new IllegalStateException();
    }

    @Test public void caught() {
        try {
            Integer.parseInt("a");
            fail();
        } catch (NumberFormatException expected) {
        }
    }

    @Test public void fails() {
        assertEquals(1, 2);
    }

    static class ExpectedException { void expect(Class<?> kind) { } }
    ExpectedException thrown = new ExpectedException();

    @Test public void ruled() {
        thrown.expect(IllegalStateException.class);
        throw new IllegalStateException();
    }

    @Test public void otherwise() {
        thrown.expect(IllegalStateException.class);
        throw new IllegalArgumentException("another");
    }

    @Test public void conditional() {
        if (3 - 2 != 1) fail();
        if (3 - 2 != 1) { throw new AssertionError(); }
        if (3 - 2 != 1) new Always();
    }

    static class Length {
        final int size;
        Length(int size) { this.size = size; }
        @Override public boolean equals(Object o) { return o instanceof Length; }
        @Override public int hashCode() { return 1; }
    }

    static class Weight extends Length {
        final String unit = "kg";
        Weight(int size) { super(size); }
        @Override public boolean equals(Object o) { return o.hashCode() == hashCode(); }
        @Override public int hashCode() { return size; }
    }

    static Object listed(Object one) { return java.util.Arrays.asList(one); }

    @Test public void lax() {
        assertEquals(new Length(1), new Length(1));
    }

    @Test public void strict() {
        assertEquals(new Weight(1), new Weight(1));
        assertEquals(listed(new Weight(1)), listed(new Weight(1)));
    }

    @Test public void laxInside() {
        assertEquals(listed(new Length(1)), listed(new Length(1)));
    }

    static class Kind {
        final Class<?> type;
        final String[] names;
        final int cached;
        Kind(Class<?> type, String... names) {
            this.type = type;
            this.names = names;
            this.cached = names.length;
        }
        @Override public boolean equals(Object o) {
            Kind other = o instanceof Kind ? (Kind) o : null;
            return other != null && other.type == type
                && java.util.Arrays.equals(other.names, names);
        }
        @Override public int hashCode() { return cached; }
    }

    @Test public void derived() {
        assertEquals(new Kind(Object.class), new Kind(Object.class));
        assertEquals(listed(new Kind(WordTest.class, "a")), listed(new Kind(WordTest.class, "a")));
    }
}
"""
CHECKS = """\
package a.b;

class Checks {
    static void assertEquals(Object one, Object other) { check(one.equals(other)); }
    static void assertEquals(long one, long other) { check(one == other); }
    static void assertEquals(double one, double other, double far) { check(one - other < far); }
    static void assertArrayEquals(int[] one, int[] other) { check(one.length == other.length); }
    static void assertNotEquals(Object one, Object other) { check(!one.equals(other)); }
    static void assertTrue(boolean holds) { check(holds); }
    static void assertTrue(String message, boolean holds) { check(holds); }
    static void fail() { check(false); }
    static void check(boolean holds) { if (!holds) throw new AssertionError("does not hold"); }
}
"""
MAIN = """\
package a.b;

class Main {
    public static void main(String[] names) throws Exception {
        for (String name : names) {
            try {
                WordTest.class.getMethod(name).invoke(new WordTest());
                System.out.println(name + ": passed");
            } catch (java.lang.reflect.InvocationTargetException error) {
                System.out.println(name + ": " + error.getCause().getMessage());
            }
        }
    }
}
"""
REPORTS = {
    "notices": "TOKEN noticed 7",
    "holds": "TOKEN held 25; noticed 0",
    "lies": "TOKEN held 29; noticed 0",
    "nothing": "TOKEN noticed 0",
    "throwing": "TOKEN noticed 1",
    "caught": "TOKEN noticed 1",
    "fails": "does not hold",
    "ruled": "TOKEN noticed 1",
    "otherwise": "another",
    "conditional": "TOKEN noticed 2",
    "lax": "TOKEN held 88; noticed 0",
    "strict": "TOKEN noticed 2",
    "laxInside": "TOKEN held 97; noticed 0",
    "derived": "TOKEN noticed 2",
}


Negating = Callable[[Mapping[str, str], frozenset[str]], NegatedTests]


@pytest.fixture
def negated(tmp_path: Path) -> Negating:
    """Rewrites a test and what it reaches, of a project of two modules."""
    units = [{"test": True, "roots": [root]} for root in ("src/test/java", "core/src/test/java")]
    project = tmp_path / "project.json"
    project.write_text(json.dumps({"units": units}))
    # Rewriting asks nothing else of the environment.
    environment = JavaEnvironment(
        key="own",
        recipe=JavaRecipe(),
        java=tmp_path,
        probe=tmp_path,
        compiler=(),
        project=project,
        classes=tmp_path,
        launcher=(),
        python=tmp_path,
    )

    def negated(files: Mapping[str, str], functions: frozenset[str]) -> NegatedTests:
        contents = {path: text.encode() for path, text in files.items()}
        negate = language("java").safeguards.negate_assertions
        return negate([PATH], functions, contents.get, environment, "key")

    return negated


@pytest.mark.skipif(not shutil.which("javac"), reason="needs a JDK: apt-get install default-jdk")
def test_each_test_reports_what_came_of_its_assertions(negated: Negating, tmp_path: Path) -> None:
    found = negated({PATH: TEST}, frozenset(REPORTS))
    assert found.functions == frozenset(REPORTS)
    files = {**found.contents, "Checks.java": CHECKS.encode(), "Main.java": MAIN.encode()}
    for path, content in files.items():
        (tmp_path / Path(path).name).write_bytes(content)
    sources = [str(tmp_path / Path(path).name) for path in files]
    subprocess.run(["javac", "--release", "8", "-nowarn", "-d", tmp_path, *sources], check=True)
    command = ["java", "-cp", str(tmp_path), "a.b.Main", *REPORTS]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    reports = dict(line.split(": ", 1) for line in said.splitlines())
    assert {name: text.replace(found.token, "TOKEN") for name, text in reports.items()} == REPORTS


@pytest.mark.skipif(not shutil.which("javac"), reason="needs a JDK: apt-get install default-jdk")
def test_a_package_may_have_classes_of_the_names_of_javas_own(
    negated: Negating, tmp_path: Path
) -> None:
    """jolt has a `Math` beside its tests, so that what they were tried by did not compile."""
    test = "package a.b;\nclass WordTest { @Test void a() { assertTrue(true); } }\n"
    found = negated({PATH: test}, frozenset({"a"})).contents
    (code,) = (content.decode() for path, content in found.items() if path != PATH)
    words = sorted(set(re.findall(r"\b[A-Z]\w+", code)))
    command = ["javap", *(f"java.lang.{word}" for word in words)]
    known = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    own = set(re.findall(r"(?:class|interface) java\.lang\.(\w+)", known))
    assert own >= {"Math", "Object", "String"}
    files = {f"{name}.java": f"package a.b; class {name} {{}}" for name in own}
    name = re.findall(r"public final class (\w+)", code)[0]
    for path, content in {**files, f"{name}.java": code}.items():
        (tmp_path / path).write_text(content)
    sources = [*map(str, tmp_path.glob("*.java"))]
    subprocess.run(["javac", "--release", "8", "-nowarn", "-d", tmp_path, *sources], check=True)


def test_lines_keep_their_numbers_and_other_methods_their_end(negated: Negating) -> None:
    found = negated({PATH: TEST}, frozenset({"holds"}))
    content = found.contents[PATH]
    assert content.count(b"\n") == TEST.count("\n")
    assert content.count(b"finally") == 1
    assert found.functions == {"holds"}


@pytest.mark.parametrize(
    "statement",
    [
        "assertThat(word).isEqualTo(1).isNotNull();",
        'assertThat(words).as("text").containsExactly("a", "b").hasSize(2);',
        'assertThat("said", word, is(equalTo(1)));',
        "assertThat(word, not(is(1)));",
        "assertThrows(IOException.class, () -> { assertEquals(1, 2); });",
        "assertThatThrownBy(() -> word()).isInstanceOf(IOException.class).hasMessage(word);",
        "assertThatThrownBy(() -> word()).isInstanceOf(IOException.class);",
        "verify(mock).word(1, 2);",
        "Mockito.verify(mock, times(1)).as();",
        "assertEquals(null, word); assert word == 1 : word;",
        "assert(word == 1);",
        'assert!word.isEmpty(); assert"a".equals(word);',
        "verify(mock, times(1)).word(); softly.assertThat(word).isEqualTo(2);",
        "assertEquals(1, word(), () -> word);",
        'MatcherAssert.assertThat("said", () -> word(), new Throws<>("a", IOException.class));',
        'the(word()).shouldBeEqual("a"); a(word).shouldNotBeNull();',
        'mock.perform(get("/")).andExpect(status().isOk()).andExpect(content().string("a"));',
    ],
)
def test_any_library_is_tried_and_stays_valid(negated: Negating, statement: str) -> None:
    code = f"package a.b;\nclass WordTest {{ @Test void a() {{ {statement} }} }}\n"
    found = negated({PATH: code}, frozenset({"a"}))
    root = parsed(found.contents[PATH])
    assert root is not None
    assert not root.has_error
    assert b".truth(" in found.contents[PATH] or b".last(" in found.contents[PATH]


@pytest.mark.parametrize(
    "statement", ["word.shouldBe(1);", "words().shouldBe(1);", "the(word).should(1);"]
)
def test_what_only_sounds_like_a_claim_is_none(negated: Negating, statement: str) -> None:
    code = f"package a.b;\nclass WordTest {{ @Test void a() {{ {statement} }} }}\n"
    content = negated({PATH: code}, frozenset({"a"})).contents[PATH]
    assert b".truth(" not in content
    assert b".last(" not in content


def test_another_number_may_be_in_a_collection_too(negated: Negating) -> None:
    code = "package a.b;\nclass WordTest { @Test void a() { assertThat(numbers).contains(1); } }\n"
    content = negated({PATH: code}, frozenset({"a"})).contents[PATH]
    assert b".truth(" in content
    assert b".last(" not in content


def test_helpers_are_rewritten_with_the_test_and_broken_files_left_alone(
    negated: Negating,
) -> None:
    helper = "src/test/java/a/c/Helper.java"
    code = "package a.c; public class Helper { void a() { assertEquals(1, 1); } }"
    test = (
        "package a.b;\nimport a.c.Helper;\nclass WordTest { @Test void a() { new Helper().a(); } }"
    )
    found = negated({PATH: test, helper: code}, frozenset({"a"}))
    assert b".last(" in found.contents[helper]
    broken = negated({PATH: "class WordTest { void a() {"}, frozenset({"a"}))
    assert broken.functions == frozenset()


@pytest.mark.parametrize(("package", "statement"), [("a.b", ""), ("a.c", "import a.c.Shared;\n")])
def test_tests_that_are_inherited_from_another_module_are_rewritten(
    negated: Negating, package: str, statement: str
) -> None:
    """What they are tried by lies beside them: their module does not know that of the heir."""
    shared = f"core/src/test/java/{package.replace('.', '/')}/Shared.java"
    body = "@Test public void a() { assertEquals(1, 1); }"
    code = f"package {package}; public abstract class Shared {{ {body} }}"
    heir = f"package a.b;\n{statement}class WordTest extends Shared {{ }}"
    found = negated({PATH: heir, shared: code}, frozenset({"a"}))
    assert found.functions == frozenset({"a"})
    assert b".last(" in found.contents[shared]
    (inserted,) = found.contents.keys() - {PATH, shared}
    assert Path(inserted).parent == Path(shared).parent
