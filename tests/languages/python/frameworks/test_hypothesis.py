"""Property-based tests do not fail for how fast the machine is, but for what they say of it."""

from __future__ import annotations

import pytest

from evaluator.model import Status

from .conftest import Project

SLOW = """
import time, unittest
from hypothesis import HealthCheck, given, settings, strategies

counts = [HealthCheck.filter_too_much]
settings.register_profile("own", max_examples=2, suppress_health_check=counts)
settings.load_profile("own")
slow = strategies.integers().map(lambda one: time.sleep(0.2) or one)

class TestSlow(unittest.TestCase):
    @given(strategies.just(1))
    def test_runs_slowly(self, one):
        time.sleep(0.3)

    # The first ten examples may take a second, or five deadlines.
    @settings(max_examples=12, deadline=100)
    @given(slow)
    def test_is_drawn_slowly(self, one):
        pass

    @settings(deadline=100)
    @given(strategies.just(1))
    def test_has_its_own_deadline(self, one):
        time.sleep(0.3)

    @given(strategies.just(1))
    def test_fails(self, one):
        self.assertEqual(one, 2)
"""


@pytest.mark.parametrize("framework", ["pytest", "unittest"])
def test_only_deadlines_of_the_project_count(project: Project, framework: str) -> None:
    project.write({"test_slow.py": SLOW})
    run = project.run("test_slow.py", framework=framework)
    found = {name.replace(":", ".").rpartition(".")[2]: o for name, o in run.outcomes.items()}
    assert {name: outcome.status is Status.PASSED for name, outcome in found.items()} == {
        "test_runs_slowly": True,
        "test_is_drawn_slowly": True,
        "test_has_its_own_deadline": False,
        "test_fails": False,
    }
    failure = found["test_has_its_own_deadline"].failure
    assert failure is not None
    assert "DeadlineExceeded" in failure.exception_type


def test_hypothesis_itself_is_tested_as_it_is(project: Project) -> None:
    project.write(
        {
            "hypothesis.py": "settings = None\n",
            "test_own.py": "import hypothesis\ndef test(): assert hypothesis.settings is None\n",
        }
    )
    run = project.run("test_own.py")
    assert [outcome.status for outcome in run.outcomes.values()] == [Status.PASSED]
