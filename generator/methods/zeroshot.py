"""`zeroshot`: the plainest method of SWT-Bench (section 4.2)."""

from __future__ import annotations

from generator.conversations.single_shot import SingleShotMethod


class ZeroShot(SingleShotMethod):
    """Ask once, with retrieved code, for tests as a unified diff (SWT-Bench's ZeroShot).

    One answer at temperature 0; where the user wants several, they are sampled at 0.7.
    """

    name = "zeroshot"
    prompt = "zeroshot"
