"""Nothing that a local repository sets up is run, fetched or believed on the host."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.checkout import Mirror, Repositories, Trees
from evaluator.demo.sample import BUGS, commit_patch, lay_sample
from evaluator.diff import ChangedLines, Changes
from evaluator.errors import CheckoutError
from evaluator.languages.python.environment.discover import discover_recipe
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.protocol import ResourceLimits
from evaluator.verification.change import change_between, commit_of
from evaluator.workspace import Workspace, WorkspaceSettings

from .conftest import Origin

FIXGATE = Path(sys.executable).parent / "fixgate"


@dataclass(frozen=True)
class Trap:
    """A repository in which a command waits to be run: then there is a file `sprung`."""

    origin: Origin
    folder: Path

    @property
    def command(self) -> str:
        return str(self.folder / "canary.sh")

    def set(self, *settings: str) -> None:
        """Append to the configuration as it stands, whatever git thinks of it."""
        with (self.origin.path / ".git/config").open("a") as config:
            config.write("\n".join(settings).replace("CANARY", self.command) + "\n")

    @property
    def sprung(self) -> bool:
        return (self.folder / "sprung").exists()


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    """The sample, with a fix on the branch `change`."""
    lay_sample(tmp_path / "sample")
    repository = tmp_path / "sample/repository"
    commit_patch(repository, "change", "fixes/shorten.patch")
    script = tmp_path / "canary.sh"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path / 'sprung'}\nexit 1\n")
    script.chmod(0o755)
    return Trap(Origin(repository), tmp_path)


def partial_clone(trap: Trap) -> None:
    """One blob is missing, and whoever fetches it runs a command."""
    trap.set(
        "[core]\nrepositoryFormatVersion = 1",
        "[extensions]\npartialClone = origin",
        f'[remote "origin"]\nurl = {trap.origin.path}\npromisor = true\nuploadpack = CANARY',
        "partialCloneFilter = blob:none",
    )
    trap.origin.forget(trap.origin.git("rev-parse", "main:wordtools/roman.py"))


def commands(trap: Trap) -> None:
    trap.set(
        "[core]\nfsmonitor = CANARY\nsshCommand = CANARY\npager = CANARY\neditor = CANARY",
        "hooksPath = .\nalternateRefsCommand = CANARY\ngitProxy = CANARY",
        '[diff]\nexternal = CANARY\n[diff "evil"]\ncommand = CANARY\ntextconv = CANARY',
        '[filter "evil"]\nsmudge = CANARY\nclean = CANARY\nprocess = CANARY\nrequired = true',
        '[merge "evil"]\ndriver = CANARY\n[uploadpack]\npackObjectsHook = CANARY',
        "[alias]\nrev-parse = !CANARY\ndiff = !CANARY\ncat-file = !CANARY\nlog = !CANARY",
        "[gpg]\nprogram = CANARY\n[log]\nshowSignature = true\n[credential]\nhelper = !CANARY",
    )
    info = trap.origin.path / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text("* filter=evil diff=evil merge=evil\n")
    hooks = trap.origin.path / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for hook in (
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "fsmonitor-watchman",
    ):
        (hooks / hook).unlink(missing_ok=True)
        (hooks / hook).symlink_to(trap.command)


def inclusion(trap: Trap) -> None:
    (trap.folder / "more").write_text(f"[core]\nfsmonitor = {trap.command}\n")
    trap.set(
        f"[include]\npath = {trap.folder / 'more'}",
        f'[includeIf "gitdir:/"]\npath = {trap.folder / "more"}',
        "[core]\nworktree = /",
    )


def malformed(trap: Trap) -> None:
    trap.set("[core\nfsmonitor = CANARY", "= = [[")


def alternates(trap: Trap) -> None:
    (trap.origin.path / ".git/objects/info/alternates").write_text(
        f"|{trap.command}\n!{trap.command}\next::{trap.command}\n$({trap.command})\n/dev/null\n"
    )


TRAPS = [partial_clone, commands, inclusion, malformed, alternates]


@pytest.mark.parametrize("lay", TRAPS)
def test_no_setting_runs_a_command(trap: Trap, cache: Path, lay: Callable[[Trap], None]) -> None:
    base = trap.origin.git("rev-parse", "main")
    lay(trap)
    repository = trap.origin.path
    assert commit_of(repository, "main~0", cache) == base
    change = change_between(repository, "main", "change", cache)
    assert list(change.code.contents) == ["wordtools/shorten.py"]
    mirror = Mirror.open(repository, cache)
    (trap.folder / "tree").mkdir()
    absent = mirror.lay(base, trap.folder / "tree")
    assert absent == (("wordtools/roman.py",) if lay is partial_clone else ())
    assert not trap.sprung


def test_no_command_of_fixgate_springs_a_trap(trap: Trap) -> None:
    for lay in (commands, inclusion, partial_clone):
        lay(trap)
    folder, repository = trap.folder, trap.origin.path
    (folder / "issue.md").write_text("`shorten` cuts what fits\n")
    rows, places = folder / "sample/instances.jsonl", ("--repos", str(repository))
    one = ("--instances", f"demo__wordtools-{BUGS[2]}")
    issue = ("--repo", str(repository), "--issue", str(folder / "issue.md"))
    started = [
        _start(trap, "verify", "--repo", str(repository), "--base", "main", "--head", "change"),
        _start(trap, "replay", str(rows), *one, *places, "--predictions", "gold", "--out", "r"),
        _start(trap, "hydrate", str(rows), *places, "--to", "h"),
        _start(trap, "hydrate", str(rows), "--repos", f"file://{repository}", "--to", "h2"),
        _start(trap, "generate", *issue, "--method", "issue-only", "--out", "g.jsonl"),
    ]
    said = [process.communicate()[1].decode() for process in started]
    assert "the repository lacks the content of 'wordtools/roman.py'" in said[0]
    assert started[0].returncode == 2
    assert not trap.sprung


def _start(trap: Trap, *arguments: str) -> subprocess.Popen[bytes]:
    shared = ("--sandbox", "process", "--offline", "--cache", str(trap.folder / "cache"))
    command = [str(FIXGATE), *arguments, *shared]
    return subprocess.Popen(
        command, cwd=trap.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _forge(origin: Origin, revision: str, content: bytes, kind: str = "blob") -> str:
    """Put another content where the object of a revision is."""
    name = origin.git("rev-parse", revision)
    place = origin.path / ".git/objects" / name[:2] / name[2:]
    place.unlink()
    place.write_bytes(zlib.compress(b"%b %d\0%b" % (kind.encode(), len(content), content)))
    return name


def forged_blob(origin: Origin) -> None:
    _forge(origin, "main:wordtools/roman.py", b"raise SystemExit\n")


def forged_tree(origin: Origin) -> None:
    other = bytes.fromhex(origin.git("rev-parse", "main:wordtools/roman.py"))
    _forge(origin, "main:wordtools", b"100644 shorten.py\0" + other, "tree")


def forged_commit(origin: Origin) -> None:
    lines = origin.git("cat-file", "commit", "main").encode()
    tree = origin.git("rev-parse", "main:wordtools").encode()
    _forge(origin, "main", b"tree " + tree + lines[45:], "commit")


def absent_blob(origin: Origin) -> None:
    origin.forget(origin.git("rev-parse", "main:wordtools/roman.py"))


def absent_tree(origin: Origin) -> None:
    origin.forget(origin.git("rev-parse", "main:wordtools"))


@pytest.mark.parametrize(
    "harm", [forged_blob, forged_tree, forged_commit, absent_blob, absent_tree]
)
def test_what_one_clone_holds_is_nothing_to_another(
    trap: Trap, cache: Path, tmp_path: Path, harm: Callable[[Origin], None]
) -> None:
    honest = trap.origin.path
    commit = trap.origin.git("rev-parse", "main")
    shutil.copytree(honest, tmp_path / "other/repository")
    harm(Origin(tmp_path / "other/repository"))
    nothing = (Changes(), ChangedLines({}, {}), discover_recipe)
    other = str(tmp_path / "other/repository")
    settings = WorkspaceSettings((other,), cache, ResourceLimits(), offline=True)
    with pytest.raises(CheckoutError, match=r"is not what its id says|the repository lacks"):
        Workspace(settings, choose_sandbox("process")).exact_subject("a/b", commit, *nothing)
    pristine = Trees(Repositories([str(honest)], cache), cache).pristine("a/b", commit)
    told = ["diff", "-r", "--exclude=.git", str(honest), str(pristine)]
    assert subprocess.run(told, check=False).returncode == 0


def test_a_tree_that_lacks_a_file_is_kept_apart(trap: Trap, cache: Path, tmp_path: Path) -> None:
    commit = trap.origin.git("rev-parse", "main")
    shutil.copytree(trap.origin.path, tmp_path / "other/repository")
    absent_blob(Origin(tmp_path / "other/repository"))
    poor, whole = (
        Trees(Repositories([str(place)], cache), cache)
        for place in (tmp_path / "other/repository", trap.origin.path)
    )
    without = poor.pristine("a/b", commit)
    assert poor.absent(without) == ("wordtools/roman.py",)
    assert poor.key(without) != whole.key(whole.pristine("a/b", commit))
    assert poor.pristine("a/b", commit) == whole.pristine("a/b", commit), "its content proves it"


def test_summaries_that_differ_from_the_objects_do_not_count(origin: Origin, cache: Path) -> None:
    """A commit graph and an index over packs say where objects are and what their parents are."""
    first, second = origin.commit({"a": b"1"}), origin.commit({"a": b"2"})
    origin.git("commit-graph", "write", "--reachable")
    origin.git("repack", "-ad", "--write-midx")
    for summary in (origin.path / ".git/objects").glob("*/*multi-pack-index*"):
        summary.chmod(0o644)
        summary.write_bytes(b"MIDX" + summary.read_bytes()[4:60])
    graph = origin.path / ".git/objects/info/commit-graph"
    graph.chmod(0o644)
    graph.write_bytes(graph.read_bytes().replace(bytes.fromhex(second), bytes(20)))
    mirror = Mirror.open(origin.path, cache)
    assert mirror.merge_base(second, first) == first
    assert mirror.read(second, "a") == b"2"


def test_grafts_and_replacements_do_not_count(origin: Origin, cache: Path) -> None:
    first = origin.commit({"a": b"1"})
    second = origin.commit({"a": b"2"})
    origin.git("checkout", "--quiet", "--orphan", "other")
    stranger = origin.commit({"a": b"3"})
    (origin.path / ".git/info").mkdir(exist_ok=True)
    (origin.path / ".git/info/grafts").write_text(f"{second} {stranger}\n")
    origin.git("replace", second, stranger)
    mirror = Mirror.open(origin.path, cache)
    assert mirror.merge_base(second, first) == first
    with pytest.raises(CheckoutError, match="no common ancestor"):
        mirror.merge_base(second, stranger)
