"""What methods share that ask a model without giving it a shell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from evaluator import rejections
from evaluator.diff import Application, Changes, apply
from evaluator.languages import is_test_file
from generator.languages import Language
from generator.method import MethodContext
from generator.model.protocol import Message, Parameters
from generator.replies import EditedSource, UnreadableReplyError, read_patches
from generator.retrieval import Excerpt, estimated_tokens, shortened_issue
from generator.task import Candidate

ISSUE_TOKENS = 10_000
"""Tokens of an issue; of a longer one, prose is left out from the middle."""

SAMPLING = 0.7
"""Temperature where replies are to differ (SWT-Bench, section 5.1); a single one is asked at 0."""


@dataclass
class Conversation:
    """A conversation with the model of a task, one question and answer after the other."""

    work: MethodContext
    parameters: Parameters = field(default_factory=Parameters)
    messages: list[Message] = field(default_factory=list)
    cut_off: bool = False
    """Whether the last answer was longer than the model may write."""

    def ask(self, question: str) -> str:
        """The answer to a question, with all that was said before. Raises ModelError."""
        self.messages.append(Message("user", question))
        reply = self.work.ask(self.messages, self.parameters)
        self.messages.append(reply.message)
        self.cut_off = reply.finish_reason == "length"
        return reply.message.content

    def noted(self, candidate: Candidate) -> Candidate:
        """What was made of the last answer, with a word on its end where that is missing."""
        if not self.cut_off:
            return candidate
        problems = (candidate.problem, f"cut off after {self.parameters.max_tokens} tokens")
        return replace(candidate, problem="; ".join(filter(None, problems)))


def report_of(work: MethodContext) -> dict[str, str | Language]:
    """What every first question holds: the issue, the change given, the test file, the language."""
    return {
        "issue": shortened_issue(work.task.issue, ISSUE_TOKENS),
        "given_patch": work.settings.given_patch,
        "anchor": anchor_of(work),
        "language": work.language,
    }


def sampling(work: MethodContext, default: int) -> Iterator[Parameters]:
    """The parameters of each sample: as many as the user set, or else the method's own number."""
    samples = work.settings.samples or default
    temperature = SAMPLING if samples > 1 else 0.0
    for sample in range(samples):
        yield Parameters(temperature=temperature, sample=sample)


def patch_candidate(work: MethodContext, reply: str, origin: str, note: str = "") -> Candidate:
    """What a reply proposes that is to hold a unified diff or blocks; only its tests are kept.

    Of several readings of a reply, the first one that applies whole is taken.
    """
    source = work.task.subject.source
    try:
        readings = read_patches(reply)
    except UnreadableReplyError as error:
        return Candidate(Changes(), origin, note, raw=reply, problem=str(error))
    tried = [(reading, apply(reading, source, keep=is_test_file)) for reading in readings]
    raw, application = max(tried, key=lambda one: _worth(one[1]))
    problem = "; ".join(rejections(application))
    return Candidate(application.changes, origin, note, raw=raw, problem=problem)


def edits_candidate(edited: EditedSource, reply: str, origin: str, note: str = "") -> Candidate:
    """What the edits of a reply propose."""
    return Candidate(edited.changes, origin, note, raw=reply, problem="; ".join(edited.refused))


def _worth(application: Application) -> tuple[bool, int]:
    """What applies whole is as good as any; of the rest, what applies in more places is better."""
    whole = application.well_formed
    return whole, 0 if whole else sum(part.applied for part in application.parts)


_MAPPED = 100
"""Files of the ranking that a map may show."""


def anchor_of(work: MethodContext) -> str:
    """The test file in which a test for the issue seems to belong, "" where none is named."""
    if not work.settings.names_test_file:
        return ""
    return next((file.path for file in work.retrieval.test_files(1)), "")


def code_of(work: MethodContext, tokens: int) -> str:
    """The test file and the code that the issue may be about, up to a number of tokens."""
    context = work.retrieval.context(tokens)
    return "\n\n".join(map(_shown, (*context.tests, *context.code, *context.outlines)))


def map_of(work: MethodContext, tokens: int) -> str:
    """What the files define that the issue may be about, best first, up to a number of tokens."""
    outlines: list[str] = []
    for file in work.retrieval.source_files(_MAPPED):
        outline = f"{file.path}\n{work.retrieval.outline(file.path)}"
        tokens -= estimated_tokens(outline)
        if tokens < 0:
            break
        outlines.append(outline)
    return "\n\n".join(outlines)


def _shown(excerpt: Excerpt) -> str:
    return f"{excerpt.path}, lines {excerpt.first} to {excerpt.last}:\n{excerpt.text}"
