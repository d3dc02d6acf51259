"""Tests are compiled, run and scored in their repository, whatever some of them do."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bot.cli import main
from tests.languages.java.repository import POM, Repository

pytestmark = [
    *(pytest.mark.java, pytest.mark.maven_central, pytest.mark.bubblewrap),
    pytest.mark.timeout(1800),
]

WORDS = """\
package words;

public final class Words {
    public static int count(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        return text.split(" ").length;
    }

    public static String title(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    public static String longest(String first, String second) {
        return count(first) < count(second) ? second : first;
    }
}
"""
WORDS_TEST = """\
package words;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    private static int runs;
    private final String text = "a b";

    @Test
    void testCount() {
        assertEquals(2, Words.count(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void testTitle(String word) {
        assertEquals(word.toUpperCase(), Words.title(word));
    }

    @Test
    void testLongest() {
        assertEquals(text, Words.longest("a", text));
    }
}
"""
LEGACY_TEST = """\
package words;

import junit.framework.TestCase;

public class BoxTest extends TestCase {
    public void testSize() {
        assertEquals(2, new Box("a b").size());
    }
}
"""
BOX = """\
package words;

public class Box {
    private final String text;

    public Box(String text) {
        this.text = text;
    }

    public int size() {
        return Words.count(text);
    }
}
"""
DEPENDENCIES = """\
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-params</artifactId>
      <version>5.14.1</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>org.jacoco</groupId>
      <artifactId>org.jacoco.agent</artifactId>
      <version>0.8.4</version>
      <classifier>runtime</classifier>
    </dependency>
  </dependencies>"""
LEVEL = """\
    <maven.compiler.source>8</maven.compiler.source>
    <maven.compiler.target>8</maven.compiler.target>
"""
FILES = {
    "pom.xml": POM.replace("  </dependencies>", DEPENDENCIES).replace(
        "    <maven.compiler.source>8</maven.compiler.source>\n", LEVEL
    ),
    "src/main/java/words/Words.java": WORDS,
    "src/main/java/words/Box.java": BOX,
    "src/test/java/words/WordsTest.java": WORDS_TEST,
    "src/test/java/words/BoxTest.java": LEGACY_TEST,
}
COUNT = "o/words:src/main/java/words/Words.java:words.Words.count(String)"
TITLE = "o/words:src/main/java/words/Words.java:words.Words.title(String)"
LONGEST = "o/words:src/main/java/words/Words.java:words.Words.longest(String,String)"
SIZE = "o/words:src/main/java/words/Box.java:words.Box.size()"


def test_of(body: str, marks: str = "@Test") -> str:
    return f"{marks}\npublic void testSample() throws Exception {{\n    {body}\n}}"


test_of.__test__ = False  # type: ignore[attr-defined]

CALLS = "assertEquals(2, Words.count(text));"
REPLIES: Mapping[str, tuple[str, str, str]] = {
    "calling": (test_of(CALLS), "correct", ""),
    "the same": (test_of(f"/* again */ {CALLS}"), "duplicate", "the same as in reply 0"),
    "disabled": (test_of(CALLS + " text.length();", "@Disabled @Test"), "correct", ""),
    "accented": (test_of('assertEquals(1, Words.count("é\u2028😀"));'), "correct", ""),
    "cut": (test_of(CALLS + " text.trim();")[:-2] + " assertEq", "correct", ""),
    "no Java": ("I am sorry.", "unparsable", "text, not code"),
    "10 MB": ("x" * 10_000_000, "unparsable", "the reply is longer than"),
    "unknown": (test_of("Words.none();"), "parsable", "line 3: cannot find symbol"),
    "nested": (
        test_of("none(() -> { " * 40 + "}); " * 40),
        *("parsable", "more than 12 lambdas within each other"),
    ),
    "unreported": (test_of("int a = ;"), "unparsable", "no method even after repair"),
    "unchecked": (
        test_of("throw new Exception();").replace(" throws Exception", ""),
        *("parsable", "line 3: unreported exception"),
    ),
    "wrong": (
        test_of("assertEquals(3, Words.count(text));"),
        "compilable",
        "failed: org.opentest4j",
    ),
    "elsewhere": (test_of('Words.title("a");'), "executable", "it does not call the method"),
    "leaving": (test_of("System.exit(0);"), "compilable", "crashed: the run ended"),
    "halting": (test_of("Runtime.getRuntime().halt(0);"), "compilable", "crashed: the run ended"),
    "endless": (test_of("while (true) { }"), "compilable", "timeout: the test took longer than 10"),
    "unmarked": (test_of(CALLS, "//"), "compilable", "the framework did not run it"),
    "writing": (
        test_of(
            "for (java.nio.file.Path each : java.nio.file.Files.walk("
            'java.nio.file.Paths.get("src"))'
            '.toArray(java.nio.file.Path[]::new)) { if (each.toString().endsWith(".java"))'
            " java.nio.file.Files.write(each, new byte[0]); }"
        ),
        *("executable", "it does not call the method"),
    ),
    "last": (test_of(f"{CALLS} runs++;"), "correct", ""),
}

Evaluate = Callable[..., Result]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    repository = Repository(tmp_path_factory.mktemp("repositories") / "o" / "words")
    repository.replace_sources(FILES)
    return repository


@pytest.fixture(scope="module")
def dataset(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dataset") / "dataset.json"
    template = str(repository.path.parent.parent / "{owner}" / "{name}")
    arguments = ["tests4j", "map", f"o/words@{repository.base}", "--repos", template]
    done = CliRunner().invoke(main, [*arguments, "--out", str(place)])
    assert done.exit_code == 0, done.output
    return place


@pytest.fixture(scope="module")
def evaluate(repository: Repository, java_cache: Path) -> Evaluate:
    template = str(repository.path.parent.parent / "{owner}" / "{name}")

    def run(dataset: Path, predictions: str, out: Path, *more: str) -> Result:
        command = ["tests4j", "evaluate", str(dataset), "--predictions", predictions]
        places = ["--repos", template, "--out", str(out), "--cache", str(java_cache)]
        return CliRunner().invoke(main, [*command, *places, "--sandbox", "bubblewrap", *more])

    return run


@pytest.fixture(scope="module")
def truth(dataset: Path, evaluate: Evaluate, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("truth")
    done = evaluate(dataset, "truth", out, "--reruns", "1", "--mutants")
    assert done.exit_code == 0, done.output
    return out


@pytest.fixture(scope="module")
def replies(dataset: Path, evaluate: Evaluate, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("replies")
    texts = [reply for reply, _, _ in REPLIES.values()]
    done = evaluate(dataset, written(out / "replies.jsonl", {COUNT: texts}), out)
    assert done.exit_code == 0, done.output
    return out


def written(path: Path, replies: Mapping[str, Sequence[str]]) -> str:
    rows = [{"method": m, "model": "scripted", "replies": each} for m, each in replies.items()]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def read(out: Path) -> Any:
    return json.loads((out / "tests4j.json").read_bytes())


def test_human_tests_are_correct_and_cover_what_they_call(truth: Path) -> None:
    """The repository has another version of JaCoCo's agent on its class path."""
    found = read(truth)
    assert {(test["name"], test["fate"], test["flaky"]) for test in found["tests"]} == {
        (name, "correct", False) for name in ("testCount", "testTitle", "testLongest", "testSize")
    }
    covered = {row["method"]: (row["lines"], row["branches"]) for row in found["methods"]}
    assert covered[COUNT] == ([2, 3], [1, 2])
    assert covered[TITLE] == ([1, 1], [0, 0])
    assert covered[SIZE] == ([1, 1], [0, 0])


def test_the_figures_are_those_of_the_methods(truth: Path) -> None:
    total = read(truth)["total"]
    assert (total["methods"], total["unique"], total["correct"]) == (4, 4, 1)
    assert total["milc"] == pytest.approx(5 / 6)
    assert total["malc"] == pytest.approx((2 / 3 + 3) / 4)
    assert total["mibc"] == pytest.approx(2 / 4)
    assert total["bleu"] == pytest.approx(1)


def test_the_mutation_score_counts_what_assertions_notice(truth: Path) -> None:
    """Of `longest`, `<=` in the place of `<` survives: no test has two texts of one length."""
    found = read(truth)
    mutants = {row["method"]: (row["mutants_killed"], row["mutants"]) for row in found["methods"]}
    assert (mutants[COUNT], mutants[TITLE], mutants[SIZE]) == ((2, 2), (1, 1), (1, 1))
    assert mutants[LONGEST] == (2, 3)
    (longest,) = (row["each_mutant"] for row in found["methods"] if row["method"] == LONGEST)
    line = 1 + WORDS.splitlines().index(
        "        return count(first) < count(second) ? second : first;"
    )
    assert [(each["line"], each["operator"], each["killed"]) for each in longest] == [
        (line, "NEGATE_CONDITIONALS", True),
        (line, "CONDITIONALS_BOUNDARY", False),
        (line, "EMPTY_RETURNS", True),
    ]
    page = (truth / "report.html").read_text(encoding="utf-8")
    assert f"mutants that survive: line {line} (CONDITIONALS_BOUNDARY)" in page
    assert found["total"]["mutation_score"] == pytest.approx(6 / 7)


@pytest.mark.parametrize("kind", REPLIES)
def test_each_reply_has_its_fate_and_reason(replies: Path, kind: str) -> None:
    tests = {test["reply"]: test for test in read(replies)["tests"]}
    _, fate, reason = REPLIES[kind]
    test = tests[[*REPLIES].index(kind)]
    assert (test["fate"], test["reason"][: len(reason)]) == (fate, reason)


def test_what_does_not_run_is_not_explained_by_another_test_that_fails(replies: Path) -> None:
    (unmarked,) = (t for t in read(replies)["tests"] if t["reply"] == [*REPLIES].index("unmarked"))
    assert unmarked["reason"] == "the framework did not run it"


def test_rates_are_fractions_of_unique_tests(replies: Path) -> None:
    figures = read(replies)["repositories"]["o/words"]
    fates = [fate for _, fate, _ in REPLIES.values() if fate != "duplicate"]
    assert figures["unique"] == len(fates)
    assert figures["correct"] == pytest.approx(fates.count("correct") / len(fates))
    assert figures["parsable"] == pytest.approx(1 - fates.count("unparsable") / len(fates))


def test_methods_without_predictions_are_not_covered(replies: Path) -> None:
    covered = {row["method"]: row["lines"] for row in read(replies)["methods"]}
    assert covered[SIZE] == [0, 1]


def test_an_evaluation_goes_on_from_what_is_there(
    dataset: Path, evaluate: Evaluate, truth: Path
) -> None:
    before = read(truth)
    (removed, *_) = sorted((truth / "methods" / "o+words").iterdir())
    removed.unlink()
    done = evaluate(dataset, "truth", truth, "--reruns", "1", "--mutants", "--workers", "2")
    assert done.exit_code == 0, done.output
    assert without_seconds(read(truth)) == without_seconds(before)


def without_seconds(document: Any) -> Any:
    for test in document["tests"]:
        del test["seconds"]
    return document


def test_the_page_shows_each_test_and_runs_no_script(replies: Path) -> None:
    page = (replies / "report.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    assert "cannot find symbol" in page
    assert "<script" not in page


def test_without_inserted_tests_nothing_runs(
    dataset: Path, evaluate: Evaluate, tmp_path: Path
) -> None:
    predictions = written(tmp_path / "none.jsonl", {COUNT: []})
    done = evaluate(dataset, predictions, tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = read(tmp_path / "out")
    assert found["tests"] == []
    assert {row["lines_by_all"][0] for row in found["methods"]} == {0}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"method": "o/words:none", "model": "m", "replies": []}', "has no method 'o/words:none'"),
        ('{"method": 1, "model": "m", "replies": []}', "line 1: method:"),
        ("[]", "line 1: the line:"),
        ("{", "line 1: the line: Invalid JSON"),
    ],
)
def test_unusable_predictions_are_named_with_their_line(
    dataset: Path, evaluate: Evaluate, tmp_path: Path, row: str, message: str
) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(f"{row}\n")
    done = evaluate(dataset, str(path), tmp_path / "out")
    assert done.exit_code == 2
    assert message in " ".join(done.output.split())


def test_a_commit_that_is_nowhere_is_reported_for_its_repository(
    dataset: Path, evaluate: Evaluate, tmp_path: Path
) -> None:
    wrong = json.loads(dataset.read_bytes())
    wrong["repositories"][0]["commit"] = "0" * 40
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong))
    done = evaluate(path, "truth", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "nowhere to be found" in read(tmp_path / "out")["failures"]["o/words"]


def test_a_repository_without_predictions_is_named_and_not_laid_down(
    dataset: Path, evaluate: Evaluate, tmp_path: Path
) -> None:
    both = json.loads(dataset.read_bytes())
    other = json.loads(json.dumps(both["repositories"][0]).replace("o/words", "o/nowhere"))
    both["repositories"].append(other)
    path = tmp_path / "both.json"
    path.write_text(json.dumps(both))
    predictions = written(tmp_path / "replies.jsonl", {COUNT: [test_of(CALLS)]})
    done = evaluate(path, predictions, tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = read(tmp_path / "out")
    assert found["failures"] == {"o/nowhere": "there are no predictions for its methods"}
    assert [*found["repositories"]] == ["o/words"]


def test_a_method_whose_test_class_is_missing_harms_no_other(
    dataset: Path, evaluate: Evaluate, tmp_path: Path
) -> None:
    wrong = json.loads(dataset.read_bytes())
    (size,) = (each for each in wrong["repositories"][0]["methods"] if each["id"] == SIZE)
    size["test_path"] = "src/test/java/words/NoTest.java"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong))
    done = evaluate(path, "truth", tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = read(tmp_path / "out")
    assert "has no file src/test/java/words/NoTest.java" in found["failures"]["o/words"]
    assert {test["fate"] for test in found["tests"]} == {"correct"}


def test_a_dataset_of_another_form_is_refused(evaluate: Evaluate, tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text('{"schema_version": 1}')
    done = evaluate(path, "truth", tmp_path / "out")
    assert done.exit_code == 2
    assert "repositories" in done.output


def test_maven_comes_to_the_same(dataset: Path, evaluate: Evaluate, tmp_path: Path) -> None:
    """But for what is not in its reports: which tests cover a method."""
    wrong = test_of("assertEquals(3, Words.count(text));")
    replies = {COUNT: [test_of(CALLS), wrong, test_of("Words.none();"), test_of("text.trim();")]}
    predictions = written(tmp_path / "replies.jsonl", replies)
    done = evaluate(dataset, predictions, tmp_path / "out", "--build", "maven")
    assert done.exit_code == 0, done.output
    found = read(tmp_path / "out")
    assert found["failures"] == {}
    assert [(test["fate"], test["reason"][:20]) for test in found["tests"]] == [
        ("correct", ""),
        ("compilable", "failed: org.opentest"),
        ("parsable", "line 3: cannot find "),
        ("executable", "it does not call the"),
    ]
    covered = {row["method"]: (row["lines"], row["branches"]) for row in found["methods"]}
    assert covered[COUNT] == ([2, 3], [1, 2])
    assert covered[TITLE] == ([0, 1], [0, 0])


def test_what_maven_cannot_build_is_named_by_its_first_error(
    evaluate: Evaluate, repository: Repository, tmp_path: Path
) -> None:
    broken = Repository(repository.path.parent / "broken")
    broken.replace_sources({**FILES, "src/main/java/words/Box.java": f"{BOX}}}"})
    template = str(repository.path.parent.parent / "{owner}" / "{name}")
    dataset = tmp_path / "dataset.json"
    arguments = ["tests4j", "map", f"o/broken@{broken.base}", "--repos", template]
    assert CliRunner().invoke(main, [*arguments, "--out", str(dataset)]).exit_code == 0
    evaluate(dataset, "truth", tmp_path / "out", "--build", "maven")
    (reason,) = read(tmp_path / "out")["failures"].values()
    place = "src/main/java/words/Box.java:[14,1] class, interface"
    assert reason.startswith(f"Maven does not build it: {place}")


def test_maven_knows_neither_reruns_nor_mutants(
    dataset: Path, evaluate: Evaluate, tmp_path: Path
) -> None:
    done = evaluate(dataset, "truth", tmp_path / "out", "--build", "maven", "--reruns", "1")
    assert done.exit_code == 2
    assert "need --build direct" in done.output
