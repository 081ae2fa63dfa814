#!/usr/bin/env python3
"""Runs the Python client through a proxy that drops, delays and reorders by a seed, over every status and text it branches on.

`npm run clients` starts the service and the proxy. check_faults.ts has the same checks for TypeScript.
"""

import json
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from support import (
    BASE_URL, COEFFICIENT, MASTER_TOKEN, SEED, SERVER_TIME, ApiError, as_master, client, proxy, report, run_checks, status_of, until,
)

STATUSES = (400, 401, 403, 404, 405, 408, 409, 410, 413, 416, 422, 429, 500, 501, 502, 503, 504)
RETRIED = (429, 502, 503, 504)
# Statuses after which a stream reconnects.
RECONNECTED = tuple(status for status in STATUSES if status >= 500 or status in (408, 429))
READS = 16
WRITES = 12
EVENTS = 15
# Paths whose responses do not depend on the time: pages, an unknown entry (404) and a wrong value (422).
PATHS = [
    path
    for index in range(READS)
    for path in (
        f"/v1/codexes/mount?limit=3&offset={index}",
        f"/v1/codexes/search?q=b&limit=2&offset={index}",
        f"/v1/codexes/mount/entry?path=none-{index}",
        f"/v1/codexes/mount?limit={2000 + index}",
    )
]


def start_faults(number):
    proxy(seed=SEED + number)


def stop_faults():
    return proxy(seed=None)


def body_of(path):
    """The body of the service without the proxy, also of an error."""
    try:
        with urllib.request.urlopen(BASE_URL + path) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return json.load(refused)


def check_reads():
    direct = {path: body_of(path) for path in PATHS}
    api = client()

    def read(path):
        try:
            body = api.get(path)
        except ApiError as error:
            body = error.body
        assert body == direct[path], (path, SEED)

    start_faults(4)
    # Twice: the second time from the cache or with If-None-Match.
    for _ in range(2):
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(read, PATHS))
    counts = stop_faults()
    assert counts["faults"] > READS and counts["notModified"] > 0, counts


def check_writes():
    api = client(token=MASTER_TOKEN)
    now = int(time.time())
    prize = {"prize_name": "Gift", "prize_code": "A-1", "starts_at": now + 86_400, "ends_at": now + 2 * 86_400}

    def create(index):
        title = f"py {SEED} {index}"
        return api.post("/admin/giveaways", {**prize, "title": title}, idempotency_key=f"{title} {now}")["id"]

    start_faults(5)
    with ThreadPoolExecutor(WRITES) as pool:
        created = sorted(pool.map(create, range(WRITES)))
    counts = stop_faults()
    stored = sorted(item["id"] for item in as_master("GET", "/admin/giveaways")["items"] if item["title"].startswith(f"py {SEED} "))
    assert stored == created, SEED
    assert counts["faults"] > 0 and counts["inProgress"] > 0, counts


def check_statuses():
    def attempts_of(send, expected, **faults):
        proxy(**{"fail": 9, "retryAfter": 0, "details": None, **faults})
        assert status_of(send) == expected, (expected, faults)
        return proxy(fail=0, retryAfter=None, details=None)["received"]

    api = client(retries=2, cache_bytes=0)

    def post(key=None):
        return lambda: api.post("/v1/stats/coefficient", COEFFICIENT, idempotency_key=key)

    for status in STATUSES:
        expected = 3 if status in RETRIED else 1
        assert attempts_of(lambda: api.get(SERVER_TIME), status, status=status) == expected, f"GET {status}"
        assert attempts_of(post("a"), status, status=status) == expected, f"keyed POST {status}"
        assert attempts_of(post(), status, status=status) == 1, f"POST {status}"
    running = {"status": 409, "details": {"in_progress": True}}
    assert attempts_of(post("a"), 200, **{**running, "fail": 5}) == 6, "a running write"
    assert attempts_of(post(), 409, **running) == 1, "a running write without a key"


def check_stream_statuses():
    def first():
        return next(client().events(types=["chaos"], max_delay=0.05)).type

    for status in STATUSES:
        proxy(fail=1, status=status)
        is_mended = status in RECONNECTED
        assert status_of(first) == (200 if is_mended else status), status
        assert proxy(fail=0)["received"] == (2 if is_mended else 1), status


def follow(types, stop, **options):
    """Reads events in a thread; returns the events received so far and a function that ends it."""
    received = []

    def read():
        for event in client().events(types=types, stop=stop, max_delay=0.1, **options):
            received.append(event)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    return received, reader


def names_of(received):
    return [event.data["name"] for event in list(received) if event.type == "challenge"]


def check_stream():
    stop = threading.Event()
    expected = [f"py-fault-{index}" for index in range(EVENTS)]
    start_faults(6)
    received, reader = follow(["challenge", "chaos"], stop)
    until(lambda: len(received) >= 2)
    for name in expected:
        report(name)
    until(lambda: expected[-1] in names_of(received), lambda: names_of(received))
    counts = stop_faults()
    stop.set()
    report("py-end")
    reader.join(30)
    assert [name for name in names_of(received) if str(name).startswith("py-fault")] == expected, SEED
    assert sum(event.type == "chaos" for event in received) == 1, "a state that did not change is not repeated"
    assert counts["faults"] > 0, counts


def check_gap():
    stop = threading.Event()
    gaps = []
    received, reader = follow(["challenge"], stop, on_gap=lambda: gaps.append(1))
    until(lambda: received)
    report("py-before")
    until(lambda: "py-before" in names_of(received))
    proxy(down=True, cut=True)
    report("py-lost")
    proxy(prune=True)
    proxy(down=False)
    until(lambda: "py-lost" in names_of(received), lambda: names_of(received))
    assert gaps == [1], gaps
    stop.set()
    report("py-end-of-gap")
    reader.join(30)


run_checks(
    {
        "reads the responses of the service while connections break and responses overtake each other": check_reads,
        "makes each write once, and returns its response": check_writes,
        "retries exactly the statuses that a retry can mend": check_statuses,
        "reconnects the stream exactly after the statuses that a retry can mend": check_stream_statuses,
        "yields every event once and in order over connections that break": check_stream,
        "reports events that are no longer in the log, and yields the state again": check_gap,
    }
)
