"""The loop: ask, run what is asked for, show what came out, until the model submits.

Whatever a model says or does in the sandbox, the loop ends in one of the ways of `LoopExit`, and
what was written until then is there.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator import (
    LARGEST_CHANGED_FILE,
    MEBIBYTE,
    PatchError,
    ResourceLimits,
    Shell,
    Stamp,
    stamps,
)
from evaluator.diff import Changes, Keep
from evaluator.languages import is_test_file
from generator.errors import ContextTooLongError, LimitReachedError, ModelError
from generator.loop.observations import MOST_CHARACTERS, observation, shortened
from generator.loop.replies import BASH, ShellCall, calls_of
from generator.method import MethodContext
from generator.model.protocol import Message, Parameters, Reply, Role
from generator.prompts import render

MOST_FILES = 100
"""Files above which a tree is taken for flooded."""

MOST_NAMED = 20
"""Files that are named as left out."""


@dataclass(frozen=True)
class SubmissionRule:
    """Which files count, and how others and their absence are described."""

    keep: Keep
    other: str
    nothing: str


TESTS = SubmissionRule(is_test_file, "is no test file", "no test file was written or changed")
CODE = SubmissionRule(lambda path: not is_test_file(path), "is a test file", "no code was changed")


@dataclass(frozen=True)
class Submission:
    """The files that were written or changed, and what was left out, in words."""

    changes: Changes
    left_out: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any file."""
        return bool(self.changes.contents)


def read_submission(shell: Shell, wanted: SubmissionRule = TESTS) -> Submission:
    """Take the files that count from a tree; nothing in the tree is trusted.

    Other files, deletions and what is no text are left out. A tree that cannot be read (a path
    that is too long, a directory without permissions), or that is flooded with files, gives
    nothing, and says so.
    """
    taken: dict[str, bytes | None] = {}
    left_out: list[str] = []
    try:
        for path, stamp in _touched(shell, wanted).items():
            reason = _unfit(path, stamp, wanted, shell.subject.pristine)
            if reason == wanted.other and _is_as_before(shell, path, stamp):
                continue
            content = b"" if reason else shell.source(path) or b""
            reason = reason or ("" if _is_text(content) else "is no text")
            if reason:
                left_out.append(f"{_name(path)}: {reason}")
            elif content != shell.subject.source(path):
                taken[path] = content
    except (OSError, PatchError) as error:
        return Submission(Changes(), (f"the tree cannot be read: {error}",))
    return Submission(Changes(taken), tuple(left_out[:MOST_NAMED]))


def _touched(shell: Shell, wanted: SubmissionRule) -> dict[str, Stamp | None]:
    """The files that were written or changed, by path, and None for those that were removed."""
    now = stamps(shell.tree)
    written = [path for path, stamp in now.items() if shell.stamps.get(path) != stamp]
    counting = sum(map(wanted.keep, written))
    if counting > MOST_FILES:
        raise PatchError(f"{counting} files were changed; at most {MOST_FILES} are taken")
    return {path: now.get(path) for path in sorted({*written, *shell.stamps.keys() - now.keys()})}


def _unfit(path: str, stamp: Stamp | None, wanted: SubmissionRule, pristine: Path) -> str:
    """Why a file is not even read, "" where it is."""
    if not path.isprintable():
        return "has a name that is no text"
    if not wanted.keep(path):
        return wanted.other
    if stamp is None:
        return "is deleted, which does not count"
    if stamp.size > LARGEST_CHANGED_FILE:
        return "is too large"
    return "" if _fits(path, pristine) else "stands where a directory or a link was"


def _is_as_before(shell: Shell, path: str, stamp: Stamp | None) -> bool:
    """Whether a file that was written to has the content that it had."""
    if stamp is None or stamp.size > LARGEST_CHANGED_FILE:
        return False
    try:
        return shell.source(path) == shell.subject.source(path)
    except PatchError:
        return False


def _name(path: str) -> str:
    return path if path.isprintable() else ascii(path)


def _fits(path: str, pristine: Path) -> bool:
    """Whether a file of that path can be written into the tree as it was."""
    file = pristine / path
    parents = [pristine / parent for parent in list(PurePosixPath(path).parents)[:-1]]
    clear = all(place.is_dir() or not place.exists() for place in parents)
    links = any(place.is_symlink() for place in (file, *parents))
    return clear and not links and not file.is_dir()


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


Gate = Callable[[Changes], str]
"""Why these changes are not let through, in words for the model; "" lets them through."""


def no_gate(_changes: Changes) -> str:
    """Let everything through."""
    return ""


LONGEST_REPLY = 8192
"""Tokens of a reply: room to think, and to write a whole test file."""


@dataclass(frozen=True)
class LoopSettings:
    """Limits of a conversation.

    `steps` is the number of replies, `unusable` how many of them in a row may hold nothing that
    can be run, `command_seconds` how long one command may take. A model may insist on what the
    gate refused, by submitting again at once, where `insisting` is set.
    """

    steps: int = 50
    unusable: int = 3
    command_seconds: float = 60.0
    insisting: bool = True
    parameters: Parameters = dataclasses.field(
        default_factory=lambda: Parameters(max_tokens=LONGEST_REPLY)
    )


class LoopExit(enum.StrEnum):
    """How a conversation ended."""

    SUBMITTED = "submitted"
    STEPS = "steps"
    UNUSABLE = "unusable"
    LIMIT = "limit"
    MODEL = "model"


@dataclass(frozen=True)
class Ended:
    """The end of a conversation: how, after how many replies, and what it left.

    `submission` is what counts in the tree, or, where nothing of it is left, what did the last time
    that there was some. `error` is what ended the conversation, to be raised again once the
    submission is safe.
    """

    exit: LoopExit
    steps: int
    submission: Submission
    error: LimitReachedError | ModelError | None = None

    def raise_error(self) -> None:
        """Raise what ended the conversation, if something did. LimitReachedError, ModelError."""
        if self.error is not None:
            raise self.error


class Loop:
    """One conversation in one shell. `messages` grows with it."""

    def __init__(
        self,
        work: MethodContext,
        shell: Shell,
        messages: Sequence[Message],
        settings: LoopSettings | None = None,
        gate: Gate = no_gate,
        wanted: SubmissionRule = TESTS,
    ) -> None:
        self._work = work
        self._shell = shell
        self._settings = settings or LoopSettings()
        self._gate = gate
        self._wanted = wanted
        self.messages = list(messages)
        self._submission = Submission(Changes())
        self._unusable = 0
        self._refused = False
        self._outputs = 0

    def run(self) -> Ended:
        """Talk until an end. Raises SandboxError."""
        for step in range(1, self._settings.steps + 1):
            try:
                reply = self._ask()
            except LimitReachedError as error:
                return self._ended(LoopExit.LIMIT, step - 1, error)
            except ModelError as error:
                return self._ended(LoopExit.MODEL, step - 1, error)
            end = self._answer(reply, self._settings.steps - step)
            if end is not None:
                return self._ended(end, step)
        return self._ended(LoopExit.STEPS, self._settings.steps)

    def _ask(self) -> Reply:
        """Ask; a conversation that has grown too long loses its oldest results, once."""
        try:
            return self._asked()
        except ContextTooLongError:
            shorter = shortened(self.messages)
            if shorter == self.messages:
                raise
            self.messages = shorter
            self._work.trajectory.note("the oldest results were left out: the model is at its end")
            return self._asked()

    def _asked(self) -> Reply:
        tools = (BASH,) if self._tools else ()
        reply = self._work.ask(self.messages, self._settings.parameters, tools)
        self.messages.append(reply.message)
        return reply

    @property
    def _tools(self) -> bool:
        return self._work.model is not None and self._work.model.calls_tools

    def _answer(self, reply: Reply, left: int) -> LoopExit | None:
        """Do all that a reply asks for; every call gets its answer before the next question."""
        calls = calls_of(reply, tools=self._tools)
        usable = any(not call.problem for call in calls)
        self._unusable = 0 if usable else self._unusable + 1
        end = LoopExit.UNUSABLE if self._unusable >= self._settings.unusable else None
        for call in calls:
            if call.submits and end is None:
                refusal = self._submitted()
                end = None if refusal else LoopExit.SUBMITTED
                self._answer_call(call, refusal or "submitted", left)
            else:
                self._answer_call(call, self._result(call), left)
        return end

    def _submitted(self) -> str:
        """Why what is in the tree is not taken, "" where they are."""
        refusal = self._refusal()
        insists = self._refused and self._settings.insisting
        self._refused = bool(refusal)
        return "" if insists else refusal

    def _refusal(self) -> str:
        found = read_submission(self._shell, self._wanted)
        reason = self._gate(found.changes) if found else self._wanted.nothing
        if not reason:
            return ""
        return render(
            "refusal", reason=reason, left_out=found.left_out, insisting=self._settings.insisting
        )

    def _result(self, call: ShellCall) -> str:
        if call.problem:
            return render("unusable", problem=call.problem, tools=self._tools)
        if call.submits:
            return "not submitted again"
        self._refused = False
        self._shell.tree.chmod(0o755)  # a command may have closed it to the next one
        completed = self._shell.script(call.script, limits=self._limits)
        self._submission = read_submission(self._shell, self._wanted) or self._submission
        return observation(completed, self._limits, self._kept)

    def _kept(self, output: str) -> str:
        """Keep an output in the scratch directory; the name under which commands find it."""
        self._outputs += 1
        name = f"output-{self._outputs}.txt"
        file = self._shell.scratch / name
        # A command may have put a link or a directory there.
        with (
            contextlib.suppress(OSError),
            tempfile.NamedTemporaryFile(
                "w", dir=self._shell.scratch, delete=False, encoding="utf-8"
            ) as whole,
        ):
            whole.write(output)
            Path(whole.name).chmod(0o644)
            Path(whole.name).replace(file)
            return f"{self._shell.scratch_location}/{name}"
        return ""

    @property
    def _limits(self) -> ResourceLimits:
        seconds = self._settings.command_seconds
        return dataclasses.replace(
            self._shell.limits,
            wall_seconds=seconds,
            cpu_seconds=2 * seconds,
            output_bytes=MEBIBYTE,
        )

    def _answer_call(self, call: ShellCall, content: str, left: int) -> None:
        hint = render("steps_left", left=left) if left <= 3 else ""
        content = f"{content.rstrip()}\n\n{hint}".strip()
        role: Role = "tool" if call.by_tool else "user"
        self.messages.append(Message(role, content, tool_call_id=call.call_id))

    def _ended(
        self, end: LoopExit, steps: int, error: LimitReachedError | ModelError | None = None
    ) -> Ended:
        last = read_submission(self._shell, self._wanted) or self._submission
        self._work.trajectory.note(
            f"the conversation ended: {end}",
            {"exit": str(end), "steps": steps, "left_out": list(last.left_out)},
        )
        return Ended(end, steps, last, error)


def _installed(programs: Sequence[str], shell: Shell) -> list[str]:
    """Those of some programs that the environment has."""
    folders = shell.environment.programs
    return [name for name in programs if any((folder / name).exists() for folder in folders)]


def shell_rules(work: MethodContext, shell: Shell, settings: LoopSettings) -> Message:
    """The system message: what a command can do, and how it is asked for."""
    tools = work.model is not None and work.model.calls_tools
    language = work.language
    rules = render(
        "shell",
        tools=tools,
        seconds=settings.command_seconds,
        language=language,
        scratch=shell.scratch_location,
        most=MOST_CHARACTERS,
        checkers=_installed(language.words.checkers, shell),
    )
    return Message("system", rules)
