"""`aider`: a map of the repository, edits, and reflection on what is wrong with them.

As SWT-Bench (section 4.2) carries over Aider (https://aider.chat/docs/repomap.html) to tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator import CheckoutError, PatchError, Phase, Run, files_to_run
from evaluator.diff import Changes
from evaluator.languages import is_test_file
from generator.languages import outline_text
from generator.method import Choice, Considered, MethodContext, last_admitted
from generator.methods.conversation import (
    Conversation,
    edits_candidate,
    map_of,
    report_of,
    sampling,
)
from generator.prompts import render
from generator.replies import (
    EditedSource,
    UnreadableReplyError,
    apply_edits,
    read_paths,
    read_search_replace,
)
from generator.retrieval import estimated_tokens
from generator.task import Candidate

_SHOWN_OUTPUT = 4_000
_TOO_LONG = "(too long to be shown; this is what it defines, by line)\n"


@dataclass(frozen=True)
class Aider:
    """Show a map of the repository, let the model name files and edit, and reflect on errors.

    After the first answer there are at most `reflections`. `map_tokens` bound the map,
    `file_tokens` the files that are shown in full, `most_files` their number.
    """

    name = "aider"
    needs_model = True
    replay_only = False

    reflections: int = 3
    map_tokens: int = 4_000
    file_tokens: int = 40_000
    most_files: int = 6

    def candidates(self, work: MethodContext) -> Iterator[Candidate]:
        """The files as they stand after each answer, the first one and those on reflection."""
        for parameters in sampling(work, default=1):
            conversation = Conversation(work, parameters)
            yield from self._edited(conversation, self._files(conversation))

    def choose(self, work: MethodContext, considered: Sequence[Considered]) -> Choice | None:  # noqa: ARG002
        """The last one that was admitted."""
        return last_admitted(considered)

    def _files(self, conversation: Conversation) -> str:
        """Ask which files to see; what to say with them."""
        work = conversation.work
        question = render(
            "aider_files",
            map=map_of(work, self.map_tokens),
            most=self.most_files,
            **report_of(work),
        )
        named = read_paths(conversation.ask(question))[: self.most_files]
        found = [(path, _text(work, path)) for path in named]
        missing = [path for path, text in found if not text]
        return render(
            "aider_edit",
            files=list(self._within(found)),
            missing=missing,
            language=work.language,
        )

    def _within(self, files: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        """The files that fit in full, and of the others what they define."""
        left = self.file_tokens
        for path, text in files:
            shown = text if estimated_tokens(text) <= left else _TOO_LONG + outline_text(path, text)
            left -= estimated_tokens(shown)
            if text and left >= 0:
                yield path, shown

    def _edited(self, conversation: Conversation, question: str) -> Iterator[Candidate]:
        work, tests = conversation.work, Changes()
        for number in range((work.settings.rounds or self.reflections) + 1):
            reply = conversation.ask(question)
            edited = _applied(work, reply, tests)
            tests = edited.changes
            candidate = edits_candidate(edited, reply, self.name, f"reflection {number}")
            yield conversation.noted(candidate)
            problem = "\n".join(edited.refused) or _problem(work, tests)
            if not problem:
                return
            question = render("aider_reflect", problem=problem, applied=sorted(tests.contents))


def _text(work: MethodContext, path: str) -> str:
    """The text of a file that the model names, "" where there is none to be read."""
    try:
        return work.retrieval.read(path)
    except (PatchError, CheckoutError):
        return ""


def _applied(work: MethodContext, reply: str, before: Changes) -> EditedSource:
    """The edits of a reply on top of earlier ones."""
    try:
        edits = read_search_replace(reply)
    except UnreadableReplyError as error:
        return EditedSource(before, (str(error),))
    source = before.overlaid(work.task.subject.source)
    edited = apply_edits(edits, source, keep=is_test_file)
    return EditedSource(before.merged(edited.changes), edited.refused)


def _problem(work: MethodContext, tests: Changes) -> str:
    """What keeps the tests from running at all, "" where nothing does.

    That they fail is what they are for, so that failures are not reported.
    """
    if not files_to_run(tests):
        return "no file was changed that tests are run from"
    run = work.runner.run_tests(tests)
    broken = [o for o in run.outcomes.values() if o.status.fails and o.phase is Phase.COLLECTION]
    if run.outcomes and not broken:
        return ""
    reasons = [
        f"{o.file}: {o.failure.exception_type}: {o.failure.message}" for o in broken if o.failure
    ]
    return "\n".join(reasons) or f"no test was run:\n{_end(run)}"


def _end(run: Run) -> str:
    return run.output[-_SHOWN_OUTPUT:]
