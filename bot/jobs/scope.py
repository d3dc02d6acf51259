"""Which changes there is nothing to judge in: documentation, settings of CI, ignored paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from pathspec import GitIgnoreSpec

from evaluator.languages import is_test_file, source_language

_DOCUMENTS: Final = frozenset({".md", ".markdown", ".rst", ".adoc"})
_DOCUMENT_FOLDERS: Final = frozenset({"doc", "docs"})
_DOCUMENT_NAMES: Final = frozenset(
    {"AUTHORS", "CHANGELOG", "CHANGES", "CODEOWNERS", "CONTRIBUTING", "CONTRIBUTORS", "COPYING"}
    | {"HISTORY", "LICENCE", "LICENSE", "NEWS", "NOTICE", "README", "SECURITY"}
)
_CI_FOLDERS: Final = frozenset({".circleci", ".github", ".gitlab"})
_CI_FILES: Final = frozenset(
    {".appveyor.yml", ".editorconfig", ".gitignore", ".gitlab-ci.yml", ".mailmap"}
    | {".pre-commit-config.yaml", ".readthedocs.yaml", ".readthedocs.yml", ".travis.yml"}
    | {"appveyor.yml", "azure-pipelines.yml", "codecov.yml", "Jenkinsfile", "renovate.json"}
)
DOCUMENTATION, CI, IGNORED = "documentation", "settings of CI", "ignored paths"


def why_nothing(paths: Iterable[str], ignored: Sequence[str]) -> str:
    """Why a change of these paths cannot be judged, as follows "Nothing to check:".

    "" where there is something to judge. `ignored` are patterns in the form of `.gitignore`.
    """
    spec = GitIgnoreSpec.from_lines(ignored)
    kinds = {_kind(path, spec) for path in paths}
    if "" in kinds:
        return ""
    order = [kind for kind in (DOCUMENTATION, CI, IGNORED) if kind in kinds]
    return f"only {' and '.join(order)} changed" if order else "no file changed"


def _kind(path: str, ignored: GitIgnoreSpec) -> str:
    """What a path is that no test can say anything about; "" for any other."""
    if ignored.match_file(path):
        return IGNORED
    if _is_ci(path):
        return CI
    return DOCUMENTATION if _is_document(path) else ""


def _is_ci(path: str) -> bool:
    folder, slash, _ = path.partition("/")
    return folder in _CI_FOLDERS if slash else path in _CI_FILES


def _is_document(path: str) -> bool:
    """By its name, at the root or among documents, where nothing that runs is likely to read it."""
    if is_test_file(path) or source_language(path) is not None:
        return False
    place = PurePosixPath(path)
    if place.stem.upper() in _DOCUMENT_NAMES and place.suffix in _DOCUMENTS | {"", ".txt"}:
        return True
    if place.parts[0] in _DOCUMENT_FOLDERS and len(place.parts) > 1:
        return True
    return place.suffix in _DOCUMENTS and len(place.parts) == 1
