"""Pristine trees and work trees: shared, private, and gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evaluator.checkout import Repositories, Trees
from evaluator.checkout.scratch import fastest_root, remove_tree
from evaluator.diff import Changes
from evaluator.errors import CheckoutError, PatchError
from tests.waiting import kill_once

from .conftest import Origin, Stuck

REPO = "owner/name"
NOTHING = Changes()


@pytest.fixture
def commit(origin: Origin) -> str:
    (origin.path / "link").symlink_to("a.py")
    return origin.commit({"a.py": b"1\n", "pkg/b.py": b"2\n", "pkg/c.py": b"3\n"})


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return tmp_path / "work"


@pytest.fixture
def trees(template: str, cache: Path, work: Path) -> Trees:
    return Trees(Repositories([template], cache), cache, work=work)


def test_a_pristine_tree_is_laid_once(
    trees: Trees, commit: str, origin: Origin, template: str, cache: Path
) -> None:
    first = trees.pristine(REPO, commit)
    assert (first / "a.py").read_bytes() == b"1\n"
    assert trees.absent(first) == ()
    assert trees.pristine(REPO, commit) == first
    assert Trees(Repositories([template], cache), cache).pristine(REPO, commit) == first


def test_the_beginning_of_an_id_gives_the_same_tree(trees: Trees, commit: str) -> None:
    assert trees.pristine(REPO, commit[:8]) == trees.pristine(REPO, commit)


def test_absent_paths_are_kept(trees: Trees, commit: str, origin: Origin) -> None:
    origin.forget(origin.git("rev-parse", f"{commit}:pkg/c.py"))
    assert trees.absent(trees.pristine(REPO, commit)) == ("pkg/c.py",)


@pytest.mark.parametrize("commit_id", ["ab" * 20, "../../x", "main", ""])
def test_an_unknown_commit(trees: Trees, commit: str, commit_id: str) -> None:
    with pytest.raises(CheckoutError, match="nowhere to be found"):
        trees.pristine(REPO, commit_id)


def test_a_cache_that_is_no_directory(template: str, commit: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    trees = Trees(Repositories([template], cache), cache)
    cache.mkdir(exist_ok=True)
    (cache / "trees").write_text("in the way")
    with pytest.raises(CheckoutError, match="cannot be laid down"):
        trees.pristine(REPO, commit)


SCRIPT = """
import sys
from pathlib import Path
from evaluator.checkout import Repositories, Trees
template, cache, commit = sys.argv[1:]
print(Trees(Repositories([template], Path(cache)), Path(cache)).pristine("owner/name", commit))
"""


def test_processes_and_threads_lay_the_same_tree(
    trees: Trees, origin: Origin, template: str, cache: Path
) -> None:
    commit = origin.commit({f"d/{n}.py": b"x" * n for n in range(300)})
    command = [sys.executable, "-c", SCRIPT, template, str(cache), commit]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        mine = {str(path) for path in pool.map(lambda _: trees.pristine(REPO, commit), range(4))}
    theirs = {process.communicate()[0].strip() for process in processes}
    assert len(mine | theirs) == 1
    assert len(list((Path(mine.pop()) / "d").iterdir())) == 300


def test_a_killed_lay_is_done_again(
    trees: Trees, commit: str, template: str, cache: Path, stuck: Stuck
) -> None:
    shelf = cache / "trees"
    stuck("git", "--buffer", "| { head -c 60; sleep 60; }")
    command = [sys.executable, "-c", SCRIPT, template, str(cache), commit]
    kill_once(command, lambda: any(shelf.glob("*/tree/a.py")))
    stuck.free()
    assert not list(shelf.glob("*.complete"))
    pristine = trees.pristine(REPO, commit)
    assert (pristine / "pkg/c.py").read_bytes() == b"3\n"
    assert [path for path in shelf.iterdir() if path.is_dir()] == [pristine.parent]


def test_a_work_tree_is_a_private_copy(trees: Trees, commit: str, work: Path) -> None:
    pristine = trees.pristine(REPO, commit)
    with trees.work_tree(pristine, (), NOTHING) as tree:
        assert (tree / "link").is_symlink()
        assert (tree / "a.py").stat().st_mtime == (pristine / "a.py").stat().st_mtime
        (tree / "a.py").write_bytes(b"changed")
        (tree / "pkg/b.py").unlink()
        (tree / "new").mkdir()
    assert not tree.exists()
    assert (pristine / "a.py").read_bytes() == b"1\n"
    assert (pristine / "pkg/b.py").exists()
    assert not (pristine / "new").exists()


def test_overlay_and_changes_are_laid_over(trees: Trees, commit: str, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay"
    (overlay / "pkg").mkdir(parents=True)
    (overlay / "pkg/b.py").write_bytes(b"overlay\n")
    (overlay / "pkg/fast.so").write_bytes(b"\x7fELF")
    (overlay / "a.py").write_bytes(b"overlay\n")
    changes = Changes({"a.py": b"changed\n", "pkg/c.py": None, "new/test_x.py": b"new\n"})
    with trees.work_tree(trees.pristine(REPO, commit), [overlay], changes) as tree:
        assert (tree / "a.py").read_bytes() == b"changed\n"
        assert (tree / "pkg/b.py").read_bytes() == b"overlay\n"
        assert (tree / "pkg/fast.so").read_bytes() == b"\x7fELF"
        assert not (tree / "pkg/c.py").exists()
        assert (tree / "new/test_x.py").read_bytes() == b"new\n"


def test_an_overlay_does_not_write_through_links(
    trees: Trees, origin: Origin, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    (origin.path / "lib.so").symlink_to(outside)
    commit = origin.commit({})
    overlay = tmp_path / "overlay"
    overlay.mkdir()
    (overlay / "lib.so").write_bytes(b"built")
    with trees.work_tree(trees.pristine(REPO, commit), [overlay], NOTHING) as tree:
        assert (tree / "lib.so").read_bytes() == b"built"
    assert outside.read_bytes() == b"mine"


def test_an_overlay_does_not_enter_linked_directories(
    trees: Trees, origin: Origin, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (origin.path / "lib").symlink_to(outside)
    commit = origin.commit({})
    overlay = tmp_path / "overlay"
    (overlay / "lib").mkdir(parents=True)
    (overlay / "lib/x.so").write_bytes(b"built")
    pristine = trees.pristine(REPO, commit)
    with (
        pytest.raises(CheckoutError, match="cannot be made"),
        trees.work_tree(pristine, [overlay], NOTHING),
    ):
        pass
    assert list(outside.iterdir()) == []


def test_a_work_tree_goes_when_the_task_fails(trees: Trees, commit: str, work: Path) -> None:
    with (
        pytest.raises(ZeroDivisionError),
        trees.work_tree(trees.pristine(REPO, commit), (), NOTHING) as tree,
    ):
        raise ZeroDivisionError
    assert not tree.exists()
    assert [list(own.iterdir()) for own in work.iterdir()] == [[]]


def test_a_work_directory_that_is_gone(trees: Trees, commit: str, work: Path) -> None:
    pristine = trees.pristine(REPO, commit)
    shutil.rmtree(work)
    with (
        pytest.raises(CheckoutError, match="a work tree cannot be made: "),
        trees.work_tree(pristine, (), NOTHING),
    ):
        pass


def test_changes_that_cannot_be_written(trees: Trees, commit: str, work: Path) -> None:
    pristine = trees.pristine(REPO, commit)
    through = Changes({"link": b"through"})
    with pytest.raises(PatchError, match="link"), trees.work_tree(pristine, (), through):
        pass
    assert [list(own.iterdir()) for own in work.iterdir()] == [[]]


def test_a_tree_nested_without_end_is_removed(trees: Trees, commit: str) -> None:
    digger = "import os\nfor _ in range(1500):\n os.mkdir('d'); os.chdir('d')\n"
    with trees.work_tree(trees.pristine(REPO, commit), (), NOTHING) as tree:
        subprocess.run([sys.executable, "-c", digger], cwd=tree, check=True)
    assert not tree.exists()


def test_a_tree_that_was_deleted_by_its_tests(trees: Trees, commit: str) -> None:
    with trees.work_tree(trees.pristine(REPO, commit), (), NOTHING) as tree:
        subprocess.run(["rm", "-rf", tree], check=True)
    assert not tree.exists()


def _remove_as_somebody(directory: Path) -> None:
    if os.getuid() == 0:  # for whom no lock counts
        os.chown(directory, 65534, 65534)
        os.chown(directory / "locked", 65534, 65534)
        os.setuid(65534)
    remove_tree(directory)


def test_a_tree_that_was_locked_up_is_removed() -> None:
    directory = Path(tempfile.mkdtemp())
    (directory / "locked").mkdir()
    (directory / "locked/file").touch()
    (directory / "locked").chmod(0)
    child = os.fork()
    if child == 0:
        _remove_as_somebody(directory)
        os._exit(directory.exists())
    assert os.waitpid(child, 0)[1] == 0
    assert not directory.exists()


def test_what_cannot_be_removed_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    remove_tree(Path("/proc/self/fdinfo"))
    assert "the work tree /proc/self/fdinfo cannot be removed: " in caplog.text


HOLDER = """
import sys, time
from pathlib import Path
from evaluator.checkout import Repositories, Trees
from evaluator.diff import Changes
template, cache, commit, work = sys.argv[1:]
trees = Trees(Repositories([template], Path(cache)), Path(cache), work=Path(work))
with trees.work_tree(trees.pristine("owner/name", commit), (), Changes()) as tree:
    print(tree, flush=True)
    sys.stdin.read()
"""


def test_orphans_are_swept_and_living_trees_are_not(
    template: str, cache: Path, commit: str, work: Path
) -> None:
    command = [sys.executable, "-c", HOLDER, template, str(cache), commit, str(work)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        tree = Path(holder.stdout.readline().strip())
        repositories = Repositories([template], cache)
        Trees(repositories, cache, work=work)
        assert (tree / "a.py").exists()
        holder.kill()
        holder.wait()
        assert (tree / "a.py").exists()
        Trees(repositories, cache, work=work)
        assert not tree.exists()


def test_nothing_is_left_when_a_process_ends(
    template: str, cache: Path, commit: str, work: Path
) -> None:
    command = [sys.executable, "-c", HOLDER, template, str(cache), commit, str(work)]
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
    assert list(work.iterdir()) == []


def test_a_fork_leaves_its_parents_trees_alone(trees: Trees, commit: str) -> None:
    with trees.work_tree(trees.pristine(REPO, commit), (), NOTHING) as tree:
        child = os.fork()
        if child == 0:
            del trees
            os._exit(0)
        os.waitpid(child, 0)
        assert (tree / "a.py").exists()


def test_the_fastest_root_is_private(cache: Path) -> None:
    root = fastest_root(cache)
    assert root == cache / "work" or root.stat().st_mode & 0o077 == 0
