"""A server that reads a request and answers 202: `python -m tests.load.trivial PORT`.

What the sender reaches against it is what the sender can do.
"""

from __future__ import annotations

import asyncio
import re
import sys

_LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")
_ANSWER = b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok"


class _Connection(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._read = transport, b""

    def data_received(self, data: bytes) -> None:
        self._read += data
        head, found, body = self._read.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if found and length is not None and len(body) >= int(length[1]):
            self._read = b""
            self._transport.write(_ANSWER)


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(_Connection, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
