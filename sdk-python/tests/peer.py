"""An HTTP server that sends prepared responses and records requests."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ME = {
    "environment": "sandbox",
    "appId": "app_1",
    "keyId": "key_1",
    "kid": "abcdefghijkl",
    "scopes": ["servers:read"],
    "expiresAt": "2026-12-01T10:00:00.000Z",
}


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    client: tuple[str, int]


Answer = Callable[["Handler"], None]


@dataclass
class Peer:
    url: str = ""
    received: list[Received] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    peer: Peer
    answers: list[Answer]

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        client = (self.client_address[0], self.client_address[1])
        self.peer.received.append(Received(self.command, self.path, headers, body, client))
        self.answers[min(len(self.peer.received), len(self.answers)) - 1](self)

    do_GET = do_POST = handle_any

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@contextmanager
def peer(*answers: Answer) -> Iterator[Peer]:
    """Starts a server. The last response repeats for all further requests."""
    started = Peer()
    handler = type("Bound", (Handler,), {"peer": started, "answers": list(answers)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.block_on_close = False
        started.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield started
        finally:
            server.shutdown()
            thread.join()


def raw(status: int, body: bytes, headers: dict[str, str] | None = None) -> Answer:
    def answer(handler: Handler) -> None:
        handler.send_response(status)
        for name, value in {"content-length": str(len(body)), **(headers or {})}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def reply(status: int, body: Any, headers: dict[str, str] | None = None) -> Answer:
    return raw(status, json.dumps(body).encode(), {"content-type": "application/json", **(headers or {})})


def problem(status: int, code: str, headers: dict[str, str] | None = None, **more: Any) -> Answer:
    fields = {
        "type": "https://peer.example/p",
        "title": "A problem",
        "status": status,
        "code": code,
        "requestId": "req_1",
    }
    return reply(status, {**fields, **more}, {"content-type": "application/problem+json", **(headers or {})})


def reset(handler: Handler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def incomplete(handler: Handler) -> None:
    raw(200, b'{"app', {"content-length": "1000"})(handler)
    reset(handler)
