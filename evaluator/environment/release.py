"""The compiled files of releases, for a tree between them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evaluator.environment.binaries import choose, is_bundled
from evaluator.environment.files import link_file
from evaluator.environment.interpreter import Interpreter
from evaluator.environment.once import content_key, make_once
from evaluator.environment.uv import Uv

CHOICE = "chosen.json"
SOURCE = ".pyx"

Choice = Mapping[str, tuple[int, str]]
"""A path in the tree -> the number of a wheel and the path in it."""


@dataclass(frozen=True)
class Releases:
    """Releases (`scikit-learn==0.21.3`) whose wheels may give a tree its compiled files."""

    names: tuple[str, ...]
    interpreter: Interpreter

    def overlay(self, uv: Uv, tree: Path, tree_key: str, roots: Sequence[str]) -> Path:
        """What the best fitting wheel has that the tree lacks, shared by all that lack the same.

        Raises ToolError where a release has no wheel for the interpreter.
        """
        wheels = [self._wheel(uv, name) for name in self.names]
        choice = self._choice(uv, wheels, tree, tree_key, roots)
        key = content_key(self.names, self.interpreter.version, sorted(choice.items()))
        return make_once(uv.cache / "overlays", key, lambda place: _lay(wheels, choice, place))

    def _wheel(self, uv: Uv, name: str) -> Path:
        """The unpacked wheel of a release."""
        python = ["--python", str(self.interpreter.path)]
        install = ["pip", "install", "--quiet", "--no-deps", "--no-build", *python, name]

        def download(place: Path) -> None:
            uv.run([*install, "--target", str(place)])

        key = content_key(name, self.interpreter.version)
        return make_once(uv.cache / "wheels", key, download)

    def _choice(
        self, uv: Uv, wheels: Sequence[Path], tree: Path, tree_key: str, roots: Sequence[str]
    ) -> Choice:
        """`best_choice`, made once for each tree."""

        def write(place: Path) -> None:
            place.mkdir()
            text = json.dumps(best_choice(uv, wheels, tree, roots))
            (place / CHOICE).write_text(text, encoding="utf-8")

        key = content_key(self.names, self.interpreter.version, tree_key, roots)
        made = make_once(uv.cache / "choices", key, write)
        choice: Choice = json.loads((made / CHOICE).read_text(encoding="utf-8"))
        return choice


def best_choice(uv: Uv, wheels: Sequence[Path], tree: Path, roots: Sequence[str]) -> Choice:
    """The files of the wheel that has most of the modules of which the tree has sources.

    The first such wheel on a tie. Modules that it lacks come from the others: a tree between two
    releases may have modules that only the later one knows, besides those that it renamed.
    """
    needed = _needed(tree, roots)
    offers = [choose(uv, wheel, tree, roots) for wheel in wheels]
    lacking = [needed - set(map(_module, offer.values())) for offer in offers]
    order = sorted(range(len(wheels)), key=lambda number: len(lacking[number]))
    choice = {place: (order[0], file) for file, place in offers[order[0]].items()}
    for number in order[1:]:
        missing = needed - set(map(_module, choice))
        choice = {**_part(number, offers[number], missing), **choice}
    return choice


def _part(number: int, offer: Mapping[str, str], modules: set[str]) -> Choice:
    """Those modules of a wheel, with the libraries that they may need."""
    part = {place: (number, file) for file, place in offer.items() if _module(place) in modules}
    libraries = {place: (number, file) for file, place in offer.items() if is_bundled(file)}
    return {**part, **libraries} if part else {}


def _needed(tree: Path, roots: Sequence[str]) -> set[str]:
    """The modules of a tree that are compiled from a source beside them."""
    sources = (path for root in roots for path in (tree / root).rglob(f"*{SOURCE}"))
    return {_module(str(path.relative_to(tree))) for path in sources}


def _module(path: str) -> str:
    """`pkg/_speed.cpython-39-x86_64-linux-gnu.so` and `pkg/_speed.pyx` are `pkg/_speed`."""
    pure = PurePosixPath(path)
    return str(pure.with_name(pure.name.partition(".")[0] or pure.name))


def _lay(wheels: Sequence[Path], choice: Choice, place: Path) -> None:
    place.mkdir()
    for target, (number, file) in choice.items():
        link_file(wheels[number] / file, place / target)
