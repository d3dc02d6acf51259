"""The compiled files of a release, for a tree of about that time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.languages.python.environment.binaries import choose, lay
from evaluator.languages.python.environment.interpreter import Interpreter
from evaluator.languages.python.environment.uv import Uv
from evaluator.storage.keys import short_key
from evaluator.storage.once import make_once

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
            choice = choose(uv, wheel, tree, roots)
            fits = _sources(wheel, tree, roots) <= _modules(choice.values())
            (place / CHOICE).write_text(json.dumps(choice if fits else {}), encoding="utf-8")

        made = make_once(uv.cache / "choices", short_key(self.key, tree_key, roots), write)
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
