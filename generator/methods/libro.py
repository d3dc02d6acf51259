"""`libro`: samples, run on the base commit, grouped by how they fail and ranked.

As SWT-Bench (section 4.2) carries over LIBRO (https://arxiv.org/abs/2209.11515, section III-D).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from evaluator import Strength, TestOutcome
from evaluator.diff import unified_diff
from generator.conversations.single_shot import SingleShotMethod
from generator.method import SINGLE_WRITER, Choice, Considered, MethodContext

AGREEING = 0.7
"""How often a submitted test is right that another writer agrees with (SWT-Bench predictions)."""

_VARYING = re.compile(r"0x[0-9a-fA-F]+|\d+")

Cluster = Sequence[Considered]


class Libro(SingleShotMethod):
    """Sample five times as zeroshotplus asks, run all, take the shortest of those that agree."""

    name = "libro"
    prompt = "zeroshotplus"
    samples = 5

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:
        """The shortest of the best cluster of admitted samples that fail in the same way.

        A cluster is better the more its failures fit what the issue reports, and then the larger
        it is.
        """
        clusters = _clusters([one for one in considered if one.admission.admitted])
        if not clusters:
            return None
        best = max(clusters, key=lambda cluster: (_strength(cluster), len(cluster)))
        shortest = min(best, key=lambda one: _length(work, one))
        agreed = len(best) > 1
        reason = f"{len(best)} of {len(considered)} samples fail in this way; the shortest of them"
        return Choice(shortest, reason, AGREEING if agreed else SINGLE_WRITER)


def _clusters(admitted: Sequence[Considered]) -> Sequence[Cluster]:
    found: defaultdict[frozenset[str], list[Considered]] = defaultdict(list)
    for one in admitted:
        found[frozenset(map(_signature, one.admission.failing))].append(one)
    return list(found.values())


def _signature(outcome: TestOutcome) -> str:
    """How a test failed, without what differs between runs and between tests alike."""
    failure = outcome.failure
    if failure is None:
        return outcome.status
    frame = failure.frame
    place = f"{frame.path}:{frame.function}" if frame and frame.path != outcome.file else ""
    message = _VARYING.sub("N", failure.message.partition("\n")[0])
    return f"{failure.exception_type} {message} {place}"


def _strength(cluster: Cluster) -> Strength:
    """How well the failures of a cluster fit what the issue reports."""
    return max(one.admission.strength for one in cluster)


def _length(work: MethodContext, one: Considered) -> int:
    return len(unified_diff(one.candidate.tests, work.task.subject.source))
