"""What people do, one method for each thing that they do on GitHub's pages.

Repositories are named OWNER/NAME. Whoever may not do it gets RefusedError (403); what is not there,
RefusedError (404).
"""

from __future__ import annotations

from bot.demo.simulator.people.apps import AppWork
from bot.demo.simulator.people.checks import CheckWork
from bot.demo.simulator.people.code import CodeWork
from bot.demo.simulator.people.issues import IssueWork
from bot.demo.simulator.people.pulls import PullWork


class Person(IssueWork, CodeWork, PullWork, CheckWork, AppWork):
    """Somebody with an account, and all that they can do."""


__all__ = ["Person"]
