"""Errors of a call. No error contains the key or the headers of a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .models import ProblemCode

_MAX_PARTS_IN_MESSAGE = 3


class SlipwayError(Exception):
    """Base class of all errors of a call: the API refused it, or no response was received."""


@dataclass(frozen=True, slots=True)
class InvalidPart:
    """An invalid part of a request."""

    pointer: str
    """JSON Pointer into the request. Empty for the whole body."""
    detail: str


class SlipwayProblem(SlipwayError):
    """A refusal of the API (RFC 9457). Distinguish refusals by ``code``.

    The code of a response that does not come from Slipway is ``unknown``. A newer API can return further codes.
    """

    type: str
    """Address of the page that explains the problem."""
    title: str
    status: int
    """HTTP status."""
    code: ProblemCode | Literal["unknown"]
    request_id: str
    """Id of the last attempt. Empty if the response had no id."""
    detail: str | None
    errors: Sequence[InvalidPart]
    """The invalid parts of the request."""
    retry_after: float | None
    """Seconds that the API asks to wait before the next attempt."""

    def __init__(
        self,
        *,
        type: str,
        title: str,
        status: int,
        code: Any,
        request_id: str,
        detail: str | None = None,
        errors: Sequence[InvalidPart] = (),
        retry_after: float | None = None,
    ) -> None:
        text = _invalid_parts(code, errors) or detail
        which = f"{code}, {request_id}" if request_id else code
        super().__init__(f"{title} ({which}){f': {text}' if text else ''}")
        self.type = type
        self.title = title
        self.status = status
        self.code = code
        self.request_id = request_id
        self.detail = detail
        self.errors = errors
        self.retry_after = retry_after


def _invalid_parts(code: str, errors: Sequence[InvalidPart]) -> str:
    # Often only the message of an error is printed, so it names the invalid parts.
    if code != "invalid_request" or not errors:
        return ""
    text = "; ".join(f"{part.pointer or '(body)'} {part.detail}" for part in errors[:_MAX_PARTS_IN_MESSAGE])
    more = len(errors) - _MAX_PARTS_IN_MESSAGE
    return f"{text}; and {more} more" if more > 0 else text


class SlipwayConnectionError(SlipwayError):
    """No complete response was received; ``__cause__`` holds the reason. The API may have performed the operation."""


class SlipwayTimeoutError(SlipwayConnectionError):
    """An attempt took longer than ``timeout_seconds``. The API may have performed the operation."""
