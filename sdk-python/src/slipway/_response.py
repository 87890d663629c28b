"""Reads status, headers and body of a response."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

from ._transport import Response
from .errors import InvalidPart, SlipwayError, SlipwayProblem


class Headers(Mapping[str, str]):
    """Headers of a response. Names are case-insensitive."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self._values = {name.lower(): value for name, value in headers.items()}

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


@dataclass(frozen=True, slots=True)
class RateLimit:
    """Rate limit of the key at the time of the response."""

    limit: int | None
    """Requests per window."""
    remaining: int
    """Remaining requests in the window."""
    reset_seconds: int | None
    """Seconds until further requests are available."""


@dataclass(frozen=True, slots=True)
class ResponseInfo:
    """Status and headers of a response."""

    status: int
    request_id: str
    """Id of the request for the Request Inspector and for support."""
    rate_limit: RateLimit | None
    is_replayed: bool
    """True if the response is the stored response of an earlier request with the same idempotency key."""
    headers: Headers


def info_of(response: Response) -> ResponseInfo:
    headers = Headers(response.headers)
    return ResponseInfo(
        status=response.status,
        request_id=headers.get("request-id", ""),
        rate_limit=_rate_limit_of(headers),
        is_replayed=headers.get("idempotent-replayed") == "true",
        headers=headers,
    )


def _rate_limit_of(headers: Headers) -> RateLimit | None:
    # `RateLimit-Policy: "default";q=100;w=1` and `RateLimit: "default";r=99;t=1`
    def parameter(header: str, name: str) -> int | None:
        found = re.search(rf";\s*{name}=(\d+)", headers.get(header, ""))
        return int(found[1]) if found else None

    remaining = parameter("ratelimit", "r")
    if remaining is None:
        return None
    return RateLimit(parameter("ratelimit-policy", "q"), remaining, parameter("ratelimit", "t"))


def read_value(response: Response, is_text: bool) -> Any:
    """Returns the value of a successful response. Raises the problem of a refusal."""
    if not 200 <= response.status < 300:
        raise _problem_of(response)
    if is_text:
        return response.body.decode("utf-8", "replace")
    if not response.body:
        return None
    try:
        return json.loads(response.body)
    except ValueError as error:
        raise SlipwayError(
            f"The response (HTTP {response.status}) is not JSON. Check that base_url is the address of an API."
        ) from error


def _problem_of(response: Response) -> SlipwayProblem:
    # A proxy can answer with a body that is not a Slipway problem.
    status, headers = response.status, Headers(response.headers)
    fields: dict[str, Any] = {}
    if "problem+json" in headers.get("content-type", ""):
        try:
            fields = json.loads(response.body)
        except ValueError:
            pass
    if not isinstance(fields, dict):
        fields = {}
    detail = fields.get("detail")
    if detail is None and 300 <= status < 400:
        detail = "Redirects are not followed, because they could send the key to another origin. Correct base_url."
    return SlipwayProblem(
        type=fields.get("type", "about:blank"),
        title=fields.get("title", response.reason or f"HTTP {status}"),
        status=status,
        code=fields.get("code", "unknown"),
        request_id=fields.get("requestId", headers.get("request-id", "")),
        detail=detail,
        errors=_invalid_parts(fields.get("errors")),
        retry_after=retry_after_of(headers, time.time()),
    )


def _invalid_parts(errors: Any) -> list[InvalidPart]:
    # A value that is not a list of objects comes from a proxy.
    parts = [one for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
    return [InvalidPart(str(one.get("pointer", "")), str(one.get("detail", ""))) for one in parts]


def retry_after_of(headers: Mapping[str, str], now_seconds: float) -> float | None:
    """Returns ``Retry-After`` in seconds, from a number of seconds or from a date.

    A date is compared with the ``Date`` header of the response.
    """
    text = headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    until = _seconds_of(text)
    if until is None:
        return None
    begin = _seconds_of(headers.get("date", ""))
    return max(0.0, until - (now_seconds if begin is None else begin))


def _seconds_of(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
