"""Admission: whether tests fail on the base commit, every time, for the reason that is reported.

The one piece of code that decides it, for whoever proposes tests.
"""

from evaluator.admission.admit import TIMES, Admission, Refusal, admit
from evaluator.admission.match import Strength

__all__ = ["TIMES", "Admission", "Refusal", "Strength", "admit"]
