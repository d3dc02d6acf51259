"""What is known of Python's tests, and of how a change can deceive them."""

from evaluator.languages.python.safeguards.assertions import negate_assertions
from evaluator.languages.python.safeguards.callers import refused_calls
from evaluator.languages.python.safeguards.dependencies import unmet_dependencies
from evaluator.languages.python.safeguards.hidden_content import COMPILED, OPAQUE, hidden
from evaluator.languages.python.safeguards.mutants import mutants
from evaluator.languages.python.safeguards.other_examples import other_examples
from evaluator.languages.python.safeguards.reaching import reached
from evaluator.languages.python.safeguards.special_cases import special_cases
from evaluator.languages.python.safeguards.test_configuration import changed_configuration
from evaluator.languages.python.safeguards.tested_data import edited_data
from evaluator.languages.python.safeguards.unseen_effects import unseen_effects
from evaluator.languages.safeguards import Safeguards

SAFEGUARDS = Safeguards(
    changed_configuration=changed_configuration,
    edited_data=edited_data,
    unmet_dependencies=unmet_dependencies,
    reached=reached,
    refused_calls=refused_calls,
    unseen_effects=unseen_effects,
    hidden=hidden,
    special_cases=special_cases,
    negate_assertions=negate_assertions,
    other_examples=other_examples,
    mutants=mutants,
    compiled=COMPILED,
    opaque=OPAQUE,
)
