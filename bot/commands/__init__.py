"""The App's commands, one module a command."""

from __future__ import annotations

from collections.abc import Mapping

COMMANDS: Mapping[str, tuple[str, str]] = {
    "check-config": (
        "bot.commands.check_config:check_config",
        "Name each mistake in .github/fixgate.yml with its line, key and remedy.",
    ),
    "demo": (
        "bot.commands.demo:demo",
        "From an issue to an accepted fix, on a small repository and a simulated GitHub.",
    ),
    "doctor": (
        "bot.commands.doctor:doctor",
        "Check the model, its endpoint and key, and the sandboxes, and say what to do.",
    ),
    "gitlab-note": (
        "bot.commands.gitlab_note:gitlab_note",
        "Show SUMMARY, a file in Markdown, as a note on the merge request of a GitLab CI job.",
    ),
    "login": (
        "bot.commands.login:login",
        "Print a link that opens the dashboard without asking for the token, for ten minutes.",
    ),
    "messages": (
        "bot.commands.messages:messages",
        "Write a page with every check and comment of the App, shown as on GitHub.",
    ),
    "minter": (
        "bot.commands.minter:minter",
        "Give tokens to who knows FIXGATE_MINTER_SECRET, at FIXGATE_MINTER.",
    ),
    "serve": (
        "bot.commands.serve:serve",
        "Take webhooks and show the dashboard; without an App yet, the page that makes one.",
    ),
    "smee": (
        "bot.commands.smee:smee",
        "Receive webhooks through a channel of smee.io, for a machine that GitHub cannot reach.",
    ),
    "sweep": (
        "bot.commands.sweep:sweep",
        "Queue what was not, try again what died, report what was not; ask GitHub for the rest.",
    ),
    "worker": (
        "bot.commands.worker:worker",
        "Handle events and do jobs, until it is asked to end; a second time ends what is in hand.",
    ),
}
"""Where each is, and what it is for: a process imports its own alone, and `--help` none."""
