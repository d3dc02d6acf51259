"""Made-up but realistic evaluations, for several predictions over the same instances."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from evaluator.model import (
    ChangeCoverage,
    ChangedLine,
    Evaluation,
    Failure,
    Frame,
    LineState,
    Phase,
    Revision,
    Side,
    State,
    Status,
    Transition,
)

REPOSITORIES = (
    "django/django",
    "sympy/sympy",
    "matplotlib/matplotlib",
    "scikit-learn/scikit-learn",
    "pytest-dev/pytest",
    "sphinx-doc/sphinx",
    "astropy/astropy",
    "psf/requests",
    "pylint-dev/pylint",
    "pydata/xarray",
    "mwaskom/seaborn",
    "pallets/flask",
)
WEIGHTS = (40, 28, 8, 8, 6, 6, 2, 2, 2, 2, 2, 1)

GOLDEN_PATCH = """\
diff --git a/django/db/models/query.py b/django/db/models/query.py
--- a/django/db/models/query.py
+++ b/django/db/models/query.py
@@ -327,7 +327,9 @@ class QuerySet:
     def __or__(self, other):
         self._merge_sanity_check(other)
         if isinstance(self, EmptyQuerySet):
-            return other
+            combined = other._chain()
+            combined._known_related_objects.update(self._known_related_objects)
+            return combined
         if isinstance(other, EmptyQuerySet):
             return self
         combined = self._chain()
@@ -1190,3 +1192,4 @@ class QuerySet:
     def _next_is_sticky(self):
+        # The flag is read by the next clone only.
         self._sticky_filter = True
         return self
"""

LINES = (
    (330, Revision.BASE, "            return other"),
    (330, Revision.FIXED, "            combined = other._chain()"),
    (
        331,
        Revision.FIXED,
        "            combined._known_related_objects.update(self._known_related_objects)",
    ),
    (332, Revision.FIXED, "            return combined"),
    (1193, Revision.FIXED, "        # The flag is read by the next clone only."),
)

PATCH = """\
diff --git a/tests/queries/test_merge.py b/tests/queries/test_merge.py
new file mode 100644
--- /dev/null
+++ b/tests/queries/test_merge.py
@@ -0,0 +1,9 @@
+from django.test import TestCase
+
+from .models import Number
+
+
+class EmptyOrTests(TestCase):
+    def test_empty_or_keeps_related(self):
+        combined = Number.objects.none() | Number.objects.filter(num__gt=3)
+        self.assertEqual(combined._known_related_objects, {})
"""

FAILURE = Failure(
    "AssertionError",
    "AssertionError: {'author': <Author: Ada>} != {}\n- {'author': <Author: Ada>}\n+ {}",
    Frame("django/db/models/query.py", 330, "__or__"),
)


def passed(seconds: float = 0.01) -> Side:
    return Side(Status.PASSED, None, seconds)


def failed(failure: Failure = FAILURE) -> Side:
    return Side(Status.FAILED, Phase.CALL, 0.02, failure)


def coverage(covered: int) -> ChangeCoverage:
    """The lines of the golden fix: the first `covered` ones covered, the last one a comment."""
    states = [
        LineState.COVERED if index < covered else LineState.UNCOVERED
        for index in range(len(LINES) - 1)
    ]
    lines = zip(LINES, [*states, LineState.NOT_EXECUTABLE], strict=True)
    return ChangeCoverage(
        tuple(
            ChangedLine("django/db/models/query.py", number, side, state, text)
            for (number, side, text), state in lines
        )
    )


def successful_transitions() -> tuple[Transition, ...]:
    file = "tests/queries/test_merge.py"
    name = "queries.test_merge.EmptyOrTests"
    return (
        Transition(f"{name}.test_empty_or_keeps_related", file, failed(), passed()),
        Transition(f"{name}.test_plain_or", file, passed(), passed()),
        *(
            Transition(f"{name}.test_old_{i}", file, passed(), passed(), preexisting=True)
            for i in range(6)
        ),
    )


def failing_transitions() -> tuple[Transition, ...]:
    file = "tests/queries/test_merge.py"
    name = "queries.test_merge.EmptyOrTests"
    broken = Side(
        Status.ERROR, Phase.SETUP, 0.0, Failure("ImportError", "cannot import name 'Nmber'")
    )
    return (
        Transition(f"{name}.test_empty_or_keeps_related", file, broken, broken),
        Transition(f"{name}.test_sometimes", file, failed(), passed(), flaky=True),
    )


def graded(
    instance_id: str = "django__django-11001",
    prediction: str = "gold",
    *,
    success: bool = True,
    covered: int = 3,
    **fields: object,
) -> Evaluation:
    values: dict[str, object] = {
        "repo": instance_id.rpartition("-")[0].replace("__", "/"),
        "well_formed": True,
        "success": success,
        "transitions": successful_transitions() if success else failing_transitions(),
        "coverage": coverage(covered),
        "timings": {"checkout": 0.41, "environment": 0.02, "runs": 6.3},
        "reasons": ("1 test fails without the fix and passes with it",)
        if success
        else ("test_empty_or_keeps_related also fails with the fix",),
        "issue_words": 150,
        "patch": PATCH,
        "golden_patch": GOLDEN_PATCH,
        "commands": {"before": "python -m pytest -p no:cacheprovider tests/queries/test_merge.py"},
    }
    return Evaluation(instance_id, prediction, State.GRADED, **(values | fields))  # type: ignore[arg-type]


def not_run(
    instance_id: str = "django__django-11002",
    prediction: str = "gold",
    state: State = State.ENVIRONMENT_ERROR,
    *reasons: str,
) -> Evaluation:
    return Evaluation(
        instance_id,
        prediction,
        state,
        repo=instance_id.rpartition("-")[0].replace("__", "/"),
        reasons=reasons or ("no wheel of numpy 1.14 for this platform; see the build's log",),
        issue_words=90,
    )


ResultsFactory = Callable[..., dict[str, tuple[Evaluation, ...]]]


@pytest.fixture(scope="session")
def make_results() -> ResultsFactory:
    """A function of (names and their success rates, number of instances) -> results."""

    def make(rates: Mapping[str, float], instances: int) -> dict[str, tuple[Evaluation, ...]]:
        ids = _instance_ids(instances)
        return {name: tuple(_evaluations(name, rate, ids)) for name, rate in rates.items()}

    return make


def _instance_ids(count: int) -> list[tuple[str, int, float]]:
    """Id, length of the issue in words, and how hard the instance is (0 to 1)."""
    generator = random.Random(1)
    repositories = generator.choices(REPOSITORIES, WEIGHTS, k=count)
    return [
        (
            f"{repository.replace('/', '__')}-{10000 + 37 * index}",
            int(generator.lognormvariate(5, 0.7)),
            generator.random(),
        )
        for index, repository in enumerate(repositories)
    ]


def _evaluations(name: str, rate: float, ids: Sequence[tuple[str, int, float]]) -> list[Evaluation]:
    generator = random.Random(name)
    found = []
    for instance_id, words, hardness in ids:
        luck = 0.6 * hardness + 0.4 * generator.random()
        if generator.random() < 0.04:
            state = generator.choice([s for s in State if s is not State.GRADED])
            found.append(not_run(instance_id, name, state))
            continue
        success = rate >= 1 or luck < rate
        found.append(
            graded(
                instance_id,
                name,
                success=success,
                covered=generator.choice((2, 3, 4, 4)) if success else generator.choice((0, 0, 2)),
                issue_words=words,
                well_formed=success or generator.random() < 0.8,
                reference_verdict="resolved"
                if success == (generator.random() > 0.02)
                else "unresolved",
            )
        )
    return found
