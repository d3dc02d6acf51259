"""Lays down mirrors that stand on their own: without network, and without where they came from."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evaluator.checkout.mirror import Mirror
from evaluator.checkout.repositories import clone, is_url
from evaluator.checkout.scratch import lay_over
from evaluator.errors import CheckoutError
from evaluator.storage.locks import DirectoryLock

_CONFIGURATION = "[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n"
_SHA256 = (
    "[core]\n\trepositoryFormatVersion = 1\n\tbare = true\n[extensions]\n\tobjectFormat = sha256\n"
)


def lay_mirror(places: Sequence[str], commits: Sequence[str], target: Path, cache: Path) -> bool:
    """Make `target` a mirror that has all `commits`, from the first of `places` that has them.

    Returns False where it stands there already. A kill leaves the old `target` or none, never
    half of one. Raises CheckoutError saying of every place why it does not do.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with DirectoryLock.waiting(target.parent):
        for abandoned in target.parent.glob(f".{target.name}-*"):
            # A git that outlived its killed parent may still write there: then it goes next time.
            shutil.rmtree(abandoned, ignore_errors=True)
        if _has(target, commits, cache):
            return False
        _lay_first(places, commits, target, cache)
    return True


def _has(target: Path, commits: Sequence[str], cache: Path) -> bool:
    try:
        return not Mirror.open(target, cache).lacking(commits)
    except CheckoutError:
        return False


def _lay_first(places: Sequence[str], commits: Sequence[str], target: Path, cache: Path) -> None:
    reasons = []
    for place in places:
        fresh = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
        try:
            _bring(place, commits, fresh / "repo", cache)
            _put(fresh / "repo", target)
        except CheckoutError as error:
            reasons.append(f"  {place}: {error}")
        else:
            return
        finally:
            shutil.rmtree(fresh)
    raise CheckoutError("no mirror can be made; tried\n" + "\n".join(reasons))


def _bring(place: str, commits: Sequence[str], fresh: Path, cache: Path) -> None:
    if is_url(place):
        clone(place, fresh)
        _check(Mirror.open(fresh, cache), commits)
    else:
        source = Mirror.open(Path(place).expanduser(), cache)
        _check(source, commits)
        _copy(source, fresh)


def _check(mirror: Mirror, commits: Sequence[str]) -> None:
    lacking = mirror.lacking(commits)
    if lacking:
        more = f" and {len(lacking) - 1} more of {len(commits)}" if len(lacking) > 1 else ""
        raise CheckoutError(f"commit {lacking[0]}{more} is not in it")


def _put(fresh: Path, target: Path) -> None:
    if target.exists():
        target.rename(fresh.with_name("replaced"))
    fresh.rename(target)


def _copy(source: Mirror, target: Path) -> None:
    """Copy a repository's objects, those that it borrows from others included, and its refs.

    Not `git clone`: it fails where an object is missing, and where the source is not ours.
    """
    (target / "objects").mkdir(parents=True)
    (target / "refs").mkdir()
    for objects in _object_stores(source.store.objects):
        lay_over(objects, target / "objects")
    shutil.rmtree(target / "objects" / "info", ignore_errors=True)  # names the lenders; rebuildable
    for name in ("HEAD", "packed-refs", "shallow"):
        if (source.git_directory / name).is_file():
            shutil.copyfile(source.git_directory / name, target / name)
    lay_over(source.git_directory / "refs", target / "refs")
    configuration = _SHA256 if source.store.algorithm == "sha256" else _CONFIGURATION
    (target / "config").write_text(configuration, encoding="utf-8")


def _object_stores(objects: Path) -> list[Path]:
    """An object directory and, in turn, those that it borrows from (gitrepository-layout(5))."""
    stores: list[Path] = []
    waiting = [objects]
    while waiting:
        store = waiting.pop()
        if store not in stores:
            stores.append(store)
            waiting += _lenders(store)
    return stores


def _lenders(store: Path) -> list[Path]:
    try:
        lines = (store / "info" / "alternates").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [(store / line).resolve() for line in lines if line and not line.startswith("#")]
