"""Programs that try to get out, to take too much, or to stay."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from evaluator.sandbox.protocol import MEBIBYTE, ExitReason, ResourceLimits

# A child that leaves its session and its parent, and holds the lifeline as long as it lives.
DAEMON = """
import time
def daemon(ready):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            alive = open(f"{tree}/alive", "w")
            print("held", file=alive, flush=True)
            os.write(ready, b"!")
            time.sleep(600)
        os._exit(0)
ready, started = os.pipe()
daemon(started)
os.read(ready, 1)
print("started", flush=True)
"""


class TestTime:
    def test_sleep_ends_at_the_limit_with_what_it_said_and_wrote(self, bench):
        script = "echo said; echo wrote > file; sleep 600"
        limit = 1.0 + 5 * bench.start_seconds()
        done = bench.run("sh", "-c", script, wall_seconds=limit)
        assert (done.ending, done.exit_code, done.output) == (ExitReason.TIMEOUT, None, "said\n")
        assert limit <= done.wall_seconds < 3 * limit
        assert (bench.tree / "file").read_text() == "wrote\n"

    def test_ignoring_every_signal_does_not_help(self, bench):
        done = bench.python(
            """
            import signal, time
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            time.sleep(60)
            """,
            wall_seconds=1.0,
        )
        assert done.ending is ExitReason.TIMEOUT

    def test_busy_children_are_counted_together(self, bench):
        done = bench.python(
            """
            for _ in range(2):
                if os.fork() == 0:
                    while True: pass
            os.wait()
            """,
            cpu_seconds=0.5,
        )
        assert done.ending is ExitReason.CPU

    def test_work_of_children_that_ended_is_counted(self, bench):
        done = bench.python(
            """
            while True:
                if os.fork() == 0:
                    sum(range(1_000_000))
                    os._exit(0)
                os.wait()
            """,
            cpu_seconds=0.5,
        )
        assert done.ending is ExitReason.CPU


class TestProcesses:
    def test_a_daemon_is_dead_after_the_commands_own_end(self, bench, lifeline):
        done = bench.python(DAEMON)
        assert (done.exit_code, done.output) == (0, "started\n")
        assert lifeline.is_released()

    def test_a_daemon_is_dead_after_the_time_limit(self, bench, lifeline):
        limit = 1.0 + 10 * bench.start_seconds()
        done = bench.python(DAEMON + "time.sleep(600)", wall_seconds=limit)
        assert (done.ending, done.output) == (ExitReason.TIMEOUT, "started\n")
        assert lifeline.is_released()

    def test_many_processes_are_too_many(self, bench):
        done = bench.python("""
            import time
            for _ in range(200):
                if os.fork() == 0:
                    time.sleep(60)
            time.sleep(60)
        """)
        assert done.ending is ExitReason.PROCESSES or "BlockingIOError" in done.output
        assert done.wall_seconds < 10.0

    def test_a_thousand_threads_are_not_too_many(self, bench):
        """As brave's test has them of what is safe for threads."""
        usual = ResourceLimits()
        done = bench.python(
            """
            import threading
            stop = threading.Event()
            threads = [threading.Thread(target=stop.wait) for _ in range(1000)]
            for thread in threads:
                thread.start()
            print(threading.active_count())
            stop.set()
            """,
            processes=usual.processes,
            memory_bytes=usual.memory_bytes,
        )
        assert (done.ending, done.output) == (ExitReason.EXITED, "1001\n")

    def test_a_fork_bomb_is_put_out(self, walled, lifeline):
        # It stops by itself after some thousand forks, should nothing else stop it.
        done = walled.python("""
            alive = open(f"{tree}/alive", "w")
            print("held", file=alive, flush=True)
            for _ in range(11):
                try:
                    os.fork()
                except OSError:
                    pass
            import time
            time.sleep(60)
        """)
        assert done.ending is ExitReason.PROCESSES
        assert done.wall_seconds < 10.0
        assert lifeline.is_released()

    def test_killing_the_parent_kills_nobody_outside(self, walled):
        done = walled.python("""
            import signal
            try:
                os.kill(os.getppid(), signal.SIGKILL)
            except PermissionError:
                pass
            print(os.getppid())
        """)
        assert done.ending in {ExitReason.EXITED, ExitReason.KILLED}

    def test_killing_everything_kills_nobody_outside(self, walled):
        done = walled.run("sh", "-c", "kill -9 -1; echo still here")
        assert done.ending in {ExitReason.EXITED, ExitReason.KILLED}

    def test_killing_the_adopting_parent_leaves_nothing(self, bench_in, lifeline):
        bench = bench_in("process")
        done = bench.python(DAEMON.replace("os.setsid()", "") + "os.kill(os.getppid(), 9)")
        assert done.ending is ExitReason.KILLED
        assert lifeline.is_released()

    def test_processes_of_the_host_are_not_seen(self, walled):
        done = walled.python("""
            import pathlib
            print(sum(path.name.isdecimal() for path in pathlib.Path("/proc").iterdir()))
        """)
        assert int(done.output) < 5


class TestMemory:
    def test_growing_is_stopped(self, bench):
        done = bench.python("""
            import time
            kept = []
            while True:
                kept.append(bytearray(os.urandom(1)) * 2_000_000)
                time.sleep(0.002)
        """)
        assert done.ending is ExitReason.MEMORY

    def test_growing_in_children_is_stopped(self, bench):
        done = bench.python("""
            import time
            for _ in range(4):
                if os.fork() == 0:
                    kept = bytearray(b"x") * 80_000_000
                    time.sleep(60)
            time.sleep(60)
        """)
        assert done.ending is ExitReason.MEMORY
        assert done.wall_seconds < 10.0

    def test_pages_that_forked_children_share_count_once(self, bench):
        done = bench.python("""
            import time
            kept = bytearray(b"x") * 80_000_000
            for _ in range(3):
                if os.fork() == 0:
                    time.sleep(0.5)
                    os._exit(0)
            for _ in range(3):
                os.wait()
        """)
        assert (done.ending, done.exit_code) == (ExitReason.EXITED, 0)

    def test_one_huge_allocation_is_refused(self, bench):
        done = bench.python("kept = bytearray(b'x') * 20_000_000_000; print('got it')")
        assert "got it" not in done.output
        assert done.ending is ExitReason.MEMORY or "MemoryError" in done.output

    def test_files_in_memory_are_bounded(self, walled):
        done = walled.python("""
            with open("/tmp/file", "wb") as file:
                while True:
                    file.write(bytes(1_000_000))
        """)
        assert done.ending in {ExitReason.MEMORY, ExitReason.DISK} or "No space left" in done.output


class TestOutput:
    def test_output_without_end_is_cut(self, bench):
        done = bench.run("sh", "-c", "while :; do echo 0123456789; done")
        assert (done.ending, done.output_truncated) == (ExitReason.OUTPUT, True)
        assert len(done.output) == MEBIBYTE
        assert done.output.startswith("0123456789\n")
        assert done.wall_seconds < 10.0

    def test_output_of_gigabytes_a_second_is_cut(self, bench):
        done = bench.run("dd", "if=/dev/zero", "bs=1M")
        assert (done.ending, len(done.output)) == (ExitReason.OUTPUT, MEBIBYTE)

    def test_too_much_output_just_before_the_end_is_cut(self, bench):
        done = bench.python("print('x' * 1_000_500)", output_bytes=1_000_000)
        assert (done.ending, done.output_truncated) == (ExitReason.OUTPUT, True)


class TestDisk:
    def test_one_large_file(self, bench):
        done = bench.python("""
            with open(f"{tree}/file", "wb") as file:
                while True:
                    file.write(bytes(1_000_000))
        """)
        assert done.ending is ExitReason.DISK
        assert (bench.tree / "file").stat().st_size <= 22 * MEBIBYTE

    def test_many_files(self, bench):
        done = bench.python("""
            import itertools, time
            for number in itertools.count():
                with open(f"{tree}/{number}", "wb") as file:
                    file.write(bytes(500_000))
                time.sleep(0.003)
        """)
        assert done.ending is ExitReason.DISK
        assert done.wall_seconds < 10.0

    def test_allocating_without_writing(self, bench):
        done = bench.python("""
            import itertools, time
            for number in itertools.count():
                with open(f"{tree}/{number}", "wb") as file:
                    os.posix_fallocate(file.fileno(), 0, 4_000_000)
                time.sleep(0.02)
        """)
        assert done.ending is ExitReason.DISK
        assert done.wall_seconds < 10.0

    def test_deleted_files_that_are_still_open(self, bench):
        done = bench.python("""
            import itertools, time
            kept = []
            for number in itertools.count():
                kept.append(open(f"{tree}/file", "wb"))
                os.unlink(f"{tree}/file")
                kept[-1].write(bytes(1_000_000))
                time.sleep(0.01)
        """)
        assert done.ending is ExitReason.DISK
        assert done.wall_seconds < 12.0

    def test_what_was_written_just_before_the_end_is_noticed(self, bench_on_tmpfs):
        done = bench_on_tmpfs.python("""
            for number in range(30):
                with open(f"{tree}/{number}", "wb") as file:
                    file.write(bytes(1_000_000))
        """)
        assert (done.ending, done.exit_code) == (ExitReason.DISK, None)

    def test_a_sparse_file_is_not_disk(self, bench):
        done = bench.python(
            "os.truncate(os.open(f'{tree}/file', os.O_CREAT | os.O_RDWR), 15_000_000)"
        )
        assert done.ending is ExitReason.EXITED


class TestFiles:
    def test_deleting_everything_deletes_only_the_tree(self, walled):
        (walled.tree / "file").write_text("x")
        done = walled.run(
            "sh", "-c", "rm -rf --no-preserve-root $TREE/* /srv /etc /var 2>/dev/null; echo end"
        )
        assert done.output == "end\n"
        assert not list(walled.tree.iterdir())
        assert (walled.fixed / "kept.txt").read_text() == "kept"

    def test_what_is_mounted_read_only_and_the_system_cannot_be_written(self, walled):
        script = """
            echo x > $FIXED/new && echo "wrote a new file"
            echo x > $FIXED/kept.txt && echo "wrote to a file"
            rm -f $FIXED/kept.txt && echo "removed a file"
            chmod 777 $FIXED && echo "changed a mode"
            for place in / /usr /etc /srv /var /root /proc; do
                touch $place/new && echo "wrote to $place"
            done
        """
        done = walled.run("sh", "-c", f"exec 2>/dev/null; {script}")
        assert done.output == ""
        assert [path.name for path in walled.fixed.iterdir()] == ["kept.txt"]

    def test_files_of_the_host_are_not_seen(self, walled, tmp_path, monkeypatch):
        secret = tmp_path / "secret.txt"
        secret.write_text("the secret")
        (walled.tree / "link").symlink_to(secret)
        home = Path.home() / ".ssh"
        done = walled.run("sh", "-c", f"cat {secret} link; ls -d {home} {tmp_path}; :")
        assert "the secret" not in done.output
        assert done.output.count("No such file") == 4

    def test_a_link_that_leads_outside_is_not_followed_by_the_host(self, bench, tmp_path):
        large = tmp_path / "large"
        large.mkdir()
        (large / "file").write_bytes(bytes(25 * MEBIBYTE))
        done = bench.python(f"""
            os.symlink({str(large)!r}, f"{{tree}}/link")
            with open(f"{{tree}}/file", "wb") as file:
                file.write(bytes(12_000_000))
        """)
        assert (done.ending, done.exit_code) == (ExitReason.EXITED, 0)

    def test_other_processes_hold_no_secret(self, walled, monkeypatch, tmp_path):
        monkeypatch.setenv("GITHUB_TOKEN", "a-secret-of-the-host")
        done = walled.run("sh", "-c", "cat /proc/*/environ /proc/*/cmdline | tr '\\0' ' '")
        assert "a-secret-of-the-host" not in done.output
        assert str(tmp_path) not in done.output

    def test_no_descriptor_of_the_host_is_open(self, walled):
        done = walled.python("print(sorted(int(name) for name in os.listdir('/proc/self/fd')))")
        assert done.output == "[0, 1, 2, 3]\n"


class TestNetwork:
    def test_the_loopback_works(self, bench):
        done = bench.python("""
            import socket
            server = socket.create_server(("127.0.0.1", 0))
            client = socket.create_connection(server.getsockname())
            server.accept()[0].sendall(b"hello")
            print(client.recv(5))
        """)
        assert done.output == "b'hello'\n"

    def test_the_hosts_loopback_is_another_one(self, walled):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            done = walled.python(f"""
                import socket
                socket.create_connection(("127.0.0.1", {port}), timeout=3)
            """)
        assert "ConnectionRefusedError" in done.output

    def test_nothing_outside_can_be_reached(self, walled):
        done = walled.python("""
            import socket
            for attempt in (
                lambda: socket.create_connection(("192.0.2.1", 53), timeout=3),
                lambda: socket.create_connection(("8.8.8.8", 53), timeout=3),
                lambda: socket.getaddrinfo("example.org", 80),
            ):
                try:
                    attempt()
                except OSError as error:
                    print(error.strerror)
        """)
        unreachable, also, unresolved = done.output.splitlines()
        assert unreachable == also == "Network is unreachable"
        assert "name resolution" in unresolved

    @pytest.mark.bubblewrap
    def test_the_network_is_there_when_asked_for(self, bench_in):
        bench = bench_in("bubblewrap")
        code = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])))"
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = str(server.getsockname()[1])
            done = bench.sandbox.run(
                bench.command("/usr/bin/env", "python3", "-c", code, port, network=True)
            )
        assert done.exit_code == 0, done.output


class TestPrivileges:
    def test_no_capability_is_left_and_none_can_be_gained(self, walled):
        status = walled.run("cat", "/proc/self/status").output
        fields = dict(line.split(":", 1) for line in status.splitlines())
        assert int(fields["CapEff"], 16) == int(fields["CapBnd"], 16) == 0
        assert int(fields["NoNewPrivs"]) == 1

    def test_what_needs_a_privilege_is_refused(self, walled):
        done = walled.python("""
            attempts = {
                "uid": lambda: os.setuid(12345),
                "groups": lambda: os.setgroups([0]),
                "root": lambda: os.chroot("/tmp"),
                "device": lambda: os.mknod(f"{tree}/disk", 0o60666, os.makedev(8, 0)),
                "owner": lambda: os.chown(tree, 12345, 12345),
                "priority": lambda: os.nice(-5),
                # For these files the kernel asks for root's user, not for a capability.
                "crash": lambda: os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY),
                "caches": lambda: os.open("/proc/sys/vm/drop_caches", os.O_WRONLY),
                "name": lambda: os.open("/proc/sys/kernel/hostname", os.O_WRONLY),
            }
            for name, attempt in attempts.items():
                try:
                    attempt()
                    print(name, "was possible")
                except OSError:
                    pass
        """)
        assert (done.exit_code, done.output) == (0, "")

    def test_no_namespace_and_no_mount_can_be_made(self, walled):
        done = walled.run("sh", "-c", "unshare -Ur true || mount -t tmpfs x /tmp || echo refused")
        assert "refused" in done.output.splitlines()

    def test_a_set_uid_program_gives_nothing(self, walled):
        program = walled.tree / "id"
        program.write_bytes(Path("/usr/bin/id").read_bytes())
        program.chmod(0o6755)
        done = walled.run("sh", "-c", "./id -u; id -u")
        first, second = done.output.split()
        assert first == second

    def test_no_process_outside_can_be_traced(self, walled):
        done = walled.python(f"""
            import ctypes
            PTRACE_ATTACH = 16
            for pid in ({os.getpid()}, {os.getppid()}):
                print(ctypes.CDLL(None).ptrace(PTRACE_ATTACH, pid, 0, 0))
        """)
        assert done.output == "-1\n-1\n"
