"""Mirrors: what they read, and what they lay down."""

from __future__ import annotations

import datetime
import os
import shutil
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.checkout import Mirror
from evaluator.checkout.listing import EntryKind, parse_tree
from evaluator.checkout.objects import Object, object_id
from evaluator.errors import CheckoutError, PatchError

from .conftest import DATE, Origin, new_origin


@pytest.fixture
def mixed(origin: Origin) -> str:
    """A commit with every kind of entry, and attributes that ask for changes to files."""
    origin.commit(
        {
            ".gitattributes": b"*.txt eol=crlf ident\nsecret.py export-ignore\n*.bin filter=evil\n"
            b"*.u16 working-tree-encoding=UTF-16\n",
            "a.txt": b"one\n$Id$\ntwo\n",
            "b.bin": b"\0\1\2\r\n",
            "secret.py": b"x = 1\n",
            "empty": b"",
            "deep/er/caf\u00e9 \u2713.py": b"pass\n",
            "line\nbreak": b"in its name",
            "run.sh": b"#!/bin/sh\n",
        }
    )
    (origin.path / "run.sh").chmod(0o755)
    (origin.path / "link").symlink_to("deep/er")
    (origin.path / "out").symlink_to("/etc/hostname")
    raw = os.fsencode(origin.path) + b"/latin-\xe9"
    Path(os.fsdecode(raw)).write_bytes(b"latin")
    other = origin.git("rev-parse", "HEAD")
    origin.git("add", "--all")
    origin.git("update-index", "--add", "--cacheinfo", f"160000,{other},vendored/module")
    origin.git("commit", "--quiet", "-m", "mixed")
    return origin.git("rev-parse", "HEAD")


@pytest.fixture
def mirror(origin: Origin, cache: Path, mixed: str) -> Mirror:
    return Mirror.open(origin.path, cache)


def test_reads_the_committed_bytes(mirror: Mirror, mixed: str) -> None:
    assert mirror.read(mixed, "a.txt") == b"one\n$Id$\ntwo\n"
    assert mirror.read(mixed, "b.bin") == b"\0\1\2\r\n"
    assert mirror.read(mixed, "empty") == b""
    assert mirror.read(mixed, "deep/er/caf\u00e9 \u2713.py") == b"pass\n"
    assert mirror.read(mixed, "line\nbreak") == b"in its name"
    assert mirror.read(mixed, os.fsdecode(b"latin-\xe9")) == b"latin"


@pytest.mark.parametrize(
    "path",
    ["nowhere", "deep", "deep/er", "vendored/module", "", ".", "../a.txt", "/a.txt", "a.txt/"],
)
def test_reads_none_where_no_file_is(mirror: Mirror, mixed: str, path: str) -> None:
    assert mirror.read(mixed, path) is None


@pytest.mark.parametrize("path", ["link", "out", "link/caf\u00e9 \u2713.py", "out/below"])
def test_refuses_symbolic_links(mirror: Mirror, mixed: str, path: str) -> None:
    with pytest.raises(PatchError, match="is a symbolic link in the tree"):
        mirror.read(mixed, path)


def test_source_serves_many_threads(mirror: Mirror, mixed: str) -> None:
    source = mirror.source(mixed[:10])
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(source, ["secret.py"] * 40)) == {b"x = 1\n"}


def test_date_is_the_committers_in_utc(mirror: Mirror, mixed: str) -> None:
    assert mirror.date(mixed) == datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def test_resolves_the_beginning_of_an_id(mirror: Mirror, mixed: str) -> None:
    assert mirror.resolve(mixed[:7]) == mixed
    assert mirror.resolve(mixed) == mixed


@pytest.mark.parametrize("commit", ["HEAD", "main", "abc", "", "--all", "g" * 40, "ab" * 40])
def test_takes_nothing_but_ids(mirror: Mirror, commit: str) -> None:
    with pytest.raises(CheckoutError, match="is not a commit id"):
        mirror.resolve(commit)


def test_unknown_commit(mirror: Mirror) -> None:
    with pytest.raises(CheckoutError, match=f"commit {'ab' * 20} is not in it"):
        mirror.lay("ab" * 20, Path("unused"))


def test_a_blob_is_no_commit(mirror: Mirror, origin: Origin) -> None:
    with pytest.raises(CheckoutError, match="is not in it"):
        mirror.resolve(origin.blob(b"x"))


def test_lacking_names_commits_that_are_not_there(mirror: Mirror, mixed: str) -> None:
    assert mirror.lacking([mixed, "ab" * 20, mixed[:9]]) == ("ab" * 20,)
    assert mirror.lacking([]) == ()


def test_lays_every_kind_of_entry(mirror: Mirror, mixed: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    previous = os.umask(0o077)
    try:
        assert mirror.lay(mixed, tree) == ()
    finally:
        os.umask(previous)
    assert (tree / "a.txt").read_bytes() == b"one\n$Id$\ntwo\n"
    assert (tree / "b.bin").read_bytes() == b"\0\1\2\r\n"
    assert (tree / "secret.py").exists()
    assert (tree / "line\nbreak").read_bytes() == b"in its name"
    assert (tree / "deep/er/caf\u00e9 \u2713.py").read_bytes() == b"pass\n"
    assert (tree / os.fsdecode(b"latin-\xe9")).read_bytes() == b"latin"
    assert stat.S_IMODE((tree / "run.sh").stat().st_mode) == 0o755
    assert stat.S_IMODE((tree / "a.txt").stat().st_mode) == 0o644
    assert str((tree / "link").readlink()) == "deep/er"
    assert str((tree / "out").readlink()) == "/etc/hostname"
    assert list((tree / "vendored/module").iterdir()) == []
    assert not (tree / ".git").exists()


def test_everything_is_dated_as_the_commit(mirror: Mirror, mixed: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    mirror.lay(mixed, tree)
    dates = {path.lstat().st_mtime for path in (tree, *tree.rglob("*"))}
    assert dates == {float(DATE)}


def test_a_missing_blob_is_told_and_left_out(origin: Origin, cache: Path, tmp_path: Path) -> None:
    commit = origin.commit({"there": b"1", "gone/too": b"22", "gone/far": b"333"})
    origin.forget(origin.git("rev-parse", f"{commit}:gone/far"))
    mirror = Mirror.open(origin.path, cache)
    tree = tmp_path / "tree"
    tree.mkdir()
    assert mirror.lay(commit, tree) == ("gone/far",)
    assert (tree / "there").read_bytes() == b"1"
    assert (tree / "gone/too").read_bytes() == b"22"
    assert not (tree / "gone/far").exists()
    with pytest.raises(CheckoutError):
        mirror.read(commit, "gone/far")


def test_a_damaged_blob_is_as_good_as_missing(origin: Origin, cache: Path, tmp_path: Path) -> None:
    commit = origin.commit({"broken": b"content", "whole": b"2"})
    blob = origin.git("rev-parse", f"{commit}:broken")
    place = origin.path / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    place.write_bytes(b"no object")
    (tmp_path / "tree").mkdir()
    assert Mirror.open(origin.path, cache).lay(commit, tmp_path / "tree") == ("broken",)
    assert [path.name for path in (tmp_path / "tree").iterdir()] == ["whole"]


def test_a_git_that_ends_at_once_is_an_error(
    origin: Origin, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = Mirror.open(origin.path, cache)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    with pytest.raises(CheckoutError, match="git stopped at abababab"):
        mirror.resolve("ab" * 20)


@pytest.mark.parametrize("answer", ["", "aa blob 9", "aa blob 9\\nshort", "aa blob 1\\nx"])
def test_a_git_that_dies_is_an_error(
    origin: Origin, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    commit = origin.commit({"file": b"content"})
    mirror = Mirror.open(origin.path, cache)
    script = f"#!/bin/sh\ncase \"$*\" in *--buffer*) printf '{answer}'; exit 1;; esac\n"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git").write_text(f'{script}exec {shutil.which("git")} "$@"\n')
    (tmp_path / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    (tmp_path / "tree").mkdir()
    with pytest.raises(CheckoutError, match="git stopped at file"):
        mirror.lay(commit, tmp_path / "tree")


@pytest.mark.parametrize("name", ["..", ".", ".git", ".GIT"])
def test_a_tree_that_leaves_its_place_is_refused(
    origin: Origin, cache: Path, tmp_path: Path, name: str
) -> None:
    blob = origin.blob(b"x")
    inner = origin.git("mktree", given=f"100644 blob {blob}\tx\n".encode())
    commit = origin.commit_tree(f"040000 tree {inner}\t{name}\n".encode())
    (tmp_path / "tree").mkdir()
    with pytest.raises(CheckoutError, match="forbidden path"):
        Mirror.open(origin.path, cache).lay(commit, tmp_path / "tree")
    assert list((tmp_path / "tree").iterdir()) == []


def test_a_tree_that_holds_a_link_and_files_behind_it_is_refused(
    origin: Origin, cache: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = origin.blob(os.fsencode(outside))
    inner = origin.git("mktree", given=f"100644 blob {origin.blob(b'x')}\tx\n".encode())
    lines = f"120000 blob {target}\td\n040000 tree {inner}\td\n"
    commit = origin.commit_tree(lines.encode())
    (tmp_path / "tree").mkdir()
    with pytest.raises(CheckoutError, match="holds 'd' twice"):
        Mirror.open(origin.path, cache).lay(commit, tmp_path / "tree")
    assert list(outside.iterdir()) == []


def test_nothing_that_the_repository_sets_up_is_run(
    origin: Origin, mixed: str, cache: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "was-run"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    script.chmod(0o755)
    for setting in ("core.fsmonitor", "filter.evil.smudge", "core.sshCommand", "core.pager"):
        origin.git("config", setting, str(script))
    origin.git("config", "core.hooksPath", str(tmp_path))
    (tmp_path / "post-checkout").symlink_to(script)
    (tmp_path / "tree").mkdir()
    mirror = Mirror.open(origin.path, cache)
    assert mirror.lay(mixed, tmp_path / "tree") == ()
    assert mirror.read(mixed, "b.bin") == b"\0\1\2\r\n"
    assert not marker.exists()


def test_a_partial_clone_is_not_completed(
    origin: Origin, mixed: str, cache: Path, tmp_path: Path
) -> None:
    origin.git("config", "uploadpack.allowFilter", "true")
    partial = tmp_path / "partial"
    url = f"file://{origin.path}"
    origin.git("clone", "--quiet", "--bare", "--filter=blob:none", url, str(partial))
    before = sorted(partial.rglob("*"))
    (tmp_path / "tree").mkdir()
    absent = Mirror.open(partial, cache).lay(mixed, tmp_path / "tree")
    assert "a.txt" in absent
    assert "secret.py" in absent
    assert sorted(partial.rglob("*")) == before


def test_replacements_do_not_count(origin: Origin, cache: Path) -> None:
    commit = origin.commit({"a": b"true"})
    origin.git("replace", origin.git("rev-parse", f"{commit}:a"), origin.blob(b"false"))
    assert Mirror.open(origin.path, cache).read(commit, "a") == b"true"


def test_a_surrounding_git_does_not_lead_astray(
    origin: Origin, mixed: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere"))
    assert Mirror.open(origin.path, cache).read(mixed, "secret.py") == b"x = 1\n"


def test_opens_bare_repositories_linked_work_trees_and_gitfiles(
    origin: Origin, mixed: str, cache: Path, tmp_path: Path
) -> None:
    origin.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    origin.git("clone", "--quiet", "--bare", str(origin.path), str(tmp_path / "bare"))
    separate = ["--separate-git-dir", str(tmp_path / "git")]
    origin.git(
        "clone", "--quiet", "--no-checkout", *separate, str(origin.path), str(tmp_path / "w")
    )
    for place in ("linked", "bare", "w"):
        assert Mirror.open(tmp_path / place, cache).read(mixed, "secret.py") == b"x = 1\n"


def test_reads_sha256_repositories(cache: Path, tmp_path: Path) -> None:
    origin = new_origin(tmp_path / "sha256", "--object-format=sha256")
    commit = origin.commit({"a": b"content"})
    (tmp_path / "tree").mkdir()
    mirror = Mirror.open(origin.path, cache)
    assert len(commit) == 64
    assert mirror.lay(commit, tmp_path / "tree") == ()
    assert (tmp_path / "tree/a").read_bytes() == b"content"


def test_what_is_no_repository_says_so(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(CheckoutError, match="no such directory"):
        Mirror.open(tmp_path / "nowhere", cache)
    with pytest.raises(CheckoutError, match="not a git repository"):
        Mirror.open(tmp_path, cache)


def test_a_directory_inside_a_repository_is_not_taken_for_it(
    origin: Origin, mixed: str, cache: Path
) -> None:
    with pytest.raises(CheckoutError, match="not a git repository"):
        Mirror.open(origin.path / "deep", cache)


def test_without_git(origin: Origin, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CheckoutError, match="git is not installed"):
        Mirror.open(origin.path, cache).resolve("ab" * 20)


def test_agrees_with_git_about_a_large_tree(cache: Path, origin: Origin, tmp_path: Path) -> None:
    files = {f"d{n % 7}/e{n % 11}/f{n}.py": b"x" * (n * 37 % 70_000) for n in range(400)}
    commit = origin.commit(files)
    (tmp_path / "tree").mkdir()
    Mirror.open(origin.path, cache).lay(commit, tmp_path / "tree")
    told = subprocess.run(["diff", "-r", "--exclude=.git", origin.path, tmp_path / "tree"])
    assert told.returncode == 0


_NAME = st.binary(min_size=1, max_size=9).filter(
    lambda name: not {0, ord("/")} & set(name) and name.lower() not in (b".", b"..", b".git")
)


def _tree(*rows: tuple[str, bytes]) -> Object:
    content = b"".join(b"%b %b\0%b" % (mode.encode(), name, b"\xab" * 20) for mode, name in rows)
    return Object(object_id("tree", content, "sha1"), "tree", content)


@settings(deadline=None)
@given(st.sets(_NAME, max_size=8))
def test_a_tree_holds_every_name(names: set[bytes]) -> None:
    rows = parse_tree(_tree(*(("100644", name) for name in sorted(names))))
    assert [os.fsencode(name) for name, _, _ in rows] == sorted(names)


@pytest.mark.parametrize("content", [b"100644 a", b"x a\0" + b"1" * 20, b"100644 a\0short", b"1"])
def test_what_is_no_tree_is_refused(content: bytes) -> None:
    with pytest.raises(CheckoutError, match="is no tree"):
        list(parse_tree(Object("ab" * 20, "tree", content)))


def test_old_modes_are_known(origin: Origin, cache: Path) -> None:
    blob = origin.blob(b"x")
    commit = origin.commit_tree(f"100664 blob {blob}\ta\n100775 blob {blob}\tb\n".encode())
    entries = Mirror.open(origin.path, cache).listing(commit)
    assert {path: entry.kind for path, entry in entries.items()} == {
        "a": EntryKind.FILE,
        "b": EntryKind.EXECUTABLE,
    }


def test_what_is_there_twice_is_refused(origin: Origin, cache: Path) -> None:
    blob = origin.blob(b"x")
    commit = origin.commit_tree(f"100644 blob {blob}\ta\n100755 blob {blob}\ta\n".encode())
    with pytest.raises(CheckoutError, match="holds 'a' twice"):
        Mirror.open(origin.path, cache).listing(commit)
