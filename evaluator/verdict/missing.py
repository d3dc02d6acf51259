"""Whether a test fails without the change only because something does not exist yet."""

from __future__ import annotations

import re

from evaluator.evaluation import Transition
from evaluator.languages import is_test_file
from evaluator.outcome import Phase, Status
from evaluator.verdict.evidence import Evidence

_MISSING_NAME = frozenset({"ImportError", "ModuleNotFoundError", "NameError"})
_MISSING_ATTRIBUTE = re.compile(
    r"^(module|type object) '.*' has no attribute |.* does not have the attribute "
)


def lacks_something(evidence: Evidence, transition: Transition) -> bool:
    """Whether a failure without the change says nothing of behaviour.

    It does where the issue reports just this failure.
    """
    if transition.test in evidence.reported:
        return False
    return transition.test in evidence.missing or _lacks_a_name(transition)


def _lacks_a_name(transition: Transition) -> bool:
    """Whether a test failed on R before it came to say anything about behaviour.

    A name that the project's own code misses is a fault of that code.
    """
    failure = transition.before.failure
    if transition.before.phase is Phase.COLLECTION or transition.before.status is Status.CRASHED:
        return True
    if failure is None or (failure.frame and not is_test_file(failure.frame.path)):
        return False
    name = failure.exception_type.rpartition(".")[2]
    missing_attribute = name == "AttributeError" and _MISSING_ATTRIBUTE.match(failure.message)
    return name in _MISSING_NAME or bool(missing_attribute)
