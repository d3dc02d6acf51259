"""What a model asks for in a reply: by tool calls, or in plain text by one fenced bash block."""

from __future__ import annotations

import json
from dataclasses import dataclass

from generator.model.protocol import Reply, Tool, ToolCall
from generator.replies import answer_of, fences

BASH = Tool(
    name="bash",
    description=(
        "Run a bash script in the repository's directory. Every call starts a new shell; only "
        "what it writes below that directory, or the scratch directory, stays. The script "
        "`submit` ends the work."
    ),
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "the bash script"}},
        "required": ["command"],
        "additionalProperties": False,
    },
)

LARGEST_SCRIPT = 100_000
"""Bytes of a script; Linux takes no argument of 128 KiB or more (MAX_ARG_STRLEN, execve(2))."""
MOST_CALLS = 8
"""Calls of one reply that are run; the others are answered with a request to come again."""

_SUBMIT = "submit"
_SHELLS = frozenset({"bash", "sh", "shell"})


@dataclass(frozen=True)
class ShellCall:
    """A script that is to be run, or, where it cannot be, the `problem` to be reported.

    `call_id` is that of the tool call which it answers, "" in plain text.
    """

    script: str = ""
    problem: str = ""
    call_id: str = ""
    by_tool: bool = False

    @property
    def submits(self) -> bool:
        """Whether it ends the work."""
        return not self.problem and self.script.strip() == _SUBMIT


def calls_of(reply: Reply, *, tools: bool) -> tuple[ShellCall, ...]:
    """Everything that a reply asks for, in order; at least one, be it a problem.

    `tools` says whether tools were offered. A block of plain text is taken from a model that has
    tools too.
    """
    asked = reply.message.tool_calls
    if not asked:
        return (_of_text(reply, tools=tools),)
    return tuple(
        _of_tool(call) if number < MOST_CALLS else _too_many(call)
        for number, call in enumerate(asked)
    )


def _of_tool(call: ToolCall) -> ShellCall:
    if call.name != BASH.name:
        problem = f"There is no tool `{call.name}`. The only tool is `{BASH.name}`."
        return ShellCall(problem=problem, call_id=call.id, by_tool=True)
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError) as error:
        problem = f"The arguments are not valid JSON ({error}); they may have been cut off."
        return ShellCall(problem=problem, call_id=call.id, by_tool=True)
    script = arguments.get("command") if isinstance(arguments, dict) else None
    if not isinstance(script, str):
        problem = 'The arguments must be an object with a text: {"command": "..."}.'
        return ShellCall(problem=problem, call_id=call.id, by_tool=True)
    return ShellCall(script, _unusable(script), call.id, by_tool=True)


def _too_many(call: ToolCall) -> ShellCall:
    problem = f"Not run: at most {MOST_CALLS} calls are run for one reply. Call again."
    return ShellCall(problem=problem, call_id=call.id, by_tool=True)


def _of_text(reply: Reply, *, tools: bool) -> ShellCall:
    blocks = [part for part in fences(answer_of(reply.message.content)) if part.language in _SHELLS]
    if len(blocks) > 1:
        return ShellCall(problem=f"The reply holds {len(blocks)} bash blocks; nothing was run.")
    if blocks and not blocks[0].closed:
        return ShellCall(problem=f"The bash block is not closed; nothing was run.{_cut(reply)}")
    if blocks:
        return ShellCall(blocks[0].text, _unusable(blocks[0].text))
    wanted = f"call of the tool `{BASH.name}`" if tools else "bash block"
    return ShellCall(problem=f"The reply holds no {wanted}.{_cut(reply)}")


def _cut(reply: Reply) -> str:
    return " It was cut off: it was too long." if reply.finish_reason == "length" else ""


def _unusable(script: str) -> str:
    """Why a script cannot be handed to a shell, "" where it can."""
    if not script.strip():
        return "The script is empty."
    if "\0" in script:
        return "The script holds a NUL character."
    try:
        size = len(script.encode())
    except UnicodeEncodeError:
        return "The script holds half a surrogate pair, which is no character."
    if size > LARGEST_SCRIPT:
        return f"The script has {size} bytes; at most {LARGEST_SCRIPT} are run. Write it in pieces."
    return ""
