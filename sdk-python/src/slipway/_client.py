"""The client of /v1."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from ._calls import MAX_RETRIES, TIMEOUT_SECONDS, Retry, Settings
from ._operations import Operations, OperationsWithResponse
from ._transport import HttpTransport, Transport


class SlipwayClient(Operations):
    """A client of /v1 with one method per operation. It can be used by several threads.

    As a context manager it closes its idle connections at the end.
    """

    def __enter__(self) -> SlipwayClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the idle connections of the default transport. Another transport is left to its owner."""
        if isinstance(self._settings.transport, HttpTransport):
            self._settings.transport.close()

    @property
    def with_response(self) -> OperationsWithResponse:
        """The same methods. They return an ``Answer``: the value together with status and headers of the response."""
        return OperationsWithResponse(self._settings)


def create_slipway(
    *,
    base_url: str,
    key: str,
    max_retries: int = MAX_RETRIES,
    timeout_seconds: float = TIMEOUT_SECONDS,
    on_retry: Callable[[Retry], None] | None = None,
    transport: Transport | None = None,
) -> SlipwayClient:
    """Returns a client of /v1. Raises ``TypeError`` if the key or the address is malformed.

    ``key`` is an API key of your app. Keep it on a server: the API refuses a key that a browser page sends.
    """
    # Refused here without printing the key: the HTTP library would print a header that it cannot send.
    if not isinstance(key, str) or not re.fullmatch(r"[!-~]+", key):
        raise TypeError("key must be an API key: it is missing or contains invalid characters.")
    if not isinstance(base_url, str) or not _is_address(base_url):
        raise TypeError("base_url must be an http(s) address with only a host and a path.")
    return SlipwayClient(
        Settings(
            base_url=base_url.rstrip("/"),
            headers={"authorization": f"Bearer {key}"},
            transport=transport or HttpTransport(),
            max_retries=max_retries,
            timeout_seconds=timeout_seconds,
            on_retry=on_retry,
        )
    )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_whole = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
    return is_whole and "@" not in parts.netloc and not parts.query and not parts.fragment
