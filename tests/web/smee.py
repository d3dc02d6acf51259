"""A channel as smee.io offers them: takes webhooks by POST, and sends them on as events."""

from __future__ import annotations

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PLACE = "/channel"


class SmeeChannel(ThreadingHTTPServer):
    """One channel, from `with` to its end."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.listeners: list[queue.SimpleQueue[str]] = []
        self.site = f"http://127.0.0.1:{self.server_port}"
        self.address = f"{self.site}{PLACE}"

    def __enter__(self) -> SmeeChannel:
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: SmeeChannel

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        head = json.dumps({**headers, "query": {}})[:-1]
        for listener in self.server.listeners:
            listener.put(f'{head}, "body": {text}, "timestamp": 1}}')
        self._answer(200)

    def do_GET(self) -> None:
        if self.path == "/new":
            self._answer(307, Location=self.server.address)
        elif self.path == PLACE:
            self._stream()
        else:
            self._answer(404)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._chunk("event: ready\ndata: {}\n\n")
        self.server.listeners.append(waiting)
        while True:
            self._chunk(f"id: 1\ndata: {waiting.get()}\n\n")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def _answer(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": "0"}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass
