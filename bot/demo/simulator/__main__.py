"""Serves a simulated GitHub as a process: `python -m bot.demo.simulator --port 8080`."""

from __future__ import annotations

import json
import signal
import threading

import click

from bot.demo.simulator import GitHubSimulator


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=0, help="Port to listen on (0: any that is free).")
@click.option("--enterprise", is_flag=True, help="Put the API under /api/v3.")
@click.option("--user", "users", multiple=True, default=("octocat",), show_default=True)
@click.option("--repository", "repositories", multiple=True, help="OWNER/NAME of a repository.")
def main(
    host: str, port: int, enterprise: bool, users: tuple[str, ...], repositories: tuple[str, ...]
) -> None:
    """Serve a simulated GitHub until interrupted; its addresses are printed as one JSON line."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    with GitHubSimulator(host=host, port=port, enterprise=enterprise) as github:
        for login in users:
            github.add_user(login)
        for name in repositories:
            github.add_repository(name)
        addresses = {"web": github.web_url, "api": github.api_url, "graphql": github.graphql_url}
        click.echo(json.dumps(addresses))
        stopped.wait()


if __name__ == "__main__":
    main()
