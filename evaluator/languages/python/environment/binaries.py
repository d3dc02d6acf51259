"""Compiled files for a tree, taken from a wheel: a release's, or one built from the tree."""

from __future__ import annotations

import functools
import glob
import json
import os
import tempfile
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.checkout.git import git, shielded
from evaluator.environment.tools import BUILD_LIMITS, link_file, regular_files
from evaluator.errors import EnvironmentBuildError
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

COMPILED = (".so", ".pyd", ".dylib")
_SOURCES = (
    *(".pyx", ".pxd", ".pxi", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl"),
    *(".f", ".for", ".f77", ".f90", ".f95", ".pyf", ".rs", ".cu", ".asm"),
    *(".c.src", ".h.src", ".f.src", ".c.in", ".h.in", ".pyx.in", ".pxd.in", ".pxi.in", ".pyx.tp"),
    *(".g4", ".proto"),
)
"""Of modules that a build compiles, or writes from a template or a grammar."""
OVERLAY_FORMAT = 5
"""What is laid over a tree: a cache may hold what an older fixgate laid."""
_BESIDE_SOURCE = frozenset({".py", ".pyi", ".pxd"})
"""What stands for a module that Cython or mypyc compile as it is: the source, and types for it."""
INTERMEDIATE = (".c", ".cc", ".cpp", ".cxx", ".h", ".o", ".pyc")
GIT_SECONDS = 60
_SOME_OR_NONE = frozenset({0, 1, 128})
"""What git ends with where it finds ignored paths, none, or cannot look at one of them."""


def is_compiled(path: str) -> bool:
    """Whether a file is a source of compiled modules."""
    return path.endswith(_SOURCES)


def any_is_made_of(paths: Iterable[str], overlays: Sequence[Path]) -> bool:
    """Whether a build made something in overlays of one of these files: by its name, beside it.

    So are translations (`app.mo` of `app.po`), parsers and styles. What is compiled of a Python
    file alone is in no overlay.
    """
    read: dict[tuple[PurePosixPath, str], set[str]] = {}
    for path in paths:
        if not path.endswith((".py", ".pyi")):
            read.setdefault(_name_of(path), set()).add(PurePosixPath(path).suffix)
    if not read:
        return False
    made = (file for overlay in overlays for file in regular_files(overlay))
    return any(read.get(_name_of(file), set()) - {PurePosixPath(file).suffix} for file in made)


def _name_of(path: str) -> tuple[PurePosixPath, str]:
    pure = PurePosixPath(path)
    return pure.parent, pure.name.partition(".")[0]


def unpack(wheel: Path, target: Path) -> None:
    """Unpack a wheel that a project's own build left; zipfile keeps every member inside `target`.

    Raises EnvironmentBuildError for what is no wheel, or is larger unpacked than a build may be.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size > BUILD_LIMITS.disk_bytes:
                raise EnvironmentBuildError(f"{wheel.name} is too large: {size} bytes unpacked")
            archive.extractall(target)
    except zipfile.BadZipFile as error:
        raise EnvironmentBuildError(f"{wheel.name} is not a wheel: {error}") from error


def choose(wheel: Path, tree: Path, roots: Sequence[str]) -> dict[str, str]:
    """Which files of an unpacked wheel a tree lacks because a build makes them.

    Maps a path in the wheel to its path in the tree. These are compiled modules, the libraries
    bundled with them, metadata, and whatever else the tree's own .gitignore names (`_version.py`):
    other files of a release that are not in the tree belong to another commit.
    """
    places = {file: _place(file, tree, roots) for file in regular_files(wheel)}
    missing = {f: p for f, p in places.items() if is_lacked(p, tree)}
    wanted = {file: place for file, place in missing.items() if _is_built(file)}
    others = {f: p for f, p in missing.items() if f not in wanted and not _is_useless(f)}
    ignored = ignored_paths(tree, others.values())
    return wanted | {file: place for file, place in others.items() if place in ignored}


def is_lacked(file: str, tree: Path) -> bool:
    """Whether a tree is to have a file that a build made: one that it has not, and needs."""
    return not (tree / file).exists() and not _hides_source(file, tree)


def _hides_source(file: str, tree: Path) -> bool:
    """Whether a compiled module is made of a Python file alone, which Python would pass over.

    What a change does to that file would not be seen.
    """
    path = PurePosixPath(file)
    if path.suffix not in COMPILED:
        return False
    name = path.name.partition(".")[0]
    beside = {each.suffix for each in (tree / path.parent).glob(f"{glob.escape(name)}.*")}
    return ".py" in beside and beside <= _BESIDE_SOURCE


def lay(wheel: Path, chosen: Mapping[str, str], place: Path) -> None:
    """Put the chosen files of a wheel at their places under `place`."""
    place.mkdir(exist_ok=True)
    for file, target in chosen.items():
        link_file(wheel / file, place / target)


def ignored_paths(tree: Path, paths: Iterable[str]) -> set[str]:
    """Those paths that the .gitignore files of a tree name. The tree needs no history."""
    with tempfile.TemporaryDirectory() as directory:
        scratch = Path(directory)
        here = functools.partial(git, environment=shielded(), directory=scratch)
        here([f"--git-dir={scratch}", "init", "--quiet", "--template="])
        check = ["check-ignore", "--no-index", "-z", "--stdin"]
        ignored = here(
            [f"--git-dir={scratch}", f"--work-tree={tree}", *check],
            given=b"\0".join(map(os.fsencode, paths)),
            seconds=GIT_SECONDS,
            fine=_SOME_OR_NONE,
        )
        return set(os.fsdecode(ignored).split("\0"))


def _place(file: str, tree: Path, roots: Sequence[str]) -> str:
    """The path in the tree: below the import root that holds the top-level package."""
    top = PurePosixPath(file).parts[0]
    root = next((root for root in roots if (tree / root / top).exists()), roots[0])
    return str(PurePosixPath(root, file))


def _is_built(file: str) -> bool:
    path = PurePosixPath(file)
    bundled = any(part.endswith(".libs") for part in path.parts[:-1])
    return bundled or path.suffix in COMPILED or path.parts[0].endswith(".dist-info")


def _is_useless(file: str) -> bool:
    path = PurePosixPath(file)
    return len(path.parts) == 1 or path.suffix in INTERMEDIATE or path.parts[0] == "bin"


CHOICE = "chosen.json"
SOURCE = ".pyx"


class NoFittingReleaseError(Exception):
    """No named release has all the modules of which the tree has sources."""


@dataclass(frozen=True)
class Release:
    """A release (`scikit-learn==0.21.3`) whose wheel may give a tree its compiled files."""

    name: str
    interpreter: Interpreter

    @property
    def key(self) -> str:
        """The content key of the wheel."""
        return short_key(self.name, self.interpreter.version)

    def overlay(self, uv: Uv, tree: Path, tree_key: str, roots: Sequence[str]) -> Path:
        """What the wheel has that the tree lacks, shared by all trees that lack the same.

        Raises NoFittingReleaseError where the tree has sources of modules that the wheel has not:
        then it lies before or after a change that no release shows. Raises ToolError where
        there is no wheel for the interpreter.
        """
        wheel = make_once(uv.cache / "wheels", self.key, lambda place: self._download(uv, place))
        choice = self._choice(uv, wheel, tree, tree_key, roots)
        if not choice:
            raise NoFittingReleaseError(self.name)
        key = short_key(self.key, sorted(choice.items()))
        return make_once(uv.cache / "overlays", key, lambda place: lay(wheel, choice, place))

    def _download(self, uv: Uv, place: Path) -> None:
        python = ["--python", str(self.interpreter.path)]
        target = ["--target", str(place), "--no-deps", "--no-build"]
        uv.run(["pip", "install", "--quiet", *python, *target, self.name])

    def _choice(
        self, uv: Uv, wheel: Path, tree: Path, tree_key: str, roots: Sequence[str]
    ) -> Mapping[str, str]:
        """Path in the wheel -> path in the tree, found once a tree; empty if it does not fit."""

        def write(place: Path) -> None:
            place.mkdir()
            choice = choose(wheel, tree, roots)
            fits = _sources(wheel, tree, roots) <= _modules(choice.values())
            (place / CHOICE).write_text(json.dumps(choice if fits else {}), encoding="utf-8")

        made = make_once(
            uv.cache / "choices", short_key(self.key, tree_key, roots, OVERLAY_FORMAT), write
        )
        choice: dict[str, str] = json.loads((made / CHOICE).read_text(encoding="utf-8"))
        return choice


def first_fitting(
    releases: Iterable[Release], uv: Uv, tree: Path, tree_key: str, roots: Sequence[str]
) -> Path:
    """The overlay of the first release that fits. Raises NoFittingReleaseError and ToolError."""
    names: list[str] = []
    for release in releases:
        try:
            return release.overlay(uv, tree, tree_key, roots)
        except NoFittingReleaseError:
            names.append(release.name)
    raise NoFittingReleaseError(", ".join(names))


def _sources(wheel: Path, tree: Path, roots: Sequence[str]) -> set[str]:
    """The modules of a tree, in the packages of a wheel, that have a source to be compiled."""
    packages = [Path(tree, root, top.name) for root in roots for top in wheel.iterdir()]
    sources = (source for package in packages for source in package.rglob(f"*{SOURCE}"))
    return _modules(str(source.relative_to(tree)) for source in sources)


def _modules(paths: Iterable[str]) -> set[str]:
    """`pkg/_speed.cpython-39-x86_64-linux-gnu.so` and `pkg/_speed.pyx` are `pkg/_speed`."""
    pure = map(PurePosixPath, paths)
    return {str(path.parent / path.name.partition(".")[0]) for path in pure}
