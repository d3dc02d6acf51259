"""Judges tests and fixes: runs tests on the code without a fix and with it, and compares.

What stands here is for everyone who judges changes in a program of their own; docs/library.md
describes it. Each name is imported when it is first used, as all of them together take a second.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evaluator.admission import Admission as Admission
    from evaluator.admission import Refusal as Refusal
    from evaluator.admission import Strength as Strength
    from evaluator.admission import admit as admit
    from evaluator.environment.discovery import discover_recipe as discover_recipe
    from evaluator.environment.types import AbsentService as AbsentService
    from evaluator.environment.types import Addition as Addition
    from evaluator.environment.types import Recipe as Recipe
    from evaluator.environment.types import Uncompiled as Uncompiled
    from evaluator.errors import CheckoutError as CheckoutError
    from evaluator.errors import EnvironmentBuildError as EnvironmentBuildError
    from evaluator.errors import ExtraMissingError as ExtraMissingError
    from evaluator.errors import FixgateError as FixgateError
    from evaluator.errors import InputError as InputError
    from evaluator.errors import PatchError as PatchError
    from evaluator.errors import SandboxError as SandboxError
    from evaluator.errors import extra_needed as extra_needed
    from evaluator.execution import RunPair as RunPair
    from evaluator.execution import Subject as Subject
    from evaluator.judge import Judgement as Judgement
    from evaluator.judge import files_to_run as files_to_run
    from evaluator.model import ChangedLine as ChangedLine
    from evaluator.model import Evaluation as Evaluation
    from evaluator.model import Failure as Failure
    from evaluator.model import Instance as Instance
    from evaluator.model import LineState as LineState
    from evaluator.model import Phase as Phase
    from evaluator.model import Prediction as Prediction
    from evaluator.model import Revision as Revision
    from evaluator.model import Run as Run
    from evaluator.model import Side as Side
    from evaluator.model import Status as Status
    from evaluator.model import TestOutcome as TestOutcome
    from evaluator.model import Transition as Transition
    from evaluator.sandbox.choose import choose_sandbox as choose_sandbox
    from evaluator.sandbox.protocol import MEBIBYTE as MEBIBYTE
    from evaluator.sandbox.protocol import Command as Command
    from evaluator.sandbox.protocol import CommandResult as CommandResult
    from evaluator.sandbox.protocol import ExitReason as ExitReason
    from evaluator.sandbox.protocol import ResourceLimits as ResourceLimits
    from evaluator.sandbox.protocol import Sandbox as Sandbox
    from evaluator.shell import LARGEST_CHANGED_FILE as LARGEST_CHANGED_FILE
    from evaluator.shell import Shell as Shell
    from evaluator.shell import Stamp as Stamp
    from evaluator.shell import stamps as stamps
    from evaluator.transitions import is_success as is_success
    from evaluator.verdict import Basis as Basis
    from evaluator.verdict import Decision as Decision
    from evaluator.verdict import Finding as Finding
    from evaluator.verdict import Verdict as Verdict
    from evaluator.verification.change import Change as Change
    from evaluator.verification.change import change_between as change_between
    from evaluator.verification.change import commit_of as commit_of
    from evaluator.verification.thoroughness import QUICK as QUICK
    from evaluator.verification.thoroughness import THOROUGH as THOROUGH
    from evaluator.verification.thoroughness import Thoroughness as Thoroughness
    from evaluator.verification.verify import GivenTests as GivenTests
    from evaluator.verification.verify import Verification as Verification
    from evaluator.verification.verify import local_repository as local_repository
    from evaluator.verification.verify import verify as verify
    from evaluator.workspace import Workspace as Workspace
    from evaluator.workspace import WorkspaceSettings as WorkspaceSettings
    from evaluator.workspace import applied as applied
    from evaluator.workspace import default_cache as default_cache
    from evaluator.workspace import rejections as rejections

_HOMES = {
    "evaluator.admission": ("Admission", "Refusal", "Strength", "admit"),
    "evaluator.environment.discovery": ("discover_recipe",),
    "evaluator.environment.types": ("AbsentService", "Addition", "Recipe", "Uncompiled"),
    "evaluator.errors": (
        "CheckoutError",
        "EnvironmentBuildError",
        "ExtraMissingError",
        "FixgateError",
        "InputError",
        "PatchError",
        "SandboxError",
        "extra_needed",
    ),
    "evaluator.execution": ("RunPair", "Subject"),
    "evaluator.judge": ("Judgement", "files_to_run"),
    "evaluator.model": (
        "ChangedLine",
        "Evaluation",
        "Failure",
        "Instance",
        "LineState",
        "Phase",
        "Prediction",
        "Revision",
        "Run",
        "Side",
        "Status",
        "TestOutcome",
        "Transition",
    ),
    "evaluator.sandbox.choose": ("choose_sandbox",),
    "evaluator.sandbox.protocol": (
        "MEBIBYTE",
        "Command",
        "CommandResult",
        "ExitReason",
        "ResourceLimits",
        "Sandbox",
    ),
    "evaluator.shell": ("LARGEST_CHANGED_FILE", "Shell", "Stamp", "stamps"),
    "evaluator.transitions": ("is_success",),
    "evaluator.verdict": ("Basis", "Decision", "Finding", "Verdict"),
    "evaluator.verification.change": ("Change", "change_between", "commit_of"),
    "evaluator.verification.thoroughness": ("QUICK", "THOROUGH", "Thoroughness"),
    "evaluator.verification.verify": ("GivenTests", "Verification", "local_repository", "verify"),
    "evaluator.workspace": (
        "Workspace",
        "WorkspaceSettings",
        "applied",
        "default_cache",
        "rejections",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """The public name of the package, from where it is defined."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(_HOME)
