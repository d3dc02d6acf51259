"""BLEU and crystalBLEU of generated tests."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from evaluator.benchmarks.tests4j.similarity import (
    Similarity,
    ngrams,
    similarity,
    tokens,
    trivially_shared,
)

WORDS = st.lists(st.sampled_from(["a", "b", "c", "(", ")", ";", "get", "1"]), max_size=30)
CODE = st.one_of(st.text(max_size=80), WORDS.map(" ".join))
SOME_CODE = CODE.filter(tokens)
TESTS = st.lists(SOME_CODE, min_size=1, max_size=4)

HUMAN = '@Test void adds() { Money sum = new Money(1).plus(new Money(2)); assertEquals("3", sum); }'
OTHER = '@Test void parses() { Date day = Dates.parse("2020-01-01"); assertTrue(day.isPast()); }'


def test_tokens_are_words_and_single_characters() -> None:
    assert tokens('assertEquals("a b", x_1++); // sum') == (
        *("assertEquals", "(", '"', "a", "b", '"', ",", "x_1", "+", "+", ")", ";"),
        *("/", "/", "sum"),
    )


def test_what_all_tests_share_counts_for_bleu_only() -> None:
    shared = trivially_shared([HUMAN, OTHER])
    found = similarity(OTHER, [HUMAN], shared)
    assert found.bleu > 0.05
    assert found.crystal_bleu < 0.01 < found.bleu


def test_longer_ngrams_count_where_every_token_is_shared() -> None:
    shared = frozenset((word,) for word in tokens(HUMAN))
    assert similarity(HUMAN, [HUMAN], shared).crystal_bleu == pytest.approx(1)


def test_only_what_two_tests_have_is_shared() -> None:
    assert trivially_shared([HUMAN]) == frozenset()
    assert ("@", "Test", "void") in trivially_shared([HUMAN, OTHER])
    assert len(trivially_shared([HUMAN, OTHER], most=3)) == 3


def test_a_method_without_human_tests_is_refused() -> None:
    with pytest.raises(ValueError, match="no human test"):
        similarity(HUMAN, [], frozenset())


def test_an_empty_test_has_nothing_in_common() -> None:
    assert similarity("", [HUMAN], frozenset()) == Similarity(0, 0)


@given(test=CODE, human=TESTS)
def test_bleu_is_that_of_sacrebleu(test: str, human: list[str]) -> None:
    expected = sacrebleu.sentence_bleu(
        " ".join(tokens(test)), [" ".join(tokens(each)) for each in human], tokenize="none"
    )
    assert similarity(test, human, frozenset()).bleu == pytest.approx(min(expected.score / 100, 1))


@given(test=CODE, human=TESTS)
def test_scores_lie_between_0_and_1_and_agree_where_nothing_is_shared(
    test: str, human: list[str]
) -> None:
    shared = trivially_shared([*human, test])
    found = similarity(test, human, shared)
    assert 0 <= found.bleu <= 1
    assert 0 <= found.crystal_bleu <= 1
    unshared = similarity(test, human, frozenset())
    assert unshared.crystal_bleu == unshared.bleu == found.bleu


@given(human=TESTS, others=TESTS)
def test_a_human_test_is_equal_to_itself(human: list[str], others: list[str]) -> None:
    shared = trivially_shared([*human, *others])
    found = similarity(human[0], human, shared)
    assert found.bleu == pytest.approx(1)
    left = set(ngrams(tokens(human[0]))) - shared
    assert found.crystal_bleu == pytest.approx(1 if left else 0)


@given(test=CODE, human=TESTS)
def test_another_reference_of_the_same_length_never_lowers_the_score(
    test: str, human: list[str]
) -> None:
    more = [*human, " ".join(reversed(tokens(human[0])))]
    assert (
        similarity(test, more, frozenset()).bleu >= similarity(test, human, frozenset()).bleu - 1e-9
    )


@given(corpus=st.permutations([HUMAN, OTHER, "int a = 1;", "int b = 2;"]))
def test_the_order_of_the_corpus_has_no_effect(corpus: list[str]) -> None:
    usual = trivially_shared([HUMAN, OTHER, "int a = 1;", "int b = 2;"], most=7)
    assert trivially_shared(corpus, most=7) == usual
