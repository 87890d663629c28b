"""Client of the Slipway API. ``slipway.webhooks`` verifies webhooks."""

from . import models
from ._calls import Answer, CallOptions, ListCall, MutationOptions, Retry
from ._client import SlipwayClient, create_slipway
from ._events import UnknownEvent, UnknownEventSubject
from ._response import Headers, RateLimit, ResponseInfo
from ._transport import HttpTransport, Request, Response, Transport
from .errors import (
    InvalidPart,
    SlipwayConnectionError,
    SlipwayError,
    SlipwayProblem,
    SlipwayTimeoutError,
)
from .models import *

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "CallOptions",
    "Headers",
    "HttpTransport",
    "InvalidPart",
    "ListCall",
    "MutationOptions",
    "RateLimit",
    "Request",
    "Response",
    "ResponseInfo",
    "Retry",
    "SlipwayClient",
    "SlipwayConnectionError",
    "SlipwayError",
    "SlipwayProblem",
    "SlipwayTimeoutError",
    "Transport",
    "UnknownEvent",
    "UnknownEventSubject",
    "create_slipway",
]
__all__ += models.__all__
