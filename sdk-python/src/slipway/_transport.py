"""Performs one attempt: a request with a deadline, and its whole response."""

from __future__ import annotations

import http.client
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

_CHUNK_BYTES = 65_536
_MAX_IDLE = 10


@dataclass(frozen=True, slots=True)
class Request:
    """A request of an attempt. Its printed form has no headers, because they contain the key."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None

    def __repr__(self) -> str:
        return f"Request({self.method} {self.url})"


@dataclass(frozen=True, slots=True)
class Response:
    """A complete response."""

    status: int
    reason: str
    headers: Mapping[str, str]
    body: bytes


Transport = Callable[[Request, float], Response]
"""Sends a request within a number of seconds.

A transport must not follow redirects, which could send the key to another origin. It raises ``TimeoutError`` after the
deadline, and any other ``OSError`` if it receives no complete response.
"""


class HttpTransport:
    """The default transport. Keeps connections open and can be used by several threads.

    It uses no proxy. To use one, or another HTTP library, pass your own transport to ``create_slipway``.
    """

    def __init__(self, *, ssl_context: ssl.SSLContext | None = None) -> None:
        self._ssl_context = ssl_context
        self._idle: dict[tuple[str, str], list[http.client.HTTPConnection]] = {}
        self._lock = threading.Lock()

    def __call__(self, request: Request, timeout_seconds: float) -> Response:
        deadline = time.monotonic() + timeout_seconds
        parts = urlsplit(request.url)
        origin = (parts.scheme, parts.netloc)
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = self._take(origin) or self._connect(origin, timeout_seconds)
        is_reusable = False
        try:
            response, is_reusable = _exchange(connection, request, target or "/", deadline)
            return response
        except http.client.HTTPException as error:
            raise ConnectionError(str(error) or type(error).__name__) from error
        finally:
            if is_reusable:
                self._keep(origin, connection)
            else:
                connection.close()

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            connections = [one for several in self._idle.values() for one in several]
            self._idle.clear()
        for connection in connections:
            connection.close()

    def __del__(self) -> None:
        self.close()

    def _connect(self, origin: tuple[str, str], timeout_seconds: float) -> http.client.HTTPConnection:
        scheme, netloc = origin
        if scheme == "http":
            return http.client.HTTPConnection(netloc, timeout=timeout_seconds)
        context = self._ssl_context or ssl.create_default_context()
        self._ssl_context = context
        return http.client.HTTPSConnection(netloc, timeout=timeout_seconds, context=context)

    def _take(self, origin: tuple[str, str]) -> http.client.HTTPConnection | None:
        while True:
            with self._lock:
                idle = self._idle.get(origin)
                connection = idle.pop() if idle else None
            if connection is None or not _is_closed_by_peer(connection):
                return connection
            connection.close()

    def _keep(self, origin: tuple[str, str], connection: http.client.HTTPConnection) -> None:
        with self._lock:
            idle = self._idle.setdefault(origin, [])
            if len(idle) < _MAX_IDLE:
                idle.append(connection)
                return
        connection.close()


def _exchange(
    connection: http.client.HTTPConnection, request: Request, target: str, deadline: float
) -> tuple[Response, bool]:
    """Returns the response, and whether the connection can be used again."""
    connection.timeout = _left(deadline)
    if connection.sock is not None:
        connection.sock.settimeout(connection.timeout)
    connection.request(request.method, target, body=request.body, headers=dict(request.headers))
    sock = connection.sock  # the connection forgets a socket that its response will close
    sock.settimeout(_left(deadline))
    response = connection.getresponse()
    chunks = []
    while True:
        sock.settimeout(_left(deadline))
        chunk = response.read1(_CHUNK_BYTES)
        if not chunk:
            break
        chunks.append(chunk)
    if response.length:
        raise ConnectionError(f"{response.length} bytes of the response are missing")
    headers = {name.lower(): value for name, value in response.getheaders()}
    is_reusable = not response.will_close
    response.close()
    return Response(response.status, response.reason, headers, b"".join(chunks)), is_reusable


def _left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _is_closed_by_peer(connection: http.client.HTTPConnection) -> bool:
    # An idle connection has nothing to read, except the end that the peer has sent.
    sock: socket.socket | None = connection.sock
    if sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))
