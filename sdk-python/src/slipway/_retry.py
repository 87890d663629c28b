"""Decides whether to retry an attempt, and how long to wait before it."""

from __future__ import annotations

import random
from collections.abc import Callable

from .errors import SlipwayConnectionError, SlipwayError, SlipwayProblem

_RETRIED_STATUSES = frozenset({408, 429, 502, 503, 504})
_FIRST_BACKOFF_SECONDS = 0.5
_LONGEST_BACKOFF_SECONDS = 8.0

LONGEST_RETRY_AFTER_SECONDS = 60
"""If the API asks for a longer wait, the call fails immediately with the problem's ``retry_after``."""


def wait_before(error: SlipwayError, retry: int, draw: Callable[[], float] = random.random) -> float | None:
    """Returns the seconds to wait before retry number ``retry`` (from 0), or ``None`` for no retry.

    The backoff is random between zero and a limit that doubles with each retry (full jitter). It is added to
    ``Retry-After``, so that clients with the same ``Retry-After`` do not return at the same time.
    """
    if not _is_transient(error, retry):
        return None
    requested_seconds = (error.retry_after if isinstance(error, SlipwayProblem) else None) or 0.0
    if requested_seconds > LONGEST_RETRY_AFTER_SECONDS:
        return None
    limit: float = min(_LONGEST_BACKOFF_SECONDS, _FIRST_BACKOFF_SECONDS * 2.0 ** min(retry, 10))
    return requested_seconds + draw() * limit


def _is_transient(error: SlipwayError, retry: int) -> bool:
    if isinstance(error, SlipwayConnectionError):
        return True
    if not isinstance(error, SlipwayProblem):
        return False
    # After a lost response, the request in progress under this key is the call's own earlier attempt.
    if error.code == "idempotency_in_progress":
        return retry > 0
    return error.status in _RETRIED_STATUSES
