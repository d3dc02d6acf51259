"""What the other tests here rely on would notice a command or an option that there is not."""

import click
import pytest

from tests.deploy.processes import parses, probes


@pytest.mark.parametrize(
    "command",
    [
        ["work"],
        ["worker", "--lane", "quick"],
        ["worker", "--queue", "slow"],
        ["serve", "--env-file", "/nowhere/at/all"],
        ["sweep", "now"],
    ],
)
def test_what_there_is_not_is_noticed(command: list[str]) -> None:
    with pytest.raises(click.UsageError):
        parses(command)


def test_what_there_is_passes() -> None:
    assert parses(["worker", "--queue", "long"]) == "worker"
    assert probes("serve") == {"/healthz", "/readyz"}
    assert probes("minter") == {"/healthz"}
    assert probes("sweep") == set()
