"""Plays stories, each with a GitHub and an App of its own, and keeps their pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from bot.demo.app import DemoApp
from bot.demo.simulator import GitHubSimulator
from bot.demo.snapshot import Snapshot, SnapshotSite
from bot.demo.story import Played, Plot, Story
from bot.jobs.services import workspaces
from evaluator import (
    ResourceLimits,
    Sandbox,
    Workspace,
    WorkspaceSettings,
)


@dataclass(frozen=True)
class Stage:
    """Where stories are played: in a sandbox, and on a terminal."""

    sandbox: Sandbox
    console: Console

    def play(
        self, plot: Plot, repository: Path, settings: WorkspaceSettings, out: Path
    ) -> Mapping[str, Path]:
        """The story, then its pages: where each of them lies. Raises DemoError."""
        self.console.rule("an issue, a wrong fix, a right fix")
        make = workspaces(settings, lambda own: Workspace(own, self.sandbox))
        data = repository.parent / "app"
        data.mkdir()
        with GitHubSimulator() as github:
            story = Story(github, repository, self._show, plot)
            with DemoApp(github, "alice", data, make) as app:
                return _pages(github, app, story.play(app), out)

    def _show(self, who: str, what: str) -> None:
        line = f"[bold]{who:>8}[/bold]  {escape(what)}" if who else escape(what)
        self.console.print(line, highlight=False, soft_wrap=True)


def demo_settings(cache: Path, *, offline: bool) -> WorkspaceSettings:
    """Settings for the small trees of the sample, without repositories."""
    return WorkspaceSettings((), cache, ResourceLimits(wall_seconds=300), offline=offline)


def _pages(github: GitHubSimulator, app: DemoApp, played: Played, out: Path) -> dict[str, Path]:
    login = {"Authorization": f"Bearer {app.dashboard_token}"}
    snapshot = Snapshot(
        (SnapshotSite(github.web_url, "github"), SnapshotSite(app.url, "dashboard", login)), out
    )
    addresses = {
        "issue": github.web_url + played.issue,
        "wrong": github.web_url + played.wrong,
        "right": github.web_url + played.right,
        "dashboard": f"{app.url}/",
    }
    snapshot.take(*addresses.values())
    return {name: snapshot.saved[address] for name, address in addresses.items()}
