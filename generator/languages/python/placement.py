"""Puts a test where it belongs: into an existing test file, or into a file of its own."""

from __future__ import annotations

from evaluator import PatchError
from evaluator.diff import Changes, Source, apply
from evaluator.languages import is_test_file


def placed(source: Source, path: str, code: str, *, line: int | None = None) -> Changes:
    """The changes that put test code into the file at `path`.

    Where the file stands already, leading imports that it lacks go to its own, and the rest goes
    to its end, or, with `line` (from 1), into the class or between the statements there; a method
    (indented, or taking `self`) goes into the class. Where it does not, it is made of the code.
    Raises PatchError for code that is no Python or has no place there, and for a path that is not
    one of tests.
    """
    if not is_test_file(path):
        raise PatchError(f"{path}: is not a path of tests")
    if source(path) is None:
        return Changes({path: (code.strip("\n") + "\n").encode()})
    position = "EOF" if line is None else str(line)
    application = apply(f"diff\n{path}\ninsert\n{position}\n{code}\nend diff\n", source)
    refused = [part.reason for part in application.parts if not part.applied]
    if refused or not application.well_formed:
        raise PatchError(f"{path}: {'; '.join(refused) or 'nothing to insert'}")
    return application.changes
