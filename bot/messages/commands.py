"""Answers to commands."""

from __future__ import annotations

import json

from bot.messages.markdown import code, fitted, plain, table
from bot.store.tables import StoredVerdict
from bot.store.verdicts import Precision


def marker(name: str) -> str:
    """The hidden line of the App's one comment of a kind."""
    return f"<!-- fixgate:{name} -->"


def help_text() -> str:
    """What can be asked for."""
    rows = [
        ["`/fixgate reproduce`", "on an issue: write a test that shows it"],
        ["`/fixgate verify`", "on a pull request: judge it again"],
        ["`/fixgate explain`", "why the last verdict came out as it did"],
        ["`/fixgate wrong`", "the last verdict was wrong: recorded and counted"],
        ["`/fixgate pause`, `/fixgate resume`", "be silent here, speak again"],
        ["`/fixgate help`", "this list"],
    ]
    note = "Commands stand at the start of a line, by people who may push to this repository."
    return fitted([marker("help"), table(["command", "what it does"], rows), note])


def explanation(verdict: StoredVerdict | None, precision: Precision) -> str:
    """The last verdict of a pull request with its reasons and tests, and how often ones hold."""
    if verdict is None:
        return fitted([marker("explain"), "There is no verdict on this yet."])
    details = json.loads(verdict.details)
    reasons = "\n".join(
        f"- {plain(r['reason'], 600)} ({code(r['rule'])})" for r in details["reasons"]
    )
    rows = [
        [code(test["test"], 160), plain(test["kind"], 20), plain(test.get("reason") or "", 160)]
        for test in details["tests"][:50]
    ]
    return fitted(
        [
            marker("explain"),
            f"**{plain(verdict.title)}** at {code(verdict.head_sha[:12])}",
            reasons,
            *([table(["test", "without -> with", "how it failed"], rows)] if rows else []),
            _counted(precision),
        ]
    )


def _counted(precision: Precision) -> str:
    if precision.value is None:
        return "No verdict of fixgate has taken a side in this repository yet."
    return (
        f"In this repository {precision.decided} verdicts took a side; "
        f"{precision.wrong} of them were called wrong."
    )
