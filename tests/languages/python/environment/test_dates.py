"""Packages are as of a date, but for those of which nothing of that time could be used."""

from __future__ import annotations

import datetime

import pytest

from evaluator.languages.python.environment.resolve import NO_DATE_LIMIT, ResolutionRequest
from evaluator.languages.python.environment.watched_pytest import OLDEST_DATE as OLDEST_PYTEST_DATE


def dates(request: ResolutionRequest) -> dict[str, str]:
    """The date of each package that has one of its own; those that all have stand under ""."""
    _, day, *more = request.date_options
    return {"": day} | dict(option.split("=") for option in more[1::2])


@pytest.mark.parametrize(
    ("date", "of_its_own"),
    [
        (datetime.date(2014, 10, 30), True),
        (OLDEST_PYTEST_DATE - datetime.timedelta(1), True),
        (OLDEST_PYTEST_DATE, False),
        (datetime.date(2020, 1, 1), False),
    ],
)
def test_pytest_is_no_older_than_what_can_be_watched(date: datetime.date, of_its_own: bool) -> None:
    found = dates(ResolutionRequest(("pytest",), date))
    assert found[""] == date.isoformat()
    wanted = OLDEST_PYTEST_DATE.isoformat() if of_its_own else None
    assert (found.get("pytest"), found.get("py")) == (wanted, wanted)


def test_what_has_no_date_at_all_keeps_it() -> None:
    request = ResolutionRequest(("pytest",), datetime.date(2014, 1, 1), newer=("pytest",))
    assert request.date_options.count(f"pytest={NO_DATE_LIMIT}") == 1
    assert dates(request)["pytest"] == NO_DATE_LIMIT
    assert dates(request)["py"] == OLDEST_PYTEST_DATE.isoformat()


def test_without_a_date_everything_is_the_newest() -> None:
    assert ResolutionRequest(("pytest",), None).date_options == []


@pytest.mark.parametrize("asked", ["pytest==2.6.3", "pytest<2.8", "pytest==2.6.*", "pytest~=2.6.1"])
def test_a_pinned_pytest_that_cannot_be_watched_is_replaced(asked: str) -> None:
    request = ResolutionRequest((asked, "six"), None, constraints=("py<1.4.29",))
    assert request.overrides == ["py>=1.4.29", "pytest>=2.8,<2.9"]
    assert request.parts != ResolutionRequest(("six",), None).parts


@pytest.mark.parametrize(
    "asked",
    [
        "pytest",
        "pytest==2.8.2",
        "pytest==2.9.2",
        "pytest<3",
        "pytest~=2.6",
        "pytest>2.6",
        "pytest!=2.6",
        "pytest===2.6.3",
        "pytest==2.6.3 ; python_version < '3'",
        "pytest-cov==1.8",
    ],
)
def test_any_other_pytest_is_as_asked_for(asked: str) -> None:
    assert ResolutionRequest((asked,), None).overrides == []
