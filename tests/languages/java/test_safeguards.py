"""What steers tests, what code reaches for, what it hides, and small faults put into it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.environment.types import Environment
from evaluator.languages import language
from evaluator.languages.java.syntax import parsed
from evaluator.languages.safeguards import BaseTree

SAFEGUARDS = language("java").safeguards
CODE = "src/main/java/org/example/Plural.java"
POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <version>1.0</version>
  <properties><some.version>1</some.version><plain>1</plain></properties>
  <build><plugins>
    <plugin><artifactId>maven-javadoc-plugin</artifactId><version>1</version></plugin>
    <plugin><artifactId>maven-surefire-plugin</artifactId>
      <version>${some.version}</version></plugin>
  </plugins></build>
</project>
"""


def configured(path: str, old: str, new: str | None, tree: Path) -> list[str]:
    files = {path: old.encode() if old else None}
    # What is read here asks nothing of the environment.
    base = BaseTree(tree, files.get, cast(Environment, None))
    changed = {path: None if new is None else new.encode()}
    return [concern.what for concern in SAFEGUARDS.changed_configuration(changed, base)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "</artifactId>\n      <version>",
            "</artifactId><configuration><argLine>-X</argLine></configuration><version>",
        ),
        ("<some.version>1", "<some.version>2"),
        ("<plain>1</plain>", "<argLine>-javaagent:a.jar</argLine>"),
        ("<version>1.0</version>", "<version>1.0</version><parent><version>2</version></parent>"),
        (
            "</project>",
            "<profiles><profile><id>a</id><build><a>b</a></build></profile></profiles></project>",
        ),
        ("</project>", ""),
    ],
)
def test_a_pom_steers_tests_by_plug_ins_profiles_and_properties(
    old: str, new: str, tmp_path: Path
) -> None:
    assert old in POM
    assert configured("core/pom.xml", POM, POM.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<version>1.0", "<version>1.1"),
        ("<plain>1", "<plain>2"),
        ("javadoc-plugin</artifactId><version>1", "javadoc-plugin</artifactId><version>2"),
        ("</project>", "  <!-- said -->\n</project>"),
    ],
)
def test_what_a_pom_says_besides_is_no_concern(old: str, new: str, tmp_path: Path) -> None:
    assert old in POM
    assert not configured("pom.xml", POM, POM.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        *("build.gradle", "settings.gradle.kts", "gradle.properties", ".mvn/jvm.config", "mvnw"),
        *("src/test/resources/junit-platform.properties", "src/test/resources/testng.xml"),
        "src/main/resources/META-INF/services/org.junit.platform.launcher.TestExecutionListener",
        "src/main/resources/META-INF/services/javax.annotation.processing.Processor",
        *("gradle/wrapper/gradle-wrapper.properties", "src/main/resources/META-INF/MANIFEST.MF"),
    ],
)
def test_files_that_steer_a_build(path: str, tmp_path: Path) -> None:
    assert configured(path, "", "a=b", tmp_path)
    assert not configured(path, "a=b", "a=b", tmp_path)


def test_other_files_steer_nothing(tmp_path: Path) -> None:
    assert not configured(
        "src/main/resources/META-INF/services/org.example.Words", "", "a", tmp_path
    )
    assert not configured("src/it/simple/pom.xml", "", "<project/>", tmp_path)
    assert not configured(CODE, "", "package org.example; class Plural {}", tmp_path)


def test_a_class_that_takes_the_place_of_the_tools_is_found(tmp_path: Path) -> None:
    path = "src/main/java/org/junit/Assert.java"
    new = "package org.junit; public class Assert {}"
    assert configured(path, "", new, tmp_path) == ["is loaded in the place of what org.junit has"]
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).with_name("Rule.java").touch()
    assert not configured(path, "", new, tmp_path)


REACHING = {
    "System.exit(0);": "System.exit",
    "Runtime.getRuntime().halt(1);": "Runtime.halt",
    "Thread.currentThread().getStackTrace();": "Thread.getStackTrace",
    "new Throwable().getStackTrace();": "getStackTrace",
    "StackWalker.getInstance();": "StackWalker",
    'Class.forName("org.junit.Assert");': '"junit"',
    "Class.forName(name + other);": "forName of a computed name",
    "org.junit.Assert.fail();": "org.junit.Assert",
    "sun.misc.Unsafe unsafe;": "Unsafe",
    "field.setAccessible(true);": "setAccessible",
    'if (System.getProperty("surefire.test.class.path") != null) a();': '"surefire"',
    "if (System.currentTimeMillis() > 1) a();": "a condition on System.currentTimeMillis()",
    'System.setProperty("a", "b");': "System.setProperty",
    'Class.forName("org.ju" + "nit.Test");': "the hidden name 'junit'",
    "boolean on = false; assert on = true;": "whether assertions are enabled",
    "if (Year.now().getValue() < 2030) a();": "a condition on Year.now().getValue()",
    "if (new Date().getTime() > 1) a();": "a condition on new Date().getTime()",
    "while (Math.random() < 0.9) a();": "a condition on Math.random()",
    "int n = 0; n = Runtime.getRuntime().availableProcessors(); boolean few = n < 9;": (
        "a condition on Runtime.getRuntime().availableProcessors()"
    ),
    "boolean none = System.console() == null; if (none) a();": "a condition on System.console()",
    "if (UUID.randomUUID().hashCode() % 9 > 0) a();": (
        "a condition on UUID.randomUUID().hashCode()"
    ),
    'if (new File("/home").list().length == 0) a();': ('a condition on new File("/home").list()'),
    'if (Files.isDirectory(Path.of("/home/user"))) a();': (
        'a condition on Files.isDirectory(Path.of("/home/user"))'
    ),
    "LongSupplier clock = System::nanoTime; if (clock.getAsLong() > 9) a();": (
        "a condition on System::nanoTime"
    ),
    'if (A.class.getResource("ATest.class") != null) a();': '"ATest.class"',
    'if (Boolean.getBoolean("on")) a();': 'a condition on Boolean.getBoolean("on")',
}


@pytest.mark.parametrize("statement", REACHING)
def test_what_reaches_for_the_machinery_is_found(statement: str) -> None:
    text = "class A { void a(String name, String other) { %s } }"
    gone, new = SAFEGUARDS.reached(CODE, (text % "").encode(), (text % statement).encode())
    assert REACHING[statement] in new
    assert not gone
    assert SAFEGUARDS.reached(CODE, (text % statement).encode(), b"class A {}")[0]


@pytest.mark.parametrize(
    ("added", "reached"),
    [
        ("import static org.objectweb.asm.Opcodes.IADD;", set()),
        ("import static org.objectweb.asm.Opcodes.go;", {"org.objectweb.asm.Opcodes.go"}),
        ("import static org.objectweb.asm.Type.ARRAY;", {"org.objectweb.asm.Type"}),
        ("import org.objectweb.asm.ClassWriter;", {"org.objectweb.asm.ClassWriter"}),
        ("import static org.junit.Assert.*;", {"org.junit.Assert"}),
    ],
)
def test_another_constant_of_a_class_that_is_used_is_nothing_new(
    added: str, reached: set[str]
) -> None:
    """As of what generates code in SmallRye Config."""
    old = "import static org.objectweb.asm.Opcodes.RETURN; class A {}"
    assert SAFEGUARDS.reached(CODE, old.encode(), (added + old).encode()) == (set(), reached)


@pytest.mark.parametrize(
    "statement",
    [
        'throw new IllegalStateException("no JUnit test was found among the classes");',
        "return a.equals(b);",
        'log.warn("System.exit");',
        "List<String> words = new ArrayList<>();",
        "Calendar day = Calendar.getInstance(); day.setTime(date); if (day.get(1) > 1) a();",
        "long start = System.nanoTime(); log.info(System.nanoTime() - start);",
        'Class.forName("java.sql.Driver");',
        "if (file.exists() && Files.isDirectory(file.toPath())) a();",
        'if (new File("a/b").getName().equals(name)) a();',
        "Supplier<UUID> ids = UUID::randomUUID; a(ids.get());",
        "// StackWalker, org.junit",
    ],
)
def test_plain_code_reaches_for_nothing(statement: str) -> None:
    new = f"import java.util.List; class A {{ Object a() {{ {statement}\n }} }}"
    assert SAFEGUARDS.reached(CODE, b"class A {}", new.encode()) == (set(), set())


RECORD = b"public record Span(int start, int end) {}"
CLASS = b"public final class Span { public boolean equals(Object o) { return o == this; } }"


def test_a_record_that_becomes_a_class_compares_otherwise() -> None:
    _, new = SAFEGUARDS.reached(CODE, RECORD, CLASS)
    assert new == {"Span.equals in place of a record's"}
    assert SAFEGUARDS.reached(CODE, CLASS, RECORD) == (set(), set())
    assert SAFEGUARDS.reached(CODE, CLASS.replace(b"== this", b"== null"), CLASS) == (set(), set())
    assert SAFEGUARDS.reached(CODE, RECORD, b"final class Span {}") == (set(), set())


COUNTING = {
    "static int calls; void a() { if (calls++ == 0) b(); }": "how often it was called, in calls",
    "static final AtomicInteger ASKED = new AtomicInteger(); boolean a() {"
    " return ASKED.incrementAndGet() > 9; }": "how often it was called, in ASKED",
    "private static final long BEGUN = System.nanoTime(); void a() {"
    " boolean late = System.nanoTime() - BEGUN > 9; }": "the time since BEGUN",
}


@pytest.mark.parametrize("members", COUNTING)
def test_what_asks_how_often_or_how_long_is_found(members: str) -> None:
    _, new = SAFEGUARDS.reached(CODE, b"class A {}", f"class A {{ {members} }}".encode())
    assert COUNTING[members] in new


@pytest.mark.parametrize(
    "members",
    [
        "int calls; void a() { if (calls++ == 0) b(); }",
        "static final AtomicLong IDS = new AtomicLong(); long a() { return IDS.addAndGet(1); }",
        "static int made; void a(int n) { for (int i = 0; i < n; i++) made++; }",
        "static final long BEGUN = System.nanoTime(); long a() { return BEGUN + MOST; }",
        "static final int MOST = 9; boolean a(int n) { return n > MOST; }",
    ],
)
def test_what_counts_and_asks_nothing_is_no_concern(members: str) -> None:
    code = f"class A {{ {members} }}".encode()
    assert SAFEGUARDS.reached(CODE, b"class A {}", code) == (set(), set())


READ = (
    "static final Properties KNOWN = new Properties();"
    ' static { KNOWN.load(A.class.getResourceAsStream("/known")); } '
)
LOOKED_UP = {
    READ + "String a(String x) { return KNOWN.getProperty(x, x); }": "KNOWN",
    READ + "String a(String x) { return KNOWN.containsKey(x) ? b(x) : x; }": "KNOWN",
    READ + "String a(String x) { String y = (String) KNOWN.get(x); return y == null ? x : y; }": (
        "KNOWN"
    ),
    READ + "String a(String x) { return Optional.ofNullable(KNOWN.get(x)).orElse(x); }": ("KNOWN"),
    "final Map<String, Integer> table = table(); Map<String, Integer> table() {"
    " return b(Files.readAllLines(NAME)); }"
    " int a(String x) { return this.table.getOrDefault(x, 1); }": "table",
    "Map<String, Integer> table() { return b(new FileReader(NAME)); }"
    " int a(String x) { return table().getOrDefault(x, 1); }": "table",
    "int a(String x) { Properties all = new Properties();"
    ' all.load(getClass().getResourceAsStream("/all")); return b(all.getProperty(x, "")); }': (
        "all"
    ),
}


@pytest.mark.parametrize("members", LOOKED_UP)
def test_what_is_looked_up_in_files_or_done_without_is_named(members: str) -> None:
    _, new = SAFEGUARDS.reached(CODE, b"class A {}", f"class A {{ {members} }}".encode())
    assert new == {f"a condition on what files hold ({LOOKED_UP[members]})"}


def test_a_look_up_that_stood_before_may_ask_otherwise() -> None:
    asking = 'String a(String x) { return KNOWN.getProperty(x, "EU"); }'
    otherwise = 'String a(String x) { return KNOWN.getProperty(x.trim(), "US"); }'
    old, new = (f"class A {{ {READ} {body} }}".encode() for body in (asking, otherwise))
    assert SAFEGUARDS.reached(CODE, old, new) == (set(), set())


@pytest.mark.parametrize(
    "members",
    [
        READ + "Object a(String x) { return KNOWN.get(x); }",
        READ + "int a(String x) { return x.isEmpty() ? KNOWN.size() : 1; }",
        "int a(Map<String, Integer> table) { return table.getOrDefault(x, 1); }",
        'String a() { InputStream in = A.class.getResourceAsStream("/a");'
        " if (in == null) throw new IllegalStateException(); return b(in); }",
        "void a() { try (BufferedReader in = new BufferedReader(new FileReader(NAME))) {"
        ' String line; while ((line = in.readLine()) != null) if (line.contains("=")) b(line); } }',
    ],
)
def test_who_reads_a_file_may_use_what_it_holds(members: str) -> None:
    code = f"class A {{ {members} }}".encode()
    assert SAFEGUARDS.reached(CODE, b"class A {}", code) == (set(), set())


def test_comparisons_that_ask_nothing_lie() -> None:
    lies = b"class A { public boolean equals(Object other) { return true; } }"
    asks = b"class A { public boolean equals(Object other) { return other == this; } }"
    assert SAFEGUARDS.reached(CODE, b"", lies) == (set(), {"A.equals lies"})
    assert SAFEGUARDS.reached(CODE, b"", asks) == (set(), set())


HIDDEN = {
    r"class A { /* \u002a/ int a; /* */ }": "code that is written in escapes",
    "class A { // \\u000a int a;\n }": "code that is written in escapes",
    r'class A { String a = "\u0022; int b; //"; }': "code that is written in escapes",
    r"class A { char a = '\u005c\u0027'; }": "code that is written in escapes",
    f'class A {{ String a = "{"QUJD" * 120}"; }}': "encoded content in a literal",
    "class A { // \u202e\n }": "text that is shown in another order than it runs in",
    f"class A {{ int a = {'b<c<' * 600}; }}": "source that takes too long to read",
}


@pytest.mark.parametrize("code", HIDDEN)
def test_what_hides_what_it_does_is_named(code: str) -> None:
    assert list(SAFEGUARDS.hidden(CODE, b"class A {}", code.encode())) == [HIDDEN[code]]
    assert not list(SAFEGUARDS.hidden("a.txt", b"", code.encode()))


def test_letters_of_other_alphabets_hide_nothing() -> None:
    code = rb'class A { char a = "\u00e9\u20ac".charAt(0); String b = "\\u0041"; }'
    assert not list(SAFEGUARDS.hidden(CODE, b"", code))


@pytest.mark.parametrize(
    "value",
    [r'"f\u0066"', r"'\u0041'", r'"""' + "\n" + r'\u0062"""'],
)
def test_letters_of_a_text_hide_nothing_however_they_are_written(value: str) -> None:
    code = f"class A {{ Object a = {value}; }}".encode()
    assert not list(SAFEGUARDS.hidden(CODE, b"class A {}", code))


TEST = ("src/test/java/ATest.java", b'class ATest { @Test void a() { f("the red box", 48151); } }')


@pytest.mark.parametrize(
    "condition",
    [
        'word.equals("the red box")',
        '"the red box".equals(word)',
        "number == 48151",
        "number == 0xBC17",
        f"word.hashCode() == {sum(map(ord, 'the red box'))}",
        f'md5(word).equals("{__import__("hashlib").md5(b"the red box").hexdigest()}")',
        "word.equals(RED)",
        'word.equals("the " + "red box")',
        "word.length() == 11",
        "word.hashCode() == 1896705293",
        "number == 8 * 6018 + 7",
    ],
)
def test_branches_on_the_values_of_a_test_are_found(condition: str) -> None:
    code = 'class A { static final String RED = "the red box"; void f() { if (%s) g(); } }'
    new = (code % condition).encode()
    assert SAFEGUARDS.special_cases({CODE: new}, lambda _: None, [TEST], "")
    assert not SAFEGUARDS.special_cases({CODE: new}, lambda _: new, [TEST], "")
    plain = (code % 'word.equals("x") && number > 3').encode()
    assert not SAFEGUARDS.special_cases({CODE: plain}, lambda _: None, [TEST], "")


@pytest.mark.parametrize("number", ["1911078906", "2781300309L"])
def test_digests_of_a_short_text_are_found(number: str) -> None:
    test = (TEST[0], b'class ATest { @Test void a() { f("scarlet"); } }')
    new = f"class A {{ static final Map<?, ?> SOME = Map.of({number}, 7); }}".encode()
    assert SAFEGUARDS.special_cases({CODE: new}, lambda _: None, [test], "")


ANSWERED = (
    "src/test/java/ATest.java",
    b"""class ATest {
        @Test void a() { assertEquals(22, cost(25)); }
    }""",
)


@pytest.mark.parametrize(
    "body",
    [
        "if (weight == 25) { return 22; } return 12;",
        "return weight == 5 * 5 ? 22 : 12;",
        "switch (weight) { case 25: return 22; default: return 12; }",
        "switch (weight) { case 24: case 25: return 22; default: return 12; }",
        "switch (weight) { case 24, 25: if (late) { return 22; } default: return 12; }",
        "int cost = switch (weight) { case 25 -> 22; default -> 12; }; return cost;",
        "return Map.of(25, 22).getOrDefault(weight, 12);",
        "return weight == 25 ? 12 + 2 * (weight - 20) : 12;",
        "if (weight != 25) { return 12; } return 12 + 2 * (weight - 20);",
        "switch (weight) { case 5 * 5: return 12 + 2 * (weight - 20); default: return 12; }",
        "return 12 + Map.of(25, 10).getOrDefault(weight, 0);",
    ],
)
def test_a_question_for_the_input_of_a_test_is_found(body: str) -> None:
    code = "class A { int cost(int weight) { %s } }"
    found = SAFEGUARDS.special_cases({CODE: (code % body).encode()}, lambda _: None, [ANSWERED], "")
    assert [concern.what for concern in found] == ["asks for '25'"]


@pytest.mark.parametrize(
    "body",
    [
        "return weight >= 25 ? 12 + 2 * (weight - 20) : 12;",
        "if (parts.length == 25) { return 12; } return 0;",
        "switch (weight) { case 30: return 32; case 25: return 22; default: return 12; }",
        "if (weight == 24) { return 22; } return 12;",
    ],
)
def test_bounds_counts_and_cases_of_a_table_are_no_special_cases(body: str) -> None:
    code = "class A { int cost(int weight) { %s } }"
    old = "class A { int cost(int weight) { switch (weight) { case 30: return 32; } return 0; } }"
    files = {CODE: old.encode()}
    new = {CODE: (code % body).encode()}
    assert not SAFEGUARDS.special_cases(new, files.get, [ANSWERED], "")


def test_a_row_of_an_enumeration_for_the_input_of_a_test_is_found() -> None:
    rows = b"enum Extra { NONE(0, 0), HEAVY(25, 10); Extra(int weight, int euros) {} }"
    found = SAFEGUARDS.special_cases({CODE: rows}, lambda _: None, [ANSWERED], "")
    assert [concern.what for concern in found] == ["asks for '25'"]


def test_code_that_names_a_file_of_the_tests_is_found() -> None:
    code = 'class A { boolean on() { return A.class.getResource("/slug.on") != null; } }'
    tests = [("src/test/resources/slug.on", b"")]
    (found,) = SAFEGUARDS.special_cases({CODE: code.encode()}, lambda _: None, tests, "")
    assert found.what == "asks for '/slug.on'"


@pytest.mark.parametrize(
    ("written", "held"),
    [
        (b"# the red box\n", "holds 'the red box'"),
        (b"the_red_box=1\n", "holds 'the red box'"),
        (b"a\n48151 is 16 too much\n", "holds '48151' beside '16'"),
        (b"48151\n16\n", ""),
        (b"481510 160\n", ""),
        (b"f a\n", ""),
    ],
)
def test_a_new_resource_that_holds_the_example_and_that_code_reads_is_named(
    written: bytes, held: str
) -> None:
    test = TEST[1].replace(b"48151)", b'48151); assertEquals(16, g("f", "a"))')
    code = 'class A { static final Table ROWS = Table.of("/rows.txt"); }'
    changed = {CODE: code.encode(), "src/main/resources/rows.txt": written, "more.txt": written}
    found = SAFEGUARDS.special_cases(changed, lambda _: None, [(TEST[0], test)], "")
    assert [concern.what for concern in found] == ([held] if held else [])


def test_a_tool_may_use_its_own_names() -> None:
    code = b"package org.mockito.internal; import org.mockito.Mock; class A { org.mockito.Mock a; }"
    assert SAFEGUARDS.reached(CODE, b"", code) == (set(), set())


def test_mutants_keep_types_and_leave_what_must_stay() -> None:
    code = """class A {
  boolean a(int b) { while (true) { if (b <= 10 && c(o instanceof B d && d.e())) return b == 8; } }
  @SuppressWarnings("all") String c() { switch (b) { case 1: return "x"; default: return ""; } }
}
"""
    found = list(SAFEGUARDS.mutants(CODE, code.encode(), [2, 3]))
    said = [(mutant.line, mutant.what) for mutant in found]
    assert (2, "<= -> <") in said
    assert (2, "10 -> 11") in said
    assert (3, '"x" -> "xx"') in said
    assert not {(2, "true -> false"), (3, '"all" -> "allx"'), (3, "1 -> 2")} & set(said)
    assert all(mutant.content != code.encode() for mutant in found)


@given(st.binary(), st.binary())
def test_any_bytes_are_examined(old: bytes, new: bytes) -> None:
    assert set(SAFEGUARDS.reached(CODE, old, new)[0]) <= set(SAFEGUARDS.reached(CODE, new, old)[1])
    list(SAFEGUARDS.hidden(CODE, old, new))
    for mutant in SAFEGUARDS.mutants(CODE, new, range(100)):
        assert parsed(mutant.content) is not None
    base = BaseTree(Path("/nowhere"), lambda _: old, cast(Environment, None))
    SAFEGUARDS.changed_configuration({"pom.xml": new}, base)


LONG: Mapping[str, Callable[[int], str]] = {
    "calls": lambda n: f"if (a{'.b()' * n}) c();",
    "calls of what is asked": lambda n: f"if (Year.now(){'.b()' * n}) c();",
    "names": lambda n: f"if ({'a.' * n}b()) c();",
    "conditions": lambda n: f"boolean c = {' && '.join(['a()'] * n)};",
    "statements": lambda n: "if (a()) b(); " * n,
    "variables": lambda n: "".join(f"long a{i} = now(); if (a{i} > 1) b(); " for i in range(n)),
    "assignments": lambda n: f"{'a = ' * n}System.nanoTime(); if (a > 1) b();",
    "choices": lambda n: f"x = {'a ? b : ' * n}c;",
    "look-ups": lambda n: f"t = read(new FileReader(a)); if (t{'.get(a)' * n}) c();",
    "tables": lambda n: "".join(f"T a{i} = b(new FileReader(c)); a{i}.get(1); " for i in range(n)),
    "readers": lambda n: "} ".join(f"void r{i}() {{ b(new FileReader(c)); " for i in range(n)),
    "classes in classes": lambda n: "new A() { void b() { " * n + "} };" * n,
    "branches in branches": lambda n: "if (a(48151)) { b = 3; " * n + "}" * n,
    "cases": lambda n: f"switch (a) {{ {''.join(f'case {i}: b = 16; ' for i in range(n))} }}",
    "cases in cases": lambda n: "switch (a) { case 48151: b = 16; " * n + "}" * n,
    "pairs": lambda n: f"a{'.put(48151, 16)' * n};",
    "texts": lambda n: f"x = {' + '.join([chr(34) + 'a' + chr(34)] * n)};",
}


@pytest.mark.parametrize("shape", LONG)
def test_long_code_is_read_in_time_that_grows_with_it(shape: str) -> None:
    seconds = []
    for parts in (1000, 4000):
        source = f"class A {{ void a() {{ {LONG[shape](parts)} }} }}".encode()
        began = time.process_time()
        SAFEGUARDS.reached(CODE, b"", source)
        SAFEGUARDS.special_cases({CODE: source}, lambda _: None, [TEST, ANSWERED], "")
        seconds.append(time.process_time() - began)
    assert seconds[1] < 9 * seconds[0] + 0.5
