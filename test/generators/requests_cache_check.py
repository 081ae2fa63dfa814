"""Reads the service through requests-cache. Started by `npm run check -- generators`."""

import os

import requests_cache

URL = os.environ["BASE_URL"]
TOKEN = {"Authorization": "Bearer " + os.environ["TOKEN"]}
session = requests_cache.CachedSession(backend="memory", cache_control=True, expire_after=0)


def get(path, **options):
    return session.get(URL + path, **options)


first = get("/v1/codexes/types")
first_id = first.headers["X-Request-ID"]
again = get("/v1/codexes/types")
assert not first.from_cache and again.from_cache, "the second read must be a 304"
assert again.content == first.content and again.headers["X-Request-ID"] != first_id, "revalidated by a request"

dated = "/v1/rotations/server-time?at=1773156600"
fresh = get(dated), get(dated)
assert fresh[1].from_cache and fresh[1].headers["X-Request-ID"] == fresh[0].headers["X-Request-ID"], "fresh: no request"

own = get("/v1/token", headers=TOKEN)
other = get("/v1/token")
assert (own.status_code, other.status_code) == (200, 401), (own.status_code, other.status_code)
print("revalidates, uses max-age, and keeps the response of a token apart")
