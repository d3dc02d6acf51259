"""Which sandbox is picked, and what is said where there is none."""

from __future__ import annotations

import pytest

from evaluator.errors import SandboxError
from evaluator.sandbox.choose import choose_sandbox


@pytest.fixture
def no_docker(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")


@pytest.fixture
def no_programs(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(SandboxError, match=r"'jail'.*auto, docker, bubblewrap, process"):
        choose_sandbox("jail")


@pytest.mark.docker
def test_docker_comes_first_where_its_image_is_there():
    assert choose_sandbox("auto").name == "docker"


@pytest.mark.bubblewrap
def test_bubblewrap_comes_next(no_docker):
    assert choose_sandbox("auto").name == "bubblewrap"


def test_without_any_it_says_what_to_install_and_never_takes_down_the_walls(no_docker, no_programs):
    with pytest.raises(SandboxError, match=r"install the package `bubblewrap`.*--sandbox process"):
        choose_sandbox("auto")


def test_docker_that_was_asked_for_is_not_replaced(no_docker):
    with pytest.raises(SandboxError, match="docker"):
        choose_sandbox("docker")


def test_bubblewrap_that_was_asked_for_is_not_replaced(no_programs):
    with pytest.raises(SandboxError, match="bwrap not found"):
        choose_sandbox("bubblewrap")


def test_process_is_there_when_asked_for():
    assert choose_sandbox("process").name == "process"


@pytest.mark.docker
def test_an_image_that_is_missing_and_not_pinned_is_refused():
    with pytest.raises(SandboxError, match=r"no-such-image.*sandbox-image.*digest"):
        choose_sandbox("docker", image="no-such-image")


@pytest.mark.docker
def test_a_runtime_that_the_engine_does_not_know_is_told(bench_in):
    bench = bench_in("docker")
    sandbox = choose_sandbox("docker", runtime="no-such-runtime")
    with pytest.raises(SandboxError, match="no-such-runtime"):
        sandbox.run(bench.command("true"))
