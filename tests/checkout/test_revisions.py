"""Revisions and merge bases: found without git in the repository, and as git finds them."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from evaluator.checkout import Mirror
from evaluator.errors import CheckoutError

from .conftest import Origin, new_origin


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Origin:
    """Branches, tags, a remote's branches, and a merge; some packed, and one moved since."""
    origin = new_origin(tmp_path_factory.mktemp("named") / "repo")
    origin.commit({"a": b"1"})
    origin.git("branch", "dir/old")
    origin.git("tag", "light")
    origin.git("checkout", "--quiet", "-b", "side")
    origin.commit({"b": b"1"})
    origin.git("checkout", "--quiet", "main")
    origin.commit({"a": b"2"})
    origin.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
    origin.git("tag", "-a", "-m", "heavy", "v1.2")
    origin.git("tag", "-a", "-m", "heavier", "v1.2-again", "v1.2")
    origin.git("update-ref", "refs/remotes/origin/main", "main~1")
    origin.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    origin.git("update-ref", "refs/fixgate/heads/main", "main")
    origin.git("tag", "same-name", "main")
    origin.git("branch", "same-name", "main~1")
    origin.git("pack-refs", "--all")
    origin.commit({"a": b"3"})
    return origin


NAMES = [
    *("HEAD", "@", "main", "side", "dir/old", "heads/side", "refs/heads/side", "light", "v1.2"),
    *("v1.2-again", "tags/v1.2", "origin", "origin/main", "origin/HEAD", "same-name", "ORIG_HEAD"),
    *("refs/fixgate/heads/main", "HEAD~0", "HEAD~", "HEAD^", "HEAD~2", "HEAD~^2", "HEAD^^", "@~2"),
    *("main~1^2~1", "v1.2^{}", "v1.2^{commit}~1", "v1.2^0", "heads/same-name"),
]


@pytest.mark.parametrize("revision", NAMES)
def test_names_are_what_git_takes_them_for(named: Origin, cache: Path, revision: str) -> None:
    wanted = named.git("rev-parse", f"{revision}^{{commit}}")
    mirror = Mirror.open(named.path, cache)
    assert mirror.named(revision) == wanted
    assert mirror.named(wanted[:8]) == wanted


@pytest.mark.parametrize(
    ("revision", "why"),
    [
        *((name, "is not a revision") for name in ("-x", "", "main@{1}", ":/fix", "a b")),
        *((name, "is not a revision") for name in ("main:a", "main^{tree}", "@{-1}", "^main")),
        *(
            (name, "there is no")
            for name in ("gone", "a..b", "../HEAD", "/etc/passwd", "config", "./main")
        ),
        *((name, "there is no") for name in ("refs/../HEAD", "hooks/x", "objects", "logs/HEAD")),
        *((name, "has no parent") for name in ("main~9", "main^2")),
        ("ab" * 20, "is not in it"),
        ("abcdef12", "is not in it"),
    ],
)
def test_other_names_are_refused(named: Origin, cache: Path, revision: str, why: str) -> None:
    with pytest.raises(CheckoutError, match=why):
        Mirror.open(named.path, cache).named(revision)


@pytest.fixture
def own(named: Origin, tmp_path: Path) -> Origin:
    """A copy to be changed."""
    shutil.copytree(named.path, tmp_path / "own", symlinks=True)
    return Origin(tmp_path / "own")


def test_a_linked_work_tree_has_a_head_of_its_own(own: Origin, cache: Path, tmp_path: Path) -> None:
    own.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "light")
    mirror = Mirror.open(tmp_path / "linked", cache)
    assert mirror.named("HEAD") == own.git("rev-parse", "light")
    assert mirror.named("main") == own.git("rev-parse", "main")


def test_references_that_turn_in_circles_or_lead_elsewhere(own: Origin, cache: Path) -> None:
    heads = own.path / ".git/refs/heads"
    (heads / "circle").write_text("ref: refs/heads/circle\n")
    (heads / "outside").write_text("ref: ../../secret\n")
    (heads / "text").write_text("no id\n")
    (heads / "link").symlink_to("/etc/hostname")
    for name in ("circle", "outside", "text", "link"):
        with pytest.raises(CheckoutError, match="there is no branch"):
            Mirror.open(own.path, cache).named(name)


def test_reftable_says_so(own: Origin, cache: Path) -> None:
    head = own.git("rev-parse", "HEAD")
    (own.path / ".git/reftable").mkdir()
    mirror = Mirror.open(own.path, cache)
    with pytest.raises(CheckoutError, match="reftable; name a commit id"):
        mirror.named("main")
    assert mirror.named(f"{head}~1") == own.git("rev-parse", f"{head}~1")


def _history(origin: Origin, chance: random.Random, size: int) -> list[str]:
    """Commits with up to three parents each, and dates that are sometimes wrong."""
    rows = []
    for number in range(1, size + 1):
        date = 1_600_000_000 + number * 100 - chance.choice([0, 0, 0, 5_000])
        parents = chance.sample(range(1, number), min(number - 1, chance.choice([1, 1, 2, 3])))
        rows.append(f"reset refs/heads/b{number}\ncommit refs/heads/b{number}\nmark :{number}\n")
        rows.append(f"committer C <c@example.org> {date} +0000\ndata 0\n")
        rows += [f"{'merge' if at else 'from'} :{one}\n" for at, one in enumerate(parents)]
    rows += [f"get-mark :{number}\n" for number in range(1, size + 1)]
    return origin.git("fast-import", "--quiet", given="".join(rows).encode()).split()


@pytest.mark.parametrize("seed", range(4))
def test_merge_bases_are_those_of_git(origin: Origin, cache: Path, seed: int) -> None:
    chance = random.Random(seed)
    commits = _history(origin, chance, 25)
    mirror = Mirror.open(origin.path, cache)
    for _ in range(10):
        ours, theirs = chance.choice(commits), chance.choice(commits)
        found = mirror.merge_base(ours, theirs)
        assert found in origin.git("merge-base", "--all", ours, theirs).split()


def test_a_shallow_history_ends_where_it_says(origin: Origin, cache: Path, tmp_path: Path) -> None:
    origin.commit({"a": b"1"})
    origin.git("branch", "other")
    middle = origin.commit({"a": b"2"})
    origin.commit({"a": b"3"})
    origin.git("checkout", "--quiet", "other")
    origin.commit({"b": b"1"})
    url = f"file://{origin.path}"
    options = ("--quiet", "--bare", "--depth=2", "--no-single-branch")
    origin.git("clone", *options, url, str(tmp_path / "shallow"))
    mirror = Mirror.open(tmp_path / "shallow", cache)
    assert mirror.merge_base(mirror.named("main"), middle) == middle
    origin.git("clone", *options[:2], "--depth=1", "--no-single-branch", url, str(tmp_path / "one"))
    mirror = Mirror.open(tmp_path / "one", cache)
    with pytest.raises(CheckoutError, match="this clone is shallow: fetch more"):
        mirror.merge_base(mirror.named("main"), mirror.named("other"))


def test_sha256_names(cache: Path, tmp_path: Path) -> None:
    origin = new_origin(tmp_path / "sha256", "--object-format=sha256")
    first, second = origin.commit({"a": b"1"}), origin.commit({"a": b"2"})
    mirror = Mirror.open(origin.path, cache)
    assert mirror.named("main~1") == first
    assert mirror.merge_base(second, first) == first
