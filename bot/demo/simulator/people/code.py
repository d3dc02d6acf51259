"""Branches and forks."""

from __future__ import annotations

from collections.abc import Mapping

from bot.demo.simulator.accounts import Role
from bot.demo.simulator.operations.pushes import after_push
from bot.demo.simulator.people.account import Work


class CodeWork(Work):
    """Branches and forks."""

    def push(
        self,
        repository: str,
        branch: str,
        files: Mapping[str, str | bytes | None],
        message: str = "Change",
        *,
        start: str | None = None,
        force: bool = False,
    ) -> str:
        """Commit files (None: delete) on a branch, and tell the commit.

        A new branch starts at `start` (the default branch); `force` throws an old one away.
        """
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            before = at.git.branches()
            fresh = force or branch not in before
            parent = at.git.resolve(start or at.default_branch) if fresh and before else None
            signature = self.world.signature(self.account)
            commit = at.git.commit(branch, files, message, signature, parent=parent)
            after_push(self.world, at, before, self.account)
            return commit

    def delete_branch(self, repository: str, branch: str) -> None:
        """Delete a branch."""
        with self.world.lock:
            at = self._at(repository, Role.WRITE)
            before = at.git.branches()
            at.git.update(f"refs/heads/{branch}", None)
            after_push(self.world, at, before, self.account)

    def fork(self, repository: str) -> str:
        """The full name of one's own fork."""
        with self.world.lock:
            parent = self._at(repository, Role.READ)
            return self.world.fork(parent, self.account).full_name
