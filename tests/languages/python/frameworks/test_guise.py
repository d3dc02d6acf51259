"""Reruns look different from inside, and the same in what is recorded of them."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest

from evaluator.model import Failure, Frame, Run
from evaluator.run import RunRequest, run_tests
from evaluator.sandbox.choose import choose_sandbox
from evaluator.sandbox.guise import USUAL, Guise, guise_of

from .conftest import LIMITS, Project, own_environment, plain_recipe

SEEN = "[os.getcwd(), os.environ['HOME'], tempfile.gettempdir(), getpass.getuser(), host]"
LOOKS_AROUND = f"""
    import getpass, hashlib, json, os, socket, tempfile, unittest

    host = socket.gethostname()
    seen = {SEEN}
    class Tests(unittest.TestCase):
        def test_writes_everywhere(self):
            for place in {{"/tmp", "/var/tmp", *seen[:3]}}:
                tempfile.NamedTemporaryFile(dir=place).write(b"x")
            self.assertEqual(os.path.expanduser("~"), os.environ["HOME"])
            self.assertEqual(socket.gethostbyname(host), "127.0.0.1")

        def test_names(self):
            raise ValueError(json.dumps(seen))

        def test_what_code_sees(self):
            with open("/proc/self/cmdline") as command:
                probe = command.read().split("/runner.py")[0].split("\\0")[-1]
            seen.extend([probe, " ".join(os.environ)])
            raise ValueError(json.dumps([hashlib.sha1(x.encode()).hexdigest() for x in seen]))
"""


def run(project: Project, guise: Guise, only: frozenset[str] = frozenset()) -> Run:
    recipe = plain_recipe("unittest")
    files = ("test_a.py",)
    environment = own_environment(recipe)
    request = RunRequest(project.tree, environment, files, {}, LIMITS, 0, only, guise=guise)
    return run_tests(project.sandbox, request)


def failure(run: Run, test: str) -> Failure:
    found = run.outcomes[f"test_a.Tests.{test}"].failure
    assert found is not None, run.output
    return found


@pytest.mark.parametrize(
    "sandbox",
    [
        pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
        pytest.param("docker", marks=pytest.mark.docker),
    ],
)
def test_what_code_could_recognise_is_another_each_time(tmp_path: Path, sandbox: str) -> None:
    (tmp_path / "tree").mkdir()
    project = Project(tmp_path / "tree", choose_sandbox(sandbox))
    project.write({"test_a.py": LOOKS_AROUND})
    runs = [run(project, guise_of(attempt, "content")) for attempt in range(3)]
    assert {r.outcomes["test_a.Tests.test_writes_everywhere"].status for r in runs} == {"passed"}
    seen = [json.loads(failure(r, "test_what_code_sees").message) for r in runs]
    assert all(len(set(values)) == 3 for values in zip(*seen, strict=True)), seen
    told = [json.loads(failure(r, "test_names").message) for r in runs]
    assert told == [["/testbed", "/home/fixgate", "/tmp", "fixgate", "fixgate"]] * 3
    assert {failure(r, "test_names").frame for r in runs} == {
        Frame("test_a.py", 14, "test_names"),
    }
    assert len({r.command for r in runs}) == 1
    assert "/testbed" not in runs[0].command


@pytest.mark.bubblewrap
def test_the_user_and_its_id_are_others(walled_project: Project) -> None:
    walled_project.write(
        {
            "test_a.py": """
                import os, pwd, unittest
                class Tests(unittest.TestCase):
                    def test_user(self):
                        user = pwd.getpwuid(os.getuid())
                        raise ValueError("%s %s" % (user.pw_uid, user.pw_dir))
            """
        }
    )
    guises = [USUAL, guise_of(1, "x"), guise_of(2, "x")]
    messages = [failure(run(walled_project, each), "test_user").message for each in guises]
    assert messages == [f"{each.uid} /home/fixgate" for each in guises]
    assert len(set(messages)) == 3


@pytest.mark.bubblewrap
def test_tests_are_named_alike_and_found_by_their_names(walled_project: Project) -> None:
    walled_project.write(
        {
            "test_a.py": """
                import os, pytest
                @pytest.mark.parametrize("path", [os.getcwd() + "/a", "/testbed/b", "c"])
                def test_path(path): pass
            """
        }
    )
    names = {f"test_a.py::test_path[{path}]" for path in ("/testbed/a", "/testbed/b", "c")}
    environment = own_environment(plain_recipe("pytest"))
    for guise in (USUAL, guise_of(1, "x")):
        request = RunRequest(walled_project.tree, environment, ("test_a.py",), guise=guise)
        assert run_tests(walled_project.sandbox, request).outcomes.keys() == names
        some = frozenset(names - {"test_a.py::test_path[c]"})
        request = RunRequest(
            walled_project.tree, environment, ("test_a.py",), only=some, guise=guise
        )
        assert run_tests(walled_project.sandbox, request).outcomes.keys() == some


def test_the_first_attempt_is_the_usual_one_and_the_others_are_repeated() -> None:
    assert guise_of(0, "x") == USUAL
    assert guise_of(1, "x") == guise_of(1, "x")
    assert len({guise_of(n, text).tree for n in range(1, 4) for text in "ab"}) == 6


@pytest.mark.parametrize("attempt", range(1, 20))
def test_names_have_the_length_of_the_usual_ones(attempt: int) -> None:
    guise = guise_of(attempt, "content")
    for field in fields(Guise):
        usual, own = getattr(USUAL, field.name), getattr(guise, field.name)
        assert own != usual
        if field.name != "variables":
            assert len(str(own)) == len(str(usual))


def test_a_text_comes_back_from_its_disguise() -> None:
    guise = guise_of(3, "content")
    text = "no file /testbed/a.py, nor /tmp/x/testbed, nor /home/fixgate/y by /fixgate/probe"
    assert guise.disguised(text) != text
    assert guise.plain(guise.disguised(text)) == text
    assert USUAL.plain(text) == USUAL.disguised(text) == text
