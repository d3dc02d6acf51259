"""What keeps a change from a wrong acceptance: rules on its files, further runs, existing tests."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from evaluator.diff import Changes, Source
from evaluator.execution import Executor, Subject
from evaluator.languages import is_test_file, languages
from evaluator.languages.safeguards import BaseTree, Concern, Safeguards, Test
from evaluator.languages.sources import Changed
from evaluator.model import Revision
from evaluator.regressions.run import find_regressions
from evaluator.steps import JudgingStep
from evaluator.verdict import Decision, decide
from evaluator.verdict.evidence import Evidence, Reactions
from evaluator.verification.executed import loading_lines, starting_processes
from evaluator.verification.inert import only_added
from evaluator.verification.judged_tests import JudgedTests
from evaluator.verification.mutation import parts_tested
from evaluator.verification.other_examples import unmended_examples
from evaluator.verification.reruns import dependent
from evaluator.verification.sensitivity import sensitivity
from evaluator.verification.thoroughness import THOROUGH, Thoroughness
from evaluator.workspace import Workspace

_ADDED = "something that the change adds, and that nothing else uses,"
_COMPILED = frozenset({".so", ".dll", ".dylib", ".o", ".a", ".wasm", ".exe", ".class"})
_ARCHIVES = frozenset({".zip", ".jar", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z"})
_PICTURES: Mapping[str, tuple[bytes, ...]] = {
    ".png": (b"\x89PNG\r\n",),
    ".jpg": (b"\xff\xd8\xff",),
    ".jpeg": (b"\xff\xd8\xff",),
    ".gif": (b"GIF8",),
    ".ico": (b"\0\0\1\0",),
    ".webp": (b"RIFF",),
    ".pdf": (b"%PDF",),
    ".woff": (b"wOFF",),
    ".woff2": (b"wOF2",),
    ".ttf": (b"\0\1\0\0", b"true"),
    ".otf": (b"OTTO",),
    ".mo": (b"\xde\x12\x04\x95", b"\x95\x04\x12\xde"),
}
"""Binary files that nothing runs, by what they begin with."""
_Trial = Callable[[Evidence, Executor, Subject, Sequence[JudgedTests]], Evidence]


def examined(
    evidence: Evidence, subject: Subject, own: Changes, examples: Sequence[Test], issue: str = ""
) -> Evidence:
    """The evidence with what the files of a change say against it.

    `own` are the tests that it brings along, `examples` the files of all tests that judge it,
    `issue` is what they are about.
    """
    fix = subject.fix.contents
    changed = {**own.contents, **fix}
    environment = subject.environments[Revision.BASE]
    base = BaseTree(subject.pristine, subject.files, environment, examples)
    safeguards = subject.language.safeguards
    return dataclasses.replace(
        evidence,
        configuration=tuple(safeguards.changed_configuration(changed, base)),
        edited_data=tuple(safeguards.edited_data(changed, base)),
        uninstalled=tuple(safeguards.unmet_dependencies(changed, base)),
        unreadable=unreadable(changed, subject.files),
        evasions=evasions(fix, subject.files),
        special_cases=special_cases(fix, subject.files, examples, issue),
        refused_calls=refused_calls(fix, subject.files),
        unseen_effects=unseen_effects(fix, subject.files),
        loading=frozenset(loading_lines(subject)),
    )


def special_cases(
    changed: Changed, source: Source, tests: Sequence[Test], issue: str = ""
) -> tuple[Concern, ...]:
    """Values that stand in the examples of `tests` or `issue`, and that new branches ask for."""
    return tuple(
        concern
        for language in languages()
        for concern in language.safeguards.special_cases(changed, source, tests, issue)
    )


def refused_calls(changed: Changed, source: Source) -> tuple[Concern, ...]:
    """What callers of public functions and classes can no longer do, in code with new contents."""
    return _of_edited_code(changed, source, lambda safeguards: safeguards.refused_calls)


def unseen_effects(changed: Changed, source: Source) -> tuple[Concern, ...]:
    """What code with new contents does beside its results that it did not before."""
    return _of_edited_code(changed, source, lambda safeguards: safeguards.unseen_effects)


def _of_edited_code(
    changed: Changed,
    source: Source,
    part: Callable[[Safeguards], Callable[[str, bytes, bytes], Iterable[str]]],
) -> tuple[Concern, ...]:
    """What a part of each language's safeguards says of code that was there and is another now."""
    return tuple(
        Concern(path, what)
        for path, new in sorted(changed.items())
        if new is not None and (old := source(path)) is not None and not is_test_file(path)
        for language in languages()
        for what in part(language.safeguards)(path, old, new)
    )


def evasions(changed: Changed, source: Source) -> tuple[Concern, ...]:
    """What files with new contents reach for that they did not before: what runs them, for one.

    Code that moves from one changed file to another reaches for nothing new.
    """
    code = {path: new for path, new in changed.items() if not is_test_file(path)}
    sides = {path: _reached(path, source(path) or b"", new or b"") for path, new in code.items()}
    gone = Counter(what for old, _ in sides.values() for what in old)
    found = []
    for path, (_, new) in sorted(sides.items()):
        for what in sorted(new):
            if gone[what] <= 0:
                found.append(Concern(path, what))
            gone[what] -= 1
    return tuple(found)


def _reached(path: str, old: bytes, new: bytes) -> tuple[Collection[str], Collection[str]]:
    """What only the old content reaches for, and what only the new, as any language sees it."""
    found = [language.safeguards.reached(path, old, new) for language in languages()]
    gone, added = zip(*found, strict=True)
    return set().union(*gone), set().union(*added)


def unreadable(changed: Changed, source: Source) -> tuple[Concern, ...]:
    """Those of the files with new contents that hide what they do, each with how.

    Data of tests may be anything but compiled: nothing runs it but tests.
    """
    return tuple(
        Concern(path, what)
        for path, new in sorted(changed.items())
        if new is not None and (what := _hides(path, source(path), new))
    )


def _hides(path: str, old: bytes | None, new: bytes) -> str:
    if not path.isprintable():
        return "a name that cannot be shown"
    suffix = PurePosixPath(path).suffix.lower()
    known = [language.safeguards for language in languages()]
    if suffix in _COMPILED or any(suffix in safeguards.compiled for safeguards in known):
        return "compiled code"
    if is_test_file(path):
        return ""
    hidden = (safeguards.hidden(path, old or b"", new) for safeguards in known)
    return next(itertools.chain.from_iterable(hidden), "") or _binary(suffix, new)


def _binary(suffix: str, new: bytes) -> str:
    """What kind of binary file it is that cannot be read; "" for text, and for pictures."""
    if suffix in _ARCHIVES:
        return "an archive"
    for language in languages():
        if suffix in language.safeguards.opaque:
            return language.safeguards.opaque[suffix]
    if b"\0" not in new or new.startswith(_PICTURES.get(suffix, ())):
        return ""
    return "a binary file"


def safeguarded(
    evidence: Evidence,
    executor: Executor,
    subject: Subject,
    *,
    others: Sequence[JudgedTests],
    own: JudgedTests | None = None,
    issue: str = "",
    thoroughness: Thoroughness = THOROUGH,
) -> Evidence:
    """The evidence with what the change does to how it is tested, by its code.

    Where it would be accepted, its tests are run once more, as their own control. `own` are the
    tests that the change brings along, `others` all that it does not; `issue` is what they are
    about, `thoroughness` says which safeguards run. Raises SandboxError.
    """
    brought = own.tests if own else Changes()
    sets = [*((own,) if own else ()), *others]
    examples = [file for each in sets for file in each.tests.contents.items()]
    found = examined(evidence, subject, brought, examples, issue)
    found = _with_processes(found, executor, subject, sets)
    if thoroughness.isolated and decide(found).decision is Decision.ACCEPT:
        found = _isolated(found, executor, subject, sets)
    if thoroughness.sensitivity and decide(found).decision is Decision.ACCEPT:
        found = _controlled(found, executor, subject, sets)
    if thoroughness.other_examples and decide(found).decision is Decision.ACCEPT:
        with executor.observe(JudgingStep.OTHER_EXAMPLES):
            unmended = unmended_examples(executor, subject, sets)
        found = dataclasses.replace(found, unmended=unmended)
    if thoroughness.mutants and decide(found).decision is Decision.ACCEPT:
        with executor.observe(JudgingStep.PARTS):
            found = dataclasses.replace(found, parts=parts_tested(executor, subject, sets))
    return found


def _with_processes(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Sequence[JudgedTests]
) -> Evidence:
    if "change_not_executed" not in {finding.rule for finding in decide(evidence).findings}:
        return evidence
    return dataclasses.replace(evidence, elsewhere=starting_processes(executor, subject, sets))


def _isolated(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Iterable[JudgedTests]
) -> Evidence:
    with executor.observe(JudgingStep.ALONE):
        found = [dependent(executor, subject, each.tests, each.judgement) for each in sets]
    return dataclasses.replace(evidence, dependent=tuple(itertools.chain.from_iterable(found)))


def _controlled(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Sequence[JudgedTests]
) -> Evidence:
    """What tests show on the additions alone, and with other expected values: side by side.

    Each is a run on one side of the change. Where the additions are enough, that is the reason.
    """

    def examine(trial: _Trial) -> Evidence:
        return trial(evidence, executor, subject, sets)

    with executor.observe(JudgingStep.SENSITIVITY):
        added, turned = executor.side_by_side(examine, (_with_additions, _with_reactions))
    if decide(added).decision is not Decision.ACCEPT:
        return added
    return dataclasses.replace(turned, missing=added.missing)


def _with_additions(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Sequence[JudgedTests]
) -> Evidence:
    found = dict.fromkeys(only_added(executor, subject, sets), _ADDED)
    return dataclasses.replace(evidence, missing={**found, **evidence.missing})


def _with_reactions(
    evidence: Evidence, executor: Executor, subject: Subject, sets: Sequence[JudgedTests]
) -> Evidence:
    reactions = tuple(
        Reactions(each.judgement, sensitivity(executor, subject, each.tests, each.judgement))
        for each in sets
    )
    return dataclasses.replace(evidence, reactions=reactions)


def with_existing_tests(
    evidence: Evidence,
    workspace: Workspace,
    subject: Subject,
    *,
    seconds: float,
    brought: Changes | None = None,
) -> Evidence:
    """The evidence with what existing tests show within some seconds.

    Where the change is rejected without them they are not run. `brought` is what the change does
    to tests. Raises SandboxError.
    """
    if decide(evidence).decision is Decision.REJECT:
        return evidence
    with workspace.observe(JudgingStep.EXISTING_TESTS):
        found = find_regressions(
            workspace.executor,
            workspace.contexts,
            subject,
            seconds=seconds,
            brought=brought,
            judged={file for judgement in evidence.judgements for file in judgement.files},
        )
    return dataclasses.replace(evidence, regressions=found)
