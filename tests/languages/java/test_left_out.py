"""What does not compile of a test file is left out by method, so that the others can run."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.environment.types import Environment
from evaluator.languages.java.environment.types import JavaEnvironment
from evaluator.model import Phase, Run, Status
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from evaluator.verdict import Decision
from tests.languages.java.building import build
from tests.languages.java.judging import judged
from tests.languages.java.repository import BROKEN, CODE, FIXED, NEW_TESTS, POM, Repository, lay

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(900),
]

PLACE = "src/test/java/words"
HEAD = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
IMPORTS
class NAME {
"""
CAT = '    @Test void cat() { assertEquals("cats", Plural.of("cat")); }\n'
BOX = '    @Test void box() { assertEquals("boxes", Plural.of("box")); }\n'


def source(name: str, body: str, imports: str = "") -> str:
    return HEAD.replace("NAME", name).replace("IMPORTS", imports) + CAT + BOX + body + "}\n"


FILES = {
    "Called": """
    @Test void many() {
        String quoted = "\\u00e9 \\"é\\" \\\\";
        assertEquals("cats",
            Plural.many("cat"));
    }
    @Test void after() { throw new IllegalStateException("after"); }
""",
    "Helped": """
    @Test void helped() { assertEquals("cats", help()); }
    @Test void caught() { try { help(); } catch (Throwable any) { fail("it failed"); } }
    @Test void swallowed() { assertThrows(Throwable.class, () -> help()); }
    @Test void elsewhere() throws Exception {
        Thread other = new Thread(() -> help());
        other.setUncaughtExceptionHandler((thread, error) -> {});
        other.start();
        other.join();
    }
    private static String help() { return Plural.many("cat"); }
""",
    "Prepared": """
    @BeforeEach void prepare() { Plural.many("cat"); }
""",
    "Inside": """
    @Nested class Inner {
        @Test void many() { Plural.many("cat"); }
        @Test void cat() { assertEquals("cats", Plural.of("cat")); }
    }
    @Test void anonymous() {
        new Object() { void call() { Plural.many("cat"); } }.toString();
    }
    @ParameterizedTest @ValueSource(strings = {"cat", "dog"})
    void each(String word) { assertEquals(word + "s", Plural.many(word)); }
""",
    "Checked": """
    @Test void unreported() { throw new Exception("not declared"); }
    @Test void later() { Plural.many("cat"); }
""",
    "Field": """
    private final Object made = Plural.many("cat");
""",
    "Signature": """
    private Plurals plurals() { return null; }
""",
    "Constructor": """
    Constructor() { Plural.many("cat"); }
""",
    "Provided": """
    static Stream<String> words() { return Stream.of(Plural.many("cat")); }
    @ParameterizedTest @MethodSource("words") void word(String word) {}
""",
    "Before": """
    @BeforeAll static void prepare() { Plural.many("cat"); }
""",
    "Made": """
    @TestFactory Stream<DynamicTest> all() { Plural.many("cat"); return Stream.empty(); }
""",
    "Unclosed": """
    @Test void unclosed() { if (true) { }
""",
}
IMPORTING = {
    # Without the import alone, the name would be that of java.util.
    "Imported": (
        "import words.other.Optional;",
        '    @Test void optional() { assertEquals("x", Optional.of("x").get()); }\n',
    ),
    "Static": (
        "import static words.Plural.none;",
        "    @Test void none() { assertEquals(0, none()); }\n",
    ),
    "ImportedField": ("import words.other.Optional;", "    Optional<String> found;\n"),
    "Wildcard": ("import words.other.*;", "    @Test void other() { new Other(); }\n"),
}
LEFT_OUT = (Status.ERROR, Phase.COLLECTION)
PASSED, FAILED = (Status.PASSED, None), (Status.FAILED, Phase.CALL)


def path(name: str) -> str:
    return f"{PLACE}/{name}.java"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, java_cache: Path) -> Environment:
    """Built once for the code without tests."""
    tree = tmp_path_factory.mktemp("left-out") / "words"
    jupiter = "<artifactId>junit-jupiter-engine</artifactId>"
    lay(tree, {CODE: BROKEN, "pom.xml": POM.replace(jupiter, jupiter.replace("-engine", ""))})
    return build(tree, java_cache)


def run(environment: Environment, tree: Path, files: Mapping[str, str], code: str = BROKEN) -> Run:
    lay(tree, {CODE: code, **files})
    return run_tests(choose_sandbox("bubblewrap"), RunRequest(tree, environment, tuple(files)))


@pytest.fixture(scope="module")
def ended(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Run:
    files = {path(name): source(name, body) for name, body in FILES.items()}
    files |= {path(n): source(n, body, imports) for n, (imports, body) in IMPORTING.items()}
    return run(environment, tmp_path_factory.mktemp("run"), files)


def line_of(name: str, words: str) -> int:
    text = source(name, FILES[name])
    return text[: text.index(words)].count("\n") + 1


def ends(run: Run, name: str) -> Mapping[str, tuple[Status, Phase | None]]:
    """How each test of a file ended, by its method."""
    own = (each for each in run.outcomes.values() if each.file == path(name))
    return {each.test.rpartition("::")[2]: (each.status, each.phase) for each in own}


def test_the_other_tests_of_the_file_run(ended: Run) -> None:
    found = ends(ended, "Called")
    assert found == {"cat": PASSED, "box": FAILED, "many": LEFT_OUT, "after": FAILED}


def test_it_says_what_the_compiler_said(ended: Run) -> None:
    failure = ended.outcomes[f"{path('Called')}::Called::many"].failure
    assert failure is not None
    assert failure.exception_type == "CompilationError"
    assert failure.message.startswith(
        f"{path('Called')}:{line_of('Called', 'Plural.many')}: cannot find symbol"
    )
    assert "symbol:   method many(" in failure.message


def test_lines_behind_it_keep_their_numbers(ended: Run) -> None:
    failure = ended.outcomes[f"{path('Called')}::Called::after"].failure
    assert failure is not None
    assert failure.frame is not None
    assert failure.frame.line == line_of("Called", "void after")


def test_a_test_that_comes_to_such_a_method_says_nothing_whatever_it_does(ended: Run) -> None:
    found = ends(ended, "Helped")
    left = dict.fromkeys(("helped", "caught", "swallowed", "elsewhere"), LEFT_OUT)
    assert found == {"cat": PASSED, "box": FAILED, **left}


ENDLESS = """
    @Test void endless() {
        while (true) { try { Plural.many("cat"); } catch (Throwable any) { } }
    }
"""


def test_a_test_that_never_ends_for_such_a_method_says_nothing_either(
    environment: Environment, tmp_path: Path
) -> None:
    assert isinstance(environment, JavaEnvironment)
    limited = dataclasses.replace(environment, options=("-Dfixgate.seconds=3",))
    ended = run(limited, tmp_path, {path("Endless"): source("Endless", ENDLESS)})
    assert ends(ended, "Endless")["endless"] == LEFT_OUT


def test_what_runs_before_each_test_is_a_part_of_it(ended: Run) -> None:
    assert ends(ended, "Prepared") == {"cat": LEFT_OUT, "box": LEFT_OUT}


def test_methods_of_other_classes_and_with_parameters(ended: Run) -> None:
    left = dict.fromkeys(("many", "anonymous", "each[1]", "each[2]"), LEFT_OUT)
    assert ends(ended, "Inside") == {"cat": PASSED, "box": FAILED, **left}
    assert ended.outcomes[f"{path('Inside')}::Inside.Inner::cat"].status is Status.PASSED


def test_errors_that_the_compiler_finds_later_are_left_out_too(ended: Run) -> None:
    left = dict.fromkeys(("unreported", "later"), LEFT_OUT)
    assert ends(ended, "Checked") == {"cat": PASSED, "box": FAILED, **left}


@pytest.mark.parametrize("name", ["Imported", "Static"])
def test_an_import_goes_with_all_that_names_it(ended: Run, name: str) -> None:
    method = {"Imported": "optional", "Static": "none"}[name]
    assert ends(ended, name) == {"cat": PASSED, "box": FAILED, method: LEFT_OUT}


@pytest.mark.parametrize(
    "name",
    [
        *("Field", "Signature", "Constructor", "Provided", "Before", "Made", "Unclosed"),
        *("ImportedField", "Wildcard"),
    ],
)
def test_the_whole_file_is_left_out_for_an_error_elsewhere(ended: Run, name: str) -> None:
    assert ends(ended, name) == {path(name): LEFT_OUT}


def test_what_did_not_compile_on_the_base_does_with_the_change(
    tmp_path: Path, java_cache: Path
) -> None:
    test = {path("Later"): NEW_NAME.replace("BoxTest", "Later")}
    lay(tmp_path / "tree", {CODE: BROKEN, "pom.xml": POM, **test})
    environment = build(tmp_path / "tree", java_cache)
    added = BROKEN.replace("public static", 'static String many() { return ""; } public static', 1)
    before = run(environment, tmp_path / "before", test)
    after = run(environment, tmp_path / "after", test, added)
    assert ends(before, "Later") == {"box": FAILED, "many": LEFT_OUT}
    assert ends(after, "Later") == {"box": FAILED, "many": PASSED}


def test_what_the_compiler_said_of_the_base_is_said_in_every_run(
    tmp_path: Path, java_cache: Path
) -> None:
    test = {path("Signature"): source("Signature", FILES["Signature"])}
    lay(tmp_path / "tree", {CODE: BROKEN, "pom.xml": POM, **test})
    found = run(build(tmp_path / "tree", java_cache), tmp_path / "run", test)
    failure = found.outcomes[path("Signature")].failure
    assert failure is not None
    assert failure.exception_type == "CompilationError"
    assert failure.message.startswith(f"{path('Signature')}:")


NEW_NAME = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class BoxTest {
    @Test
    void box() {
        assertEquals("boxes", Plural.of("box"));
    }

    @Test
    void many() {
        assertEquals("", Plural.many());
    }
}
"""


@pytest.mark.parametrize(
    ("code", "decision", "rule"),
    [(FIXED, Decision.ACCEPT, ""), (BROKEN, Decision.ABSTAIN, "wrong_reason")],
)
def test_a_change_is_judged_by_the_tests_that_need_no_new_name(
    tmp_path: Path, java_cache: Path, code: str, decision: Decision, rule: str
) -> None:
    repository = Repository(tmp_path / "words")
    many = code.replace("public static", 'static String many() { return ""; }\n    public static')
    box = NEW_NAME if code == FIXED else NEW_NAME.replace('"boxes"', '"boxs"')
    head = repository.change({CODE: many, NEW_TESTS: box})
    found = judged(repository, head, java_cache)
    assert found.decision is decision, found.findings
    assert {*filter(None, [rule])} <= {each.rule for each in found.findings}
