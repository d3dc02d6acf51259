from __future__ import annotations

import pytest

from evaluator.errors import InputError
from generator.methods import METHODS, method, summary


def test_every_method_is_known_by_its_name_and_says_what_it_is() -> None:
    assert list(METHODS) == sorted(METHODS)
    for name, found in METHODS.items():
        assert method(name) is found
        assert found.name == name
        assert summary(found)


def test_an_unknown_name_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="`nothing` is not known; use one of"):
        method("nothing")
