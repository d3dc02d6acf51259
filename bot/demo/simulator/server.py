"""The simulated GitHub as a web application, and the thread that serves it."""

from __future__ import annotations

import contextlib
import functools
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import flask
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler, make_server

from bot.demo.simulator.api import apps, checks, git, graphql, issues, oauth, repositories
from bot.demo.simulator.api.endpoint import refusal
from bot.demo.simulator.errors import RefusedError, not_found
from bot.demo.simulator.pages import website
from bot.demo.simulator.world import KEY, Exchange, Simulation, current

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_RESOURCES = (apps, checks, git, issues, oauth, repositories)
VERSIONS = ("2022-11-28", "2026-03-10")
_NO_AGENT = (
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent "
    "header (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required)."
)


def application(state: Simulation) -> WSGIApplication:
    """The web application of one simulator."""
    app = create_app(state.world.site.enterprise)

    def serve(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[KEY] = state
        return app(environ, start_response)

    return serve


@functools.cache
def create_app(enterprise: bool) -> flask.Flask:
    """All pages and endpoints; which simulator they serve comes with each request."""
    app = flask.Flask(__name__)
    app.url_map.strict_slashes = False
    rest = "/api/v3" if enterprise else ""
    for resource in _RESOURCES:
        app.register_blueprint(resource.blueprint, url_prefix=rest or None)
    app.register_blueprint(graphql.blueprint, url_prefix="/api" if rest else None)
    app.register_blueprint(apps.pages)
    app.register_blueprint(oauth.pages)
    app.register_blueprint(git.transport)
    app.register_blueprint(website.blueprint)
    for check in (_go_wrong, _check_headers):
        app.before_request(check)
    for last in (_lose, _add_headers):
        app.after_request(last)
    app.register_error_handler(RefusedError, refusal)
    for status in (404, 405):
        app.register_error_handler(status, _unknown)
    return app


def _go_wrong() -> flask.Response | None:
    chance = current().world.chance
    faults = chance.faults
    if chance.happens(faults.slow):
        time.sleep(faults.slow_seconds)
    if chance.happens(faults.dropped):
        _hang_up()
        return flask.Response(status=500)
    if chance.happens(faults.errors):
        return refusal(RefusedError(chance.pick(500, 502), "Server Error"))
    if chance.happens(faults.limited):
        problem = "You have exceeded a secondary rate limit."
        headers = {"Retry-After": str(faults.retry_after)}
        return refusal(RefusedError(chance.pick(403, 429), problem, headers=headers))
    return None


def _check_headers() -> flask.Response | None:
    headers = flask.request.headers
    if not headers.get("User-Agent"):
        return refusal(RefusedError(403, _NO_AGENT))
    version = headers.get("X-GitHub-Api-Version", VERSIONS[0])
    if version not in VERSIONS:
        problem = f'"{version}" is not a supported version. Supported: {", ".join(VERSIONS)}'
        return refusal(RefusedError(400, problem))
    return None


def _lose(answer: flask.Response) -> flask.Response:
    chance = current().world.chance
    if chance.happens(chance.faults.lost):
        _hang_up()
    return answer


def _unknown(_: Exception) -> flask.Response:
    return refusal(not_found())


def _add_headers(answer: flask.Response) -> flask.Response:
    request, headers = flask.request, answer.headers
    if "window" in flask.g:
        for name, value in flask.g.window.headers().items():
            headers.setdefault(name, value)
    version = request.headers.get("X-GitHub-Api-Version", VERSIONS[0])
    headers["X-GitHub-Api-Version-Selected"] = version
    headers["X-GitHub-Media-Type"] = "github.v3; format=json"
    headers["X-GitHub-Request-Id"] = uuid.uuid4().hex.upper()
    exchange = Exchange(request.method, request.path, answer.status_code)
    current().exchanges.append(exchange)
    return answer


def _hang_up() -> None:
    """Close the connection without an answer, as a broken network does."""
    connection: socket.socket = flask.request.environ["werkzeug.socket"]
    with contextlib.suppress(OSError):  # who asked may be gone already
        connection.shutdown(socket.SHUT_RDWR)


class _QuietHandler(WSGIRequestHandler):
    """Says nothing on standard error."""

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - werkzeug's name
        """Nothing."""

    def run_wsgi(self) -> None:
        """As werkzeug does, but a connection that was hung up on is no error."""
        try:
            super().run_wsgi()
        except OSError:
            self.close_connection = True


class Server:
    """Serves an application on a port of this machine, in a thread."""

    def __init__(self, host: str, port: int) -> None:
        """Takes the port at once (0: any), so that the address is known. Raises OSError."""
        self._socket = socket.create_server((host, port))
        self.host, self.port = self._socket.getsockname()[:2]
        self._stop: Callable[[], None] = self._socket.close

    def start(self, app: WSGIApplication) -> None:
        """Begin to serve."""
        server = make_server(
            self.host,
            self.port,
            app,
            threaded=True,
            request_handler=_QuietHandler,
            fd=self._socket.fileno(),
        )
        assert isinstance(server, ThreadedWSGIServer)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()

        def stop() -> None:
            server.shutdown()
            thread.join()
            server.server_close()
            self._socket.close()

        self._stop = stop

    def stop(self) -> None:
        """End, and give the port back."""
        self._stop()
