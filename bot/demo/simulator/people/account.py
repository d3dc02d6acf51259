"""Who does it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.demo.simulator.accounts import Account, Role
from bot.demo.simulator.records import Repository
from bot.demo.simulator.world import World, require_role


@dataclass(frozen=True)
class Work:
    """Somebody with an account; what they do is in the classes that build on this."""

    world: World
    account: Account

    @property
    def login(self) -> str:
        """The account's name."""
        return self.account.login

    def _at(self, repository: str, role: Role) -> Repository:
        """A repository in which this person has a role. Raises RefusedError (403, 404)."""
        found = self.world.repository(repository)
        require_role(found, self.account, role)
        return found
