"""Serves web applications: bounded in time, size and number, whatever clients do."""

from bot.serving.asgi import LARGEST_BODY, AsgiApplication, Receive, Scope, Send
from bot.serving.connection import ClientTimeouts
from bot.serving.server import HttpServer
from bot.serving.short import ShortAnswer, ShortRequest, ShortWays
from bot.serving.sockets import tcp_sockets, unix_socket
from bot.serving.wsgi import asgi

__all__ = [
    "LARGEST_BODY",
    "AsgiApplication",
    "ClientTimeouts",
    "HttpServer",
    "Receive",
    "Scope",
    "Send",
    "ShortAnswer",
    "ShortRequest",
    "ShortWays",
    "asgi",
    "tcp_sockets",
    "unix_socket",
]
