"""Weighs what the rules say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaluator.verdict.basis import Basis, basis_of
from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules import RULES, Rule


@dataclass(frozen=True)
class Verdict:
    """The decision, and every finding that led to it, the decisive ones first.

    `basis` says whose tests an acceptance rests on; None for any other decision.
    """

    decision: Decision
    findings: tuple[Finding, ...]
    basis: Basis | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """The findings in words."""
        return tuple(finding.reason for finding in self.findings)


_WEIGHT = {Decision.REJECT: 0, Decision.ABSTAIN: 1, Decision.ACCEPT: 2}


def decide(evidence: Evidence, rules: Mapping[str, Rule] | None = None) -> Verdict:
    """Weigh the evidence by `rules` (all rules by default)."""
    chosen = (RULES if rules is None else rules).values()
    findings = [finding for rule in chosen if (finding := rule(evidence)) is not None]
    findings.sort(key=lambda finding: _WEIGHT[finding.decision])
    decision = decision_of(findings)
    basis = basis_of(evidence) if decision is Decision.ACCEPT else None
    return Verdict(decision, tuple(findings), basis)


def decision_of(findings: Iterable[Finding]) -> Decision:
    """What findings come to: the weightiest decides, and without any it is an abstention."""
    decisions = [finding.decision for finding in findings]
    return min(decisions, key=_WEIGHT.__getitem__, default=Decision.ABSTAIN)
