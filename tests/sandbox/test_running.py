"""What every sandbox does with a well-behaved command."""

from __future__ import annotations

import threading
from pathlib import Path, PurePosixPath

import pytest

from evaluator.errors import SandboxError
from evaluator.sandbox.protocol import MEBIBYTE, Command, CommandResult, ExitReason, Mount


def test_output_of_both_streams_comes_back_in_order_with_the_exit_code(bench):
    # Its engine reads the two streams side by side.
    pause = "" if bench.sandbox.name != "docker" else "sleep 0.5;"
    done = bench.run("sh", "-c", f"echo one; {pause} echo two >&2; {pause} echo three; exit 7")
    assert (done.ending, done.exit_code) == (ExitReason.EXITED, 7)
    assert done.output.split() == ["one", "two", "three"]
    assert not done.output_truncated


def test_all_of_a_large_output_comes_back(bench):
    done = bench.python("print('x' * 3_000_000)", output_bytes=4 * MEBIBYTE)
    assert len(done.output) == 3_000_001
    assert not done.output_truncated


def test_output_that_is_not_utf8_is_replaced(bench):
    done = bench.run("printf", r"caf\351")
    assert done.output == "caf\N{REPLACEMENT CHARACTER}"


def test_closing_the_output_early_does_not_end_the_command(bench):
    done = bench.run("sh", "-c", "exec >/dev/null 2>&1; sleep 0.3; touch $TREE/finished; exit 3")
    assert done.exit_code == 3
    assert (bench.tree / "finished").exists()


def test_death_by_signal_is_told(bench):
    done = bench.run("sh", "-c", "kill -SEGV $$")
    assert (done.ending, done.exit_code) == (ExitReason.KILLED, 128 + 11)


def test_a_large_exit_code_is_no_signal(bench):
    """`System.exit(-1)` and `sys.exit(-1)` end with 255; the last signal is 64."""
    done = bench.run("sh", "-c", "echo wrong class path; exit 255")
    assert (done.ending, done.exit_code) == (ExitReason.EXITED, 255)
    done = bench.run("sh", "-c", "kill -64 $$")
    assert (done.ending, done.exit_code) == (ExitReason.KILLED, 128 + 64)


def test_a_program_that_is_missing_is_the_commands_own_failure(bench):
    done = bench.run("no-such-program")
    assert (done.ending, done.exit_code) == (ExitReason.EXITED, 127)
    assert "no-such-program" in done.output


def test_standard_input_is_empty(bench):
    assert bench.run("cat").exit_code == 0


def test_the_command_writes_to_its_tree_and_starts_in_it(bench):
    done = bench.run("sh", "-c", "pwd; echo new > file; cat $FIXED/kept.txt")
    assert done.output == f"{bench.sandbox.location(bench.mounts[0])}\nkept"
    assert (bench.tree / "file").read_text() == "new\n"


def test_only_the_commands_own_environment_is_seen(bench, monkeypatch):
    monkeypatch.setenv("GITHUB_TOKEN", "a-secret-of-the-host")
    command = bench.command("env", environment={"COLOUR": "blue", "HOME": "/elsewhere", "a.b": "1"})
    output = bench.sandbox.run(command).output
    seen = dict(line.split("=", 1) for line in output.splitlines())
    assert "a-secret-of-the-host" not in output
    assert (seen["COLOUR"], seen["HOME"], seen["LANG"]) == ("blue", "/elsewhere", "C.UTF-8")
    assert seen["a.b"] == "1"


def test_a_command_may_have_a_search_path_of_its_own(bench):
    command = bench.command("/bin/sh", "-c", "echo $PATH", environment={"PATH": "/nowhere"})
    assert bench.sandbox.run(command).output == "/nowhere\n"


def test_home_and_temporary_files_can_be_written(bench):
    done = bench.python("""
        import pathlib, tempfile
        (pathlib.Path.home() / "file").write_text("x")
        tempfile.NamedTemporaryFile().write(b"x")
        print(tempfile.gettempdir() == os.environ["TMPDIR"])
    """)
    assert done.output == "True\n"


def test_locks_and_processes_of_multiprocessing_work(bench):
    done = bench.python("""
        import multiprocessing
        lock = multiprocessing.Lock()
        with multiprocessing.Pool(2) as pool:
            print(sum(pool.map(abs, [-1, -2, -3])))
    """)
    assert done.output == "6\n"


def test_the_user_and_the_host_have_names(bench):
    done = bench.python("""
        import getpass, socket
        print(getpass.getuser(), socket.gethostbyname("localhost"))
    """)
    assert done.output == "fixgate 127.0.0.1\n"


def test_the_name_of_the_host_leads_to_the_loopback(walled):
    done = walled.python("import socket; print(socket.gethostbyname(socket.gethostname()))")
    assert done.output == "127.0.0.1\n"


def test_the_directories_that_every_linux_has_are_there_and_are_read_only(walled):
    places = "/boot /media /mnt /opt /root /run /home /var/tmp"
    # All by one stream: the two of a container come in an order of their own.
    done = walled.run("sh", "-c", f"ls -d {places} && ls -A /opt /mnt && touch /opt/x 2>&1")
    assert done.output.startswith("\n".join(sorted(places.split())) + "\n/mnt:\n\n/opt:\ntouch: ")
    assert done.exit_code == 1


def test_mounts_may_lie_in_one_another(walled, tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (walled.tree / "inside").mkdir()
    nested = Mount(inner, PurePosixPath("/srv/tree/inside"))
    command = walled.command("sh", "-c", "touch $TREE/yes; touch $TREE/inside/no")
    done = walled.sandbox.run(
        Command(command.argv, command.directory, (nested, *command.mounts), command.environment)
    )
    assert done.exit_code == 1
    assert (walled.tree / "yes").exists()
    assert not list(inner.iterdir())


def test_a_single_file_can_be_mounted(walled, tmp_path):
    (tmp_path / "one.txt").write_text("one")
    mount = Mount(tmp_path / "one.txt", PurePosixPath("/etc/one.txt"))
    done = walled.sandbox.run(Command(("cat", "/etc/one.txt"), "/", (mount,)))
    assert done.output == "one"


@pytest.mark.parametrize("source", [Path("/no/such/place"), Path("relative")])
def test_a_mount_without_a_source_is_refused_by_name(bench, source):
    command = Command(("true",), "/", (Mount(source, PurePosixPath("/srv/x")),))
    with pytest.raises(SandboxError, match=str(source)):
        bench.sandbox.run(command)


@pytest.mark.parametrize(
    "name", [pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "process"]
)
def test_a_missing_directory_is_told(bench_in, name):
    bench = bench_in(name)
    command = Command(("true",), "/no/such/directory", ())
    with pytest.raises(SandboxError, match="/no/such/directory"):
        bench.sandbox.run(command)


def test_several_threads_may_run_commands_at_once(bench):
    done: dict[int, CommandResult] = {}

    def work(number: int) -> None:
        done[number] = bench.run("sh", "-c", f"sleep 0.2; echo {number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: int(result.output) for number, result in done.items()} == dict(
        zip(range(4), range(4), strict=True)
    )
