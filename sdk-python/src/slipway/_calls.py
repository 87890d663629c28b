"""Performs the operations of the generated methods."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypedDict, TypeVar, cast
from urllib.parse import quote, urlencode

from ._json import decode, encode
from ._response import ResponseInfo, info_of, read_value
from ._retry import wait_before
from ._transport import Request, Transport
from .errors import SlipwayConnectionError, SlipwayError, SlipwayTimeoutError

T = TypeVar("T")
Page = TypeVar("Page")
Item = TypeVar("Item")

MAX_RETRIES = 2
TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Retry:
    """A failed attempt that is repeated after a wait."""

    error: SlipwayError
    wait_seconds: float
    attempt: int
    """The number of the next attempt; the first attempt is 1."""
    max_attempts: int


class CallOptions(TypedDict, total=False):
    """Options of a call."""

    max_retries: int | None
    """Number of retries after a transient failure. Default: 2."""
    timeout_seconds: float | None
    """Seconds that each attempt may take, including its response. Default: 30."""
    on_retry: Callable[[Retry], None] | None
    """Called before each wait, for example to log that the API is unavailable."""
    headers: Mapping[str, str] | None
    """Additional headers of this call."""


class MutationOptions(CallOptions, total=False):
    """Options of a mutation."""

    idempotency_key: str | None
    """With the same key the API returns the first response again for 24 hours.

    The client generates a key for each call. Pass your own key if you repeat the call yourself, for example after a
    restart.
    """


@dataclass(frozen=True, slots=True)
class Entry:
    """An operation of the contract."""

    method: str
    path: str
    returns: Any
    query: tuple[str, ...] = ()
    page: Literal["cursor", "after"] | None = None
    takes_idempotency_key: bool = False
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The value of a call together with status, headers and request id of the response."""

    data: T
    response: ResponseInfo


class ListCall(Generic[Page, Item]):
    """A list. Iterate over it for all items: the client requests further pages as needed.

    Every iteration starts at the first page. A list reports its end; the event feed never ends, and an iteration stops
    at its current end.
    """

    def __init__(self, fetch: Callable[[str | None], Page], parameter: str) -> None:
        self._fetch = fetch
        self._is_feed = parameter == "after"

    def page(self) -> Page:
        """Returns the first page."""
        return self._fetch(None)

    def pages(self) -> Iterator[Page]:
        """Yields the pages from the first one."""
        page: Any = self._fetch(None)
        yield page
        while True:
            position = page.next_after if self._is_feed else page.next_cursor
            if position is None or (self._is_feed and _is_end(page)):
                return
            page = self._fetch(position)
            if self._is_feed and _is_end(page):
                return
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast(Any, page).data


def _is_end(page: Any) -> bool:
    """Returns whether a page is the current end of the feed.

    A page may be empty although more follows, because a page examines a bounded number of events.
    """
    return not page.data and not page.has_more


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a client. Its printed form has no headers, because they contain the key."""

    base_url: str
    headers: Mapping[str, str] = field(repr=False)
    transport: Transport
    max_retries: int
    timeout_seconds: float
    on_retry: Callable[[Retry], None] | None


class Caller:
    """Performs calls with the settings of a client."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._settings.base_url!r})"

    def _list(self, entry: Entry, parameters: Mapping[str, Any], options: CallOptions) -> ListCall[Any, Any]:
        parameter: str = entry.page or "cursor"

        def fetch(position: str | None) -> Any:
            more = {} if position is None else {parameter: position}
            return self._perform(entry, {**parameters, **more}, None, options).data

        return ListCall(fetch, parameter)

    def _perform(self, entry: Entry, parameters: Mapping[str, Any], body: Any, options: CallOptions) -> Answer[Any]:
        settings = self._settings
        checked = _checked(options)
        max_retries = settings.max_retries if checked.get("max_retries") is None else checked["max_retries"]
        timeout_seconds = checked.get("timeout_seconds") or settings.timeout_seconds
        on_retry = checked.get("on_retry") or settings.on_retry
        # One request for all attempts: the same bytes and the same idempotency key.
        request = prepare(entry, parameters, body, checked, settings)
        is_repeatable = entry.method == "GET" or entry.takes_idempotency_key
        retry = 0
        while True:
            try:
                return _attempt(entry, request, settings.transport, timeout_seconds)
            except SlipwayError as error:
                wait_seconds = wait_before(error, retry) if is_repeatable and retry < max_retries else None
                if wait_seconds is None:
                    raise
                if on_retry is not None:
                    on_retry(Retry(error, wait_seconds, attempt=retry + 2, max_attempts=max_retries + 1))
            time.sleep(wait_seconds)
            retry += 1


_OPTIONS = MutationOptions.__annotations__.keys() | CallOptions.__annotations__.keys()


def _checked(options: CallOptions) -> dict[str, Any]:
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(f"unknown option {', '.join(sorted(unknown))}; the options are {', '.join(sorted(_OPTIONS))}")
    return {name: value for name, value in options.items() if value is not None}


def _attempt(entry: Entry, request: Request, transport: Transport, timeout_seconds: float) -> Answer[Any]:
    try:
        response = transport(request, timeout_seconds)
    except TimeoutError as error:
        raise SlipwayTimeoutError(f"No answer within {timeout_seconds:g} s.") from error
    except OSError as error:
        raise SlipwayConnectionError(f"No answer: {error.strerror or error or type(error).__name__}.") from error
    value = read_value(response, entry.is_text)
    try:
        return Answer(decode(entry.returns, value), info_of(response))
    except ValueError as error:
        raise SlipwayError(f"{error} Check that base_url is the address of an API.") from error


def prepare(
    entry: Entry, parameters: Mapping[str, Any], body: Any, options: Mapping[str, Any], settings: Settings
) -> Request:
    """Builds the request of a call once for all its attempts."""
    headers = {"accept": "*/*" if entry.is_text else "application/json"}
    headers.update({name.lower(): value for name, value in options.get("headers", {}).items()})
    data = None
    if body is not None:
        data = json.dumps(encode(body), ensure_ascii=False, separators=(",", ":")).encode()
        headers["content-type"] = "application/json"
    if "idempotency_key" in options:
        headers["idempotency-key"] = options["idempotency_key"]
    elif entry.takes_idempotency_key and "idempotency-key" not in headers:
        headers["idempotency-key"] = str(uuid.uuid4())
    # Set last, so that a call cannot replace the client's headers.
    headers.update(settings.headers)
    return Request(entry.method, settings.base_url + _address_of(entry, parameters), headers, data)


def _address_of(entry: Entry, parameters: Mapping[str, Any]) -> str:
    path = re.sub(r"\{(\w+)\}", lambda found: _segment_of(found[1], parameters.get(found[1])), entry.path)
    query = urlencode({name: _text_of(parameters[name]) for name in entry.query if parameters.get(name) is not None})
    return f"{path}?{query}" if query else path


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _segment_of(name: str, value: Any) -> str:
    # An empty segment or dots would address another operation.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise TypeError(f"{name} must be an identifier, not {value!r}")
    return quote(value, safe="")
