"""Weighs what the rules say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaluator.verdict.evidence import Decision, Evidence, Finding
from evaluator.verdict.rules import RULES, Rule


@dataclass(frozen=True)
class Verdict:
    """The decision, and every finding that led to it, the decisive ones first."""

    decision: Decision
    findings: tuple[Finding, ...]

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
    return Verdict(decision_of(findings), tuple(findings))


def decision_of(findings: Iterable[Finding]) -> Decision:
    """What findings come to: the weightiest decides, and without any nothing can be told."""
    decisions = [finding.decision for finding in findings]
    return min(decisions, key=_WEIGHT.__getitem__, default=Decision.ABSTAIN)
