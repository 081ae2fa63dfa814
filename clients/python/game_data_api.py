"""Client of the Game Data API. Uses the standard library only. Retries, ETag cache, rate limit handling, resumable event stream.

    api = GameData("https://api.example.com", token="...")
    api.get("/v1/market/items/{name}/summary", name="Sun Sap")
    for event in api.events(types=["corruxion", "fluxion"]):
        print(event.id, event.type, event.data)
"""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Literal, Mapping

__version__ = "1.0.0"
__all__ = ["ApiError", "RateLimit", "Event", "GameData", "Response"]

RETRIED = frozenset({429, 502, 503, 504})
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 10.0
MAX_GROUPS = 64
# Maximum Retry-After that the event stream waits for.
MAX_RETRY_AFTER_SECONDS = 3600.0
MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 8 * 1024 * 1024
# Comments of the stream that report lost events: the text of the service, and that of earlier versions.
GAPS = (b"some missed events are no longer in the log", b"some missed events are older")
STREAM_TYPE = "text/event-stream"
# `"name";r=remaining;t=seconds to the end of the window` and `"name";q=limit;w=seconds of a window`, one for each rate limit of the request.
RATE_LIMITS = re.compile(r'"([^"]+)";r=(\d+);t=(\d+)')
POLICIES = re.compile(r'"([^"]+)";q=(\d+);w=([1-9]\d*)')
# Headers of a request that bypasses the cache: the stored response may be another part, or another version.
OWN_CONDITIONS = frozenset(
    {"Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "Cache-Control"}
)
CONNECTION_ERRORS = (urllib.error.URLError, http.client.HTTPException, OSError)


class ApiError(Exception):
    """A response with a status other than 2xx. `code` is the stable code of the error body, or "" without one."""

    def __init__(self, status: int, code: str, message: str, body: Any, headers: Mapping[str, str]) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.body = body
        self.headers = headers


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass(frozen=True)
class Event:
    """A message of the stream. Store `id` and pass it as `last_event_id` to resume after a restart."""

    id: str
    type: str
    data: Any
    ts: int


@dataclass
class RateLimit:
    """A rate limit, as of the newest response. `resets_at` is a value of `time.monotonic`."""

    limit: int
    remaining: int
    resets_at: float
    window_seconds: int


@dataclass
class _CacheEntry:
    etag: str
    response: Response
    fresh_until: float


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the service sends none, and the token must not be sent to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


class GameData:
    """A client. Can be shared between threads.

    retries: maximum retries of GET, and of other methods with an idempotency key. A retry of a write that is still running does not
    count: it is repeated for at most max_wait seconds.
    max_wait: maximum wait in seconds for a new window or a Retry-After. If the wait would be longer, the client does not wait.
    when_spent: when the rate limit is used up, "wait" for the next window or "send" at once.
    cache_bytes: size of the response cache for If-None-Match; 0 disables it.
    timeout: seconds of silence after which a request fails.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        user_agent: str = f"game-data-api-python/{__version__}",
        retries: int = 3,
        max_wait: float = 60.0,
        when_spent: Literal["wait", "send"] = "wait",
        cache_bytes: int = 4 * 1024 * 1024,
        timeout: float = 30.0,
    ) -> None:
        _check_base_url(base_url)
        self.rate_limits: dict[str, RateLimit] = {}
        self._base_url = base_url.rstrip("/")
        self._headers = {"User-Agent": user_agent, **({"Authorization": f"Bearer {token}"} if token else {})}
        self._retries = retries
        self._max_wait = max_wait
        self._when_spent = when_spent
        self._timeout = timeout
        self._cache_bytes = cache_bytes
        self._cache: OrderedDict[str, _CacheEntry] = OrderedDict()
        self._cached = 0
        self._groups: dict[str, tuple[str, ...]] = {}
        # Requests without a response yet: the service counts them in this window or in the next one.
        self._in_flight = 0
        self._lock = threading.Lock()
        self._opener = urllib.request.build_opener(_NoRedirects)

    def get(self, path: str, /, **parameters: Any) -> Any:
        """Sends a GET and returns the JSON. Parameters named in the path, as in `/v1/codexes/{type}`, are filled in; the others are the query."""
        return self.request("GET", path, parameters).json()

    def post(self, path: str, body: Any = None, /, *, idempotency_key: str | None = None, **parameters: Any) -> Any:
        """Sends a POST with a JSON body and returns the JSON. With an idempotency key it is retried like a GET."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return self.request("POST", path, parameters, body=body, headers=headers).json()

    def request(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Response:
        """Sends any request. `body`: bytes are sent unchanged, other values as JSON. Raises ApiError unless the status is 2xx."""
        url = self._url(path, parameters or {})
        sent = {"Accept": "application/json", **self._headers, **{name.title(): value for name, value in (headers or {}).items()}}
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        if data is not None:
            sent.setdefault("Content-Type", "application/octet-stream" if isinstance(body, bytes) else "application/json")
        response = self._send(method, url, sent, data)
        if 200 <= response.status < 300:
            return response
        raise _error_of(response)

    def events(
        self,
        types: Iterable[str] | None = None,
        last_event_id: str | None = None,
        *,
        stop: threading.Event | None = None,
        idle: float = 60.0,
        max_delay: float = 30.0,
        on_gap: Callable[[], None] | None = None,
    ) -> Iterator[Event]:
        """Yields messages of the event stream in order, each once, until `stop` is set. After a reconnect it yields missed
        messages, but not state that did not change. It does not read ahead. `idle`: seconds of silence after which the
        client reconnects. `max_delay`: maximum seconds between two attempts, unless the service names a time in Retry-After."""
        if last_event_id and not last_event_id.isdigit():
            raise ValueError("last_event_id must be the id of an event")
        query = {} if types is None else {"types": ",".join(types)}
        url = self._url("/v1/events/stream", query)
        state = _StreamState(last_event_id or "")
        failures = 0
        while stop is None or not stop.is_set():
            delay: float | None = None
            try:
                headers = {**self._headers, "Accept": STREAM_TYPE}
                if state.last_id:
                    headers["Last-Event-ID"] = state.last_id
                with self._opener.open(urllib.request.Request(url, headers=headers), timeout=idle) as stream:
                    if stream.headers.get_content_type() != STREAM_TYPE:
                        message = f"the response is {stream.headers.get_content_type()}, not {STREAM_TYPE}"
                        raise ApiError(stream.status, "", message, None, _headers_of(stream))
                    for event in state.read(stream, on_gap):
                        failures = 0
                        yield event
                        if stop is not None and stop.is_set():
                            return
            except urllib.error.HTTPError as refused:
                with refused:
                    response = Response(refused.code, _headers_of(refused), refused.read(64 * 1024))
                if response.status < 500 and response.status not in (408, 429):
                    raise _error_of(response) from None
                delay = _retry_after(response)
            except CONNECTION_ERRORS:
                pass
            pause = _backoff(failures, state.first_delay, max_delay) if delay is None else min(delay, MAX_RETRY_AFTER_SECONDS)
            failures += 1
            if stop is None:
                time.sleep(pause)
            else:
                stop.wait(pause)

    def _url(self, path: str, parameters: Mapping[str, Any]) -> str:
        if not path.startswith("/"):
            raise ValueError("path must start with /")
        query = dict(parameters)
        filled = re.sub(r"\{(\w+)\}", lambda match: _segment(match.group(1), query.pop(match.group(1))), path)
        given = {name: _text_of(value) for name, value in query.items() if value is not None}
        return self._base_url + filled + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def _send(self, method: str, url: str, headers: dict[str, str], data: bytes | None) -> Response:
        group = "/".join(urllib.parse.urlsplit(url).path.split("/", 3)[:3])
        is_cacheable = method == "GET" and self._cache_bytes > 0 and not OWN_CONDITIONS & headers.keys()
        key = "\n".join((url, headers.get("Authorization", ""), headers["Accept"])) if is_cacheable else None
        with self._lock:
            entry = self._cache.get(key) if key else None
            if entry and key:
                self._cache.move_to_end(key)
        if entry and entry.fresh_until > time.monotonic():
            return entry.response
        if entry:
            headers = {"If-None-Match": entry.etag, **headers}
        has_key = "Idempotency-Key" in headers
        may_repeat = self._retries > 0 and (method in ("GET", "HEAD") or has_key)
        attempt = 0
        waited = 0.0
        while True:
            is_last = attempt >= self._retries or not may_repeat
            delay = _backoff(attempt, FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS)
            self._acquire_request(group)
            try:
                response = self._exchange(urllib.request.Request(url, data=data, headers=headers, method=method))
            except BaseException as error:
                self._update_rate_limit(group, None)
                if is_last or not isinstance(error, CONNECTION_ERRORS):
                    raise
            else:
                self._update_rate_limit(group, response)
                retry_after = _retry_after(response)
                delay = delay if retry_after is None else retry_after
                if may_repeat and has_key and waited + delay <= self._max_wait and _is_in_progress(response):
                    waited += delay
                    time.sleep(delay)
                    continue
                if is_last or response.status not in RETRIED or (retry_after or 0) > self._max_wait:
                    return self._store(key, entry, response)
            time.sleep(delay)
            attempt += 1

    def _exchange(self, request: urllib.request.Request) -> Response:
        try:
            reply = self._opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as refused:
            reply = refused
        with reply:
            body = reply.read(MAX_BODY_BYTES + 1)
            if len(body) > MAX_BODY_BYTES:
                raise ValueError(f"the response is larger than {MAX_BODY_BYTES} bytes")
            # `read` with a size returns what it has got when the connection breaks.
            if getattr(reply, "length", None):
                raise http.client.IncompleteRead(body, reply.length)
            return Response(reply.status, _headers_of(reply), body)

    def _store(self, key: str | None, entry: _CacheEntry | None, response: Response) -> Response:
        """Stores the response. Returns it, or the stored response for a 304."""
        if key is None:
            return response
        if response.status == 304 and entry:
            response = Response(200, {**entry.response.headers, **response.headers}, entry.response.body)
        etag = response.headers.get("etag")
        if response.status != 200 or etag is None or len(response.body) > self._cache_bytes / 4:
            return response
        age = re.search(r"max-age=(\d+)", response.headers.get("cache-control", ""))
        fresh = int(age.group(1)) - int(response.headers.get("age", "0")) if age else 0
        with self._lock:
            replaced = self._cache.pop(key, None)
            self._cache[key] = _CacheEntry(etag, response, time.monotonic() + fresh)
            self._cached += len(response.body) - (len(replaced.response.body) if replaced else 0)
            while self._cached > self._cache_bytes:
                _, dropped = self._cache.popitem(last=False)
                self._cached -= len(dropped.response.body)
        return response

    def _acquire_request(self, group: str) -> None:
        """Counts a request. Waits for the next window first if the rate limit is used up."""
        while True:
            with self._lock:
                limits = [self.rate_limits[name] for name in self._groups.get(group, ()) if name in self.rate_limits]
                left = 0.0
                for rate_limit in limits:
                    over = time.monotonic() - rate_limit.resets_at
                    if over >= 0:
                        rate_limit.remaining = max(0, rate_limit.limit - self._in_flight)
                        rate_limit.resets_at += rate_limit.window_seconds * (1 + over // rate_limit.window_seconds)
                    if rate_limit.remaining == 0:
                        left = max(left, rate_limit.resets_at - time.monotonic())
                if left <= 0 or self._when_spent == "send" or left > self._max_wait:
                    for rate_limit in limits:
                        rate_limit.remaining = max(0, rate_limit.remaining - 1)
                    self._in_flight += 1
                    return
            time.sleep(left)

    def _update_rate_limit(self, group: str, response: Response | None) -> None:
        """Ends a request with its response, or with None for a failure."""
        with self._lock:
            self._in_flight -= 1
            if response is not None:
                self._note_rate_limits(group, response)

    def _note_rate_limits(self, group: str, response: Response) -> None:
        """Stores the rate limits of a response. The caller holds the lock."""
        policies = {name: policy for name, *policy in POLICIES.findall(response.headers.get("ratelimit-policy", ""))}
        rates = [rate for rate in RATE_LIMITS.findall(response.headers.get("ratelimit", "")) if rate[0] in policies]
        if not rates:
            return
        if len(self._groups) >= MAX_GROUPS:
            self._groups.clear()
        self._groups[group] = tuple(name for name, _, _ in rates)
        for name, left, seconds in rates:
            remaining, resets_at = int(left), time.monotonic() + int(seconds)
            limit, window_seconds = (int(value) for value in policies[name])
            known = self.rate_limits.get(name)
            # The end of a window is known to within the age of the response, so windows are compared by whole windows.
            windows_later = None
            if known and known.window_seconds == window_seconds:
                windows_later = round((resets_at - known.resets_at) / window_seconds)
            if known and windows_later == -1:
                # Counted in the window before, so not in this one.
                known.remaining = min(known.limit, known.remaining + 1)
                continue
            # In the same window, the local count includes requests in flight, which the response does not.
            remaining = min(known.remaining, remaining) if known and windows_later == 0 else max(0, remaining - self._in_flight)
            self.rate_limits[name] = RateLimit(limit, remaining, resets_at, window_seconds)


class _StreamState:
    """State of the event stream across connections."""

    def __init__(self, last_id: str) -> None:
        self.last_id = last_id
        self.first_delay = 1.0
        self._seen: set[str] = set()

    def read(self, stream: Any, on_gap: Callable[[], None] | None) -> Iterator[Event]:
        is_resumed = self.last_id != ""
        fields: dict[str, str] = {}
        while True:
            line = stream.readline(MAX_LINE_BYTES)
            if not line.endswith(b"\n"):
                return
            if line.startswith(b":"):
                if any(gap in line for gap in GAPS):
                    is_resumed = False
                    if on_gap:
                        on_gap()
                continue
            text = line.decode().rstrip("\r\n")
            if text:
                name, _, value = text.partition(":")
                value = value.removeprefix(" ")
                fields[name] = f"{fields[name]}\n{value}" if name == "data" and "data" in fields else value
                if name == "retry" and value.isdigit():
                    self.first_delay = int(value) / 1000
                continue
            event_id, data = fields.get("id", self.last_id), fields.get("data")
            fields = {}
            if data is None:
                continue
            message = json.loads(data)
            # Ids increase unless the service lost its log. Then only the state can be sent.
            if self.last_id and int(event_id or 0) < int(self.last_id):
                is_resumed = False
                if on_gap:
                    on_gap()
            is_repeat = is_resumed and event_id == self.last_id and message["type"] in self._seen
            self.last_id = event_id
            self._seen.add(message["type"])
            if not is_repeat:
                yield Event(event_id, message["type"], message["data"], message["ts"])


def _check_base_url(base_url: str) -> None:
    """Raises ValueError for a URL that no request can use, which a retry would not mend."""
    parts = urllib.parse.urlsplit(base_url)
    is_plain = not (parts.username or parts.query or parts.fragment or re.search(r"[\x00-\x20\x7f]", base_url))
    # `port` raises ValueError unless it is a port.
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain or parts.port == 0:
        raise ValueError(f"base_url must be an http or https URL without user, query and fragment, not {base_url}")


def _segment(name: str, value: Any) -> str:
    """A path parameter, percent-encoded. URLs drop the segments `.` and `..`, even encoded ones, and so lead to another path."""
    if str(value) in ("", ".", ".."):
        raise ValueError(f'path.{name} must not be "{value}"')
    return urllib.parse.quote(str(value), safe="")


def _is_in_progress(response: Response) -> bool:
    """Whether the first request with this idempotency key is still running, so the same request gets its response later."""
    if response.status != 409:
        return False
    try:
        return response.json()["error"]["details"]["in_progress"] is True
    except (ValueError, KeyError, TypeError):
        return False


def _text_of(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple, set)):
        return ",".join(_text_of(item) for item in value)
    return str(value)


def _headers_of(reply: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in reply.headers.items()}


def _error_of(response: Response) -> ApiError:
    try:
        body = response.json()
        error = body["error"]
        return ApiError(response.status, error["code"], error["message"], body, response.headers)
    except (ValueError, KeyError, TypeError):
        return ApiError(response.status, "", response.body[:200].decode(errors="replace"), None, response.headers)


def _retry_after(response: Response) -> float | None:
    """Value of Retry-After (seconds or a date) in seconds; None without the header."""
    value = response.headers.get("retry-after")
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _backoff(attempts: int, first: float, maximum: float) -> float:
    """Delay before the next attempt: exponential, half of it random, so clients do not retry simultaneously."""
    full = min(maximum, first * 2 ** min(attempts, 20))
    return full / 2 + random.random() * full / 2
