"""What models are shown of a method, and what is removed where it is too much."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import InputError
from evaluator.languages.java.syntax import parsed
from generator.unit_tests.prompts import ContextChoice, Prompt, PromptBudget, by_characters, prompt
from generator.unit_tests.run_names import (
    PromptGenerator,
    RunName,
    SoftContext,
    Training,
    read_run_name,
)
from generator.unit_tests.trimming import Fits, Surroundings, fitting_end, steps

from .examples import ADDS, FOCAL, FOCAL_CLASSES, TEST_CLASSES, TESTS, method

EVERYTHING = by_characters(100_000).fits


def most(characters: int) -> Fits:
    return PromptBudget(characters, len, "characters").fits


FIGURE = """public class Money {
    public static final Money NOTHING = new Money(0);

    public Money(long cents) {}

    public long cents() {}

    public Money plus(Money other) {
        if (other == null) {
            return this;
        }
        return new Money(cents + other.cents);
    }
}

import static org.junit.Assert.assertEquals;

import org.junit.Before;
import org.junit.Test;

public class MoneyTest {
    private Money one;

    @Before
    public void setUp() {
        one = new Money(1);
    }

    private static Money of(long cents) {}

    @Test
    public void adds() {
        assertEquals(3, one.plus(of(2)).cents());
    }
}
"""


def is_java(code: str) -> bool:
    root = parsed(code.encode())
    return root is not None and not root.has_error


def texts(choice: ContextChoice, **given: str) -> Prompt:
    return prompt(method(**given), choice, EVERYTHING)


def test_the_method_stands_in_its_class_and_the_test_in_its_own() -> None:
    """Figure 5.1 in shape."""
    made = texts(ContextChoice.ALL)
    assert made.completed(ADDS) == FIGURE
    assert FIGURE.startswith(made.code)


@pytest.mark.parametrize(
    ("choice", "focal", "test"),
    [
        (ContextChoice.ALL, True, True),
        (ContextChoice.TEST_CLASS, False, True),
        (ContextChoice.FOCAL_CLASS, True, False),
        (ContextChoice.NONE, False, False),
    ],
)
def test_each_choice_shows_its_classes(choice: ContextChoice, *, focal: bool, test: bool) -> None:
    code = texts(choice).code
    assert "return new Money(cents + other.cents);" in code
    assert ("public long cents()" in code, "class MoneyTest" in code) == (focal, test)


def test_a_method_of_an_inner_class_is_shown_there() -> None:
    outer = "public class Bank {\n    int a;\n    static class Money {\n        int b;\n    }\n}\n"
    shown = texts(ContextChoice.FOCAL_CLASS, focal_class="acme.Bank$Money", focal_context=outer)
    assert (
        "        int b;\n\n        public Money plus(Money other) {\n            if" in shown.code
    )
    assert shown.code.endswith("        }\n    }\n}\n\n")
    assert is_java(shown.code)


def test_overloads_stay() -> None:
    other = FOCAL.replace("public long cents()", "public Money plus(long cents)")
    shown = texts(ContextChoice.FOCAL_CLASS, focal_context=other)
    assert shown.code.count(" plus(") == 2


def test_members_are_removed_in_the_order_of_the_thesis() -> None:
    found = [step.focal + step.test for step in steps(Surroundings(FOCAL, TESTS))]
    left = ["NOTHING", "long cents() {}", "setUp", "import", "private Money one"]
    for number, step in enumerate(found):
        assert [word in step for word in left] == [each >= number for each in range(len(left))]
    assert all("public Money(long cents) {}" in step for step in found)
    assert "class MoneyTest" in found[-1]


def test_what_is_still_too_long_is_cut_at_its_beginning() -> None:
    made = prompt(method(), ContextChoice.ALL, most(60))
    assert made.cut
    assert made.code.endswith("public class MoneyTest {\n")
    assert len(made.code) == 60
    assert not texts(ContextChoice.ALL).cut


@given(focal=FOCAL_CLASSES, test=TEST_CLASSES, choice=st.sampled_from(ContextChoice))
def test_prompts_are_java_at_each_step(focal: str, test: str, choice: ContextChoice) -> None:
    assert is_java(focal)
    assert is_java(test)
    for step in steps(Surroundings(focal, test)):
        given = method(focal_context=step.focal, test_context=step.test)
        made = prompt(given, choice, EVERYTHING)
        assert is_java(made.completed(ADDS))
        assert "public Money(int it) {}" in step.focal
        assert made.code.count("Money plus(Money other)") == 1


@given(
    focal=FOCAL_CLASSES,
    test=TEST_CLASSES,
    choice=st.sampled_from(ContextChoice),
    budget=st.integers(0, 400),
)
def test_a_budget_is_kept(focal: str, test: str, choice: ContextChoice, budget: int) -> None:
    given = method(focal_context=focal, test_context=test)
    whole = prompt(given, choice, EVERYTHING)
    made = prompt(given, choice, most(budget))
    assert len(made.code) <= budget
    if len(whole.code) <= budget:
        assert made == whole
    if not made.cut:
        assert is_java(made.completed(ADDS))


@given(text=st.text(max_size=60), most=st.integers(0, 70))
def test_the_longest_end_is_kept(text: str, most: int) -> None:
    assert fitting_end(text, lambda end: len(end) <= most) == text[max(len(text) - most, 0) :]


RUNS = st.builds(
    RunName,
    st.sampled_from(Training),
    st.sampled_from(ContextChoice),
    st.none()
    | st.builds(
        SoftContext,
        st.sampled_from(PromptGenerator),
        st.sampled_from(ContextChoice),
        st.integers(1, 999),
    ),
)


@given(run=RUNS)
def test_names_of_runs_are_read_as_they_are_written(run: RunName) -> None:
    assert read_run_name(str(run)) == run


def test_names_of_the_thesis_are_read() -> None:
    soft = SoftContext(PromptGenerator.BERT_CHUNKED, ContextChoice.TEST_CLASS, 30)
    expected = RunName(Training.PREFIX_TUNED, ContextChoice.NONE, soft)
    assert read_run_name("PT-Hard-None-BERT_C-TCl-30") == expected
    for wrong in ("", "XX-Hard-All", "ZS-Soft-All", "PT-Hard-None-BERT-TCl", "ZS-Hard-all"):
        with pytest.raises(InputError, match="no name of a run"):
            read_run_name(wrong)
