"""The buttons on checks."""

from __future__ import annotations

from bot.demo.simulator.accounts import Role
from bot.demo.simulator.operations import checks
from bot.demo.simulator.people.account import Work


class CheckWork(Work):
    """The buttons on checks."""

    def request_rerun(self, repository: str, run: int) -> None:
        """Press "Re-run" on a check run (its id)."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            checks.rerequest_run(self.world, checks.find_run(at, run), self.account)

    def request_rerun_all(self, repository: str, run: int) -> None:
        """Press "Re-run all checks" on the suite of a check run (the run's id)."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            suite = checks.find_run(at, run).suite
            checks.rerequest_suite(self.world, suite, self.account)

    def press_button(self, repository: str, run: int, identifier: str) -> None:
        """Press one of the App's own buttons on a check run. Raises ValueError for no such one."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            checks.press(self.world, checks.find_run(at, run), identifier, self.account)
