"""`zeroshotplus`: one question, answered in a format that forgives (SWT-Bench, section 4.2)."""

from __future__ import annotations

from generator.conversations.single_shot import SingleShotMethod


class ZeroShotPlus(SingleShotMethod):
    """Ask once, with retrieved code, for tests in the block format (SWT-Bench's ZeroShotPlus).

    One answer at temperature 0; where the user wants several, they are sampled at 0.7.
    """

    name = "zeroshotplus"
    prompt = "zeroshotplus"
