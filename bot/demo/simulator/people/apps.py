"""Installing Apps."""

from __future__ import annotations

from collections.abc import Iterable

from bot.demo.simulator.accounts import Role
from bot.demo.simulator.operations import apps
from bot.demo.simulator.people.account import Work


class AppWork(Work):
    """Installing Apps."""

    def install(
        self, app_id: int, login: str | None = None, repositories: Iterable[str] | None = None
    ) -> int:
        """Install an App on an account (one's own), on all or some repositories; its id there."""
        with self.world.lock:
            where = self.world.account(login or self.login)
            chosen = None
            if repositories is not None:
                chosen = [self._at(name, Role.READ) for name in repositories]
            app = self.world.apps[app_id]
            return apps.install(self.world, app, where, chosen, self.account).id

    def select_repositories(self, installation: int, repositories: Iterable[str]) -> None:
        """Change the repositories of an installation."""
        with self.world.lock:
            chosen = [self._at(name, Role.READ) for name in repositories]
            found = self.world.installations[installation]
            apps.select(self.world, found, chosen, self.account)

    def uninstall(self, installation: int) -> None:
        """Take an App away."""
        with self.world.lock:
            apps.uninstall(self.world, self.world.installations[installation], self.account)

    def suspend(self, installation: int) -> None:
        """Suspend an installation."""
        with self.world.lock:
            apps.suspend(self.world, self.world.installations[installation], self.account)

    def unsuspend(self, installation: int) -> None:
        """Let a suspended installation go on."""
        with self.world.lock:
            apps.unsuspend(self.world, self.world.installations[installation], self.account)

    def accept_permissions(self, installation: int) -> None:
        """Accept the permissions that an App asks for now."""
        with self.world.lock:
            found = self.world.installations[installation]
            apps.accept_permissions(self.world, found, self.account)
