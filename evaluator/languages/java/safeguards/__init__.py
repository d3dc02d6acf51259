"""What is known of Java's tests, and of how a change can deceive them."""

from evaluator.languages.java.safeguards.assertions import negate_assertions
from evaluator.languages.java.safeguards.callers import refused_calls
from evaluator.languages.java.safeguards.hidden_content import COMPILED, OPAQUE, hidden
from evaluator.languages.java.safeguards.mutants import mutants
from evaluator.languages.java.safeguards.other_examples import other_examples
from evaluator.languages.java.safeguards.reaching import reached
from evaluator.languages.java.safeguards.special_cases import special_cases
from evaluator.languages.java.safeguards.test_configuration import changed_configuration
from evaluator.languages.java.safeguards.tested_data import edited_data
from evaluator.languages.java.safeguards.unseen_effects import unseen_effects
from evaluator.languages.safeguards import Safeguards

SAFEGUARDS = Safeguards(
    changed_configuration=changed_configuration,
    edited_data=edited_data,
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
