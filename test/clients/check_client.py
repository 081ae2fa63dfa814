#!/usr/bin/env python3
"""Tests the Python client through a proxy that fails on demand. `npm run clients` starts the service and the proxy.

Environment: BASE_URL (of the service), PROXY_URL, TOKEN, MASTER_TOKEN.
"""

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from support import COEFFICIENT, PROXY_URL, SERVER_TIME, ApiError, GameData, as_master, client, game_data_types, proxy, report, run_checks, status_of, until


def check_requests():
    api = client()
    assert len(api.get("/v1/codexes/{type}", type="mount", limit=2, fields=["name"], tradable=None)["items"]) == 2
    try:
        api.get("/v1/codexes/{type}/entry", type="mount", path="none")
        raise AssertionError("not refused")
    except ApiError as error:
        assert (error.status, error.code) == (404, "not_found")
    assert api.post("/v1/stats/coefficient", COEFFICIENT)["coefficient"] == 2000


def check_types():
    api = client()
    types = {
        "/v1/search?q=sun+sap": game_data_types.SearchResults,
        "/v1/search/suggest?q=su": game_data_types.SearchSuggestions,
        "/v1/market/summaries?names=Sun+Sap": game_data_types.MarketSummaries,
        "/v1/market/analytics/overview": game_data_types.MarketOverview,
        "/v1/market/analytics/movers?days=1": game_data_types.MarketMovers,
        "/v1/market/analytics/deals": game_data_types.MarketDeals,
        "/v1/codexes/builds": game_data_types.CodexBuilds,
        "/v1/codexes/changes/2": game_data_types.CodexBuildChanges,
    }
    for path, body_type in types.items():
        assert api.get(path).keys() == body_type.__annotations__.keys(), path
    changes: game_data_types.CodexBuildChanges = api.get("/v1/codexes/changes/{ordinal}", ordinal=2, limit=200)
    assert {item["change"] for item in changes["items"]} == {"added", "modified", "removed"}
    recipe = api.get("/v1/codexes/{type}", type="recipe", limit=1)["items"][0]["path"]
    tree: game_data_types.CraftingTree = api.get("/v1/codexes/recipes/tree", path=recipe, quantity=2)
    assert tree.keys() == game_data_types.CraftingTree.__annotations__.keys()
    assert [node["depth"] for node in tree["nodes"]][0] == 0


def check_retries():
    proxy(fail=2, status=503, retryAfter=1)
    start = time.monotonic()
    assert client().get(SERVER_TIME)
    assert time.monotonic() - start >= 2, "waits as long as asked"
    assert proxy(drop=2)["received"] == 3
    assert client().get(SERVER_TIME)
    assert proxy(fail=9, retryAfter=None)["received"] == 3
    assert status_of(lambda: client(retries=1).get(SERVER_TIME)) == 503
    assert proxy(fail=1, retryAfter=3600)["received"] == 2
    assert status_of(lambda: client().get(SERVER_TIME)) == 503, "an hour is not waited for"
    assert proxy(fail=1, retryAfter=None)["received"] == 1


def check_safety():
    api = client()
    assert status_of(lambda: api.post("/v1/stats/coefficient", COEFFICIENT)) == 503
    assert proxy(fail=1)["received"] == 1
    assert api.post("/v1/stats/coefficient", COEFFICIENT, idempotency_key=str(uuid.uuid4()))["coefficient"] == 2000
    assert proxy(fail=0)["received"] == 2


def check_cache():
    api = client()
    first = api.get("/v1/market/items")
    proxy()
    assert api.get("/v1/market/items") == first
    assert api.get("/v1/market/items") == first
    counts = proxy()
    assert counts["conditional"] == counts["forwarded"] == counts["notModified"], counts
    without = client(cache_bytes=0)
    without.get("/v1/market/items")
    without.get("/v1/market/items")
    assert proxy()["conditional"] == 0


def check_own_conditions():
    api = client()
    path = "/v1/market/items"
    whole = api.request("GET", path)
    assert api.request("GET", path).body == whole.body
    for name in ("If-None-Match", "if-none-match"):
        assert status_of(lambda: api.request("GET", path, headers={name: whole.headers["etag"]})) == 304, "the 304 is the caller's"
    assert api.request("GET", path, headers={"If-None-Match": '"other"'}).body == whole.body
    found = api.get("/v1/updates/{branch}/search", branch="live-us", q="prefabs", limit=1)["items"][0]["path"]
    file = api.request("GET", "/v1/updates/{branch}/file", {"branch": "live-us", "path": found})
    for name in ("Range", "range"):
        rest = api.request("GET", "/v1/updates/{branch}/file", {"branch": "live-us", "path": found}, headers={name: "bytes=5-"})
        assert (rest.status, rest.body) == (206, file.body[5:]), rest


def check_addresses():
    for url in ("", "api.example.com", "/v1", "ftp://a.example", "file:///etc/passwd", "http://", "https://u:p@a.example",
                "https://a.example?b", "http://a b", "http://a:b"):
        try:
            GameData(url)
        except ValueError:
            continue
        raise AssertionError(f"{url} is not refused")
    for name in ("", ".", ".."):
        try:
            client().get("/v1/market/items/{name}/summary", name=name)
        except ValueError as error:
            assert str(error) == f'path.name must not be "{name}"', error
            continue
        raise AssertionError(f"{name} is not refused")


def check_rate_limit():
    # The development server multiplies the limit: 100 requests in 10 s per address.
    as_master("PUT", "/admin/config/public_anon_rate_limit_window_seconds", {"value": 10})
    as_master("PUT", "/admin/config/public_anon_rate_limit_max", {"value": 1})
    time.sleep(6)
    # At the end of a window, requests in flight are counted in the next one.
    time.sleep((9.9 - time.time()) % 10)
    try:
        api = client(token=None, retries=0, cache_bytes=0)
        api.get(SERVER_TIME)
        proxy()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: api.get(SERVER_TIME), range(170)))
        assert proxy()["refused"] == 0
        assert api.rate_limits["anon"].limit == 100
    finally:
        as_master("DELETE", "/admin/config/public_anon_rate_limit_max")
        as_master("DELETE", "/admin/config/public_anon_rate_limit_window_seconds")
        time.sleep(6)


def check_events():
    stop = threading.Event()
    received = []

    def read():
        for event in client().events(types=["challenge", "chaos"], stop=stop, max_delay=0.5):
            received.append(event)

    def names():
        return [event.data["name"] for event in list(received) if event.type == "challenge"]

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    until(lambda: len(received) == 2)
    report("py-0")
    until(lambda: "py-0" in names(), names)
    wanted = ["py-0"]
    for turn in range(1, 4):
        proxy(down=True, cut=True)
        for letter in "abcde":
            wanted.append(f"py-{turn}{letter}")
            report(wanted[-1])
        proxy(down=False)
        until(lambda: wanted[-1] in names(), names)
    stop.set()
    report("py-end")
    reader.join(20)
    assert names()[names().index("py-0"):][:len(wanted)] == wanted, "in order, each once"
    assert sum(event.type == "chaos" for event in received) == 1, "a state that did not change is not repeated"
    # A restarted program resumes after the stored event.
    last_id = received[-1].id
    report("py-later")
    following = [next(client().events(types=["challenge"], last_event_id=last_id)).data["name"]]
    assert following[0] in ("py-end", "py-later"), following
    try:
        next(client(token="broken").events())
        raise AssertionError("not refused")
    except ApiError as error:
        assert error.status == 401


run_checks(
    {
        "requests": check_requests,
        "types have the fields of the bodies": check_types,
        "retries with Retry-After": check_retries,
        "retries only safe requests": check_safety,
        "revalidates with the stored ETag": check_cache,
        "leaves ranges and conditions of the caller to the service": check_own_conditions,
        "refuses addresses and names that no request can use": check_addresses,
        "waits for the next window": check_rate_limit,
        "resumes the event stream": check_events,
    }
)
