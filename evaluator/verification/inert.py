"""Runs reproducing tests on what a change adds, without what it does to the code that was there.

What they find there is a name, a comment, a document: that it exists now shows no behaviour. Which
way a test finds it does not matter: in a process of its own, by a name that is put together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping

from evaluator.diff import ChangedLines, Changes, Source
from evaluator.execution import Executor, Subject
from evaluator.languages import Language, source_language
from evaluator.model import Status
from evaluator.verification.judged_tests import JudgedTests


def only_added(executor: Executor, subject: Subject, sets: Iterable[JudgedTests]) -> frozenset[str]:
    """The reproducing tests that pass as soon as the additions are there, used by nothing.

    Where they are all of the change no run is needed: a test that fails by chance would end in it
    as it likes. Raises SandboxError.
    """
    contents = inert_contents(subject.fix, subject.files, subject.language)
    if contents == subject.fix.contents:
        return frozenset(test for tests in sets for test in tests.reproducing)
    if all(subject.files(path) == content for path, content in contents.items()):
        return frozenset()
    fix = dataclasses.replace(subject.fix, contents=contents)
    without = dataclasses.replace(subject, fix=fix, lines=ChangedLines({}, {}))
    return frozenset(test for tests in sets for test in _passing(executor, without, tests))


def inert_contents(fix: Changes, source: Source, mostly: Language) -> Mapping[str, bytes | None]:
    """The changed files with what is added to them, and the behaviour that they had before.

    Data that code may read is as before; what is new of it is an addition like any other, which
    tests may do no more than look for. `mostly` is the language of the project.
    """
    contents: dict[str, bytes | None] = {}
    for path, after in fix.contents.items():
        before, language = source(path), source_language(path)
        made = after
        if language is not None:
            made = None if after is None else language.sources.inert(before, after)
        elif before is not None and mostly.sources.is_data(path, source):
            made = None
        contents[path] = before if made is None else made
    return contents


def _passing(executor: Executor, subject: Subject, tests: JudgedTests) -> Iterator[str]:
    names = tests.reproducing
    if not {*names.values()}.intersection(tests.judgement.files):
        return
    run = tests.run_on_part(executor, subject)
    yield from (t for t, file in names.items() if run.status_of(t, file) is Status.PASSED)
