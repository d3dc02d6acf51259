"""The verdict on a fix: accept, reject, or an honest abstention, each with its reasons.

Each rule is a function of its own that speaks or stays silent, so that what a rule buys can be
measured by leaving it out. A rejection outweighs an abstention, an abstention an acceptance: a
wrong "accept" costs more than ten "cannot tell". What an acceptance rests on stands in `basis`.
"""

from evaluator.languages.safeguards import Concern
from evaluator.verdict.basis import Basis
from evaluator.verdict.decide import Verdict, decide, decision_of
from evaluator.verdict.evidence import Decision, Evidence, Finding, Generated
from evaluator.verdict.jury import Vote, vote_of
from evaluator.verdict.rules import RULES, WRITER_RULES, Rule

__all__ = [
    "RULES",
    "WRITER_RULES",
    "Basis",
    "Concern",
    "Decision",
    "Evidence",
    "Finding",
    "Generated",
    "Rule",
    "Verdict",
    "Vote",
    "decide",
    "decision_of",
    "vote_of",
]
