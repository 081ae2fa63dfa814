#!/usr/bin/env python3
"""Decodes the responses that existing clients rely on, as strictly as a typed client.

Usage: decode_bodies.py [BASE_URL [TOKEN [MASTER_TOKEN]]], or the environment variables BASE_URL, TOKEN, MASTER_TOKEN.
The server needs data: npm run clients starts one. With a master token the market is emptied at the end.
Python's standard library is all it needs. Fields that are not named here never hurt.
"""

import csv
import io
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

ARGUMENTS = sys.argv[1:]


def setting(index, name, default=""):
    return ARGUMENTS[index] if len(ARGUMENTS) > index else os.environ.get(name, default)


BASE_URL = setting(0, "BASE_URL", "http://127.0.0.1:8787").rstrip("/")
TOKEN = setting(1, "TOKEN")
MASTER_TOKEN = setting(2, "MASTER_TOKEN")
TIMEOUT_SECONDS = 60


class Wrong(Exception):
    """Raised for a body that a strict client cannot decode."""


class Later(Exception):
    """Raised for an optional endpoint that the service does not have yet."""


# --- Shapes: a class of JSON values, a dict of fields, a list of one item shape, or one of the following. ---


class Null:
    def __init__(self, shape):
        self.shape = shape


class Absent:
    """A field that may be absent, but is never null."""

    def __init__(self, shape):
        self.shape = shape


class MapOf:
    def __init__(self, shape):
        self.shape = shape


class OneOf:
    def __init__(self, *values):
        self.values = values


class Exactly:
    def __init__(self, value):
        self.value = value


INT, NUMBER, TEXT, BOOL, ANY = "an integer", "a number", "a string", "a boolean", "anything"
I18N = MapOf(TEXT)


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


SIMPLE = {
    INT: is_int,
    NUMBER: lambda value: is_int(value) or isinstance(value, float),
    TEXT: lambda value: isinstance(value, str),
    BOOL: lambda value: isinstance(value, bool),
    ANY: lambda value: True,
}


def short(value):
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:80] + "..."


def decode(shape, value, at="body"):
    """Raises Wrong with the path of the first value that does not match its shape."""
    if isinstance(shape, str):
        if not SIMPLE[shape](value):
            raise Wrong(f"{at} must be {shape}, is {short(value)}")
    elif isinstance(shape, Null):
        if value is not None:
            decode(shape.shape, value, at)
    elif isinstance(shape, MapOf):
        expect(isinstance(value, dict), f"{at} must be an object, is {short(value)}")
        for name, item in value.items():
            decode(shape.shape, item, f"{at}.{name}")
    elif isinstance(shape, OneOf):
        expect(value in shape.values, f"{at} must be one of {shape.values}, is {short(value)}")
    elif isinstance(shape, Exactly):
        same = type(value) is type(shape.value) and value == shape.value
        expect(same, f"{at} must be {short(shape.value)}, is {short(value)}")
    elif isinstance(shape, list):
        expect(isinstance(value, list), f"{at} must be an array, is {short(value)}")
        for index, item in enumerate(value):
            decode(shape[0], item, f"{at}[{index}]")
    else:
        expect(isinstance(value, dict), f"{at} must be an object, is {short(value)}")
        for name, field in shape.items():
            if name in value:
                decode(field.shape if isinstance(field, Absent) else field, value[name], f"{at}.{name}")
            elif not isinstance(field, Absent):
                raise Wrong(f"{at} lacks {name}")
    return value


def expect(condition, message):
    if not condition:
        raise Wrong(message)


# --- Requests ---


class Reply:
    def __init__(self, status, headers, data):
        self.status, self.headers, self.data = status, headers, data

    def json(self):
        try:
            return json.loads(self.data)
        except ValueError as error:
            raise Wrong(f"the body is not JSON: {self.data[:80]!r}") from error


def request(path, method="GET", body=None, token=None):
    headers = {"Accept": "application/json"}
    credential = TOKEN if token is None else token
    if credential:
        headers["Authorization"] = f"Bearer {credential}"
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    call = urllib.request.Request(BASE_URL + path, data=data, headers=headers, method=method)
    try:
        with urllib.request.urlopen(call, timeout=TIMEOUT_SECONDS) as response:
            return Reply(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Reply(error.code, error.headers, error.read())


def read(path, shape, status=200, **options):
    reply = request(path, **options)
    expect(reply.status == status, f"{path}: {reply.status}, expected {status}: {reply.data[:200]!r}")
    try:
        return decode(shape, reply.json())
    except Wrong as error:
        raise Wrong(f"{path}: {error}") from error


def is_missing(reply):
    """Whether the route is missing, or only matched by a route with a path parameter."""
    if reply.status == 422:
        details = reply.json()["error"].get("details") or [{}]
        return details[0].get("loc", [None])[0] == "path"
    return reply.status in (404, 405)


def later(path, shape, status=200, **options):
    """Reads an optional endpoint if it exists."""
    reply = request(path, **options)
    if is_missing(reply):
        raise Later(f"{path} does not exist yet")
    expect(reply.status == status, f"{path}: {reply.status}, expected {status}: {reply.data[:200]!r}")
    return decode(shape, reply.json())


def quoted(text):
    return urllib.parse.quote(text, safe="")


def first(items, what):
    expect(len(items) > 0, f"the server must have {what}; use seeded data")
    return items[0]


def ascending(values, what):
    expect(list(values) == sorted(values), f"{what} must be ascending")


# --- 1. Leaderboards ---

PLAYER_BOARD = {
    "leaderboard": INT,
    "board_name": Null(TEXT),
    "category": Null(TEXT),
    "best_rank": INT,
    "latest_rank": Null(INT),
    "latest_score": Null(NUMBER),
    "appearances": INT,
    "first_seen": Null(INT),
    "last_seen": Null(INT),
}
PLAYER_SUMMARY = {
    "boards_appeared": INT,
    "appearances": INT,
    "best_rank": Null(INT),
    "best_rank_board_uuid": Null(INT),
    "best_rank_board_name": Null(TEXT),
    "top10_count": Null(INT),
    "top100_count": Null(INT),
    "latest_anchor": Null(INT),
}
UNKNOWN_SUMMARY = {
    "boards_appeared": Exactly(0),
    "appearances": Exactly(0),
    "best_rank": Exactly(None),
    "best_rank_board_uuid": Exactly(None),
    "best_rank_board_name": Exactly(None),
    "top10_count": Exactly(0),
    "top100_count": Exactly(0),
    "latest_anchor": Exactly(None),
}
COMPARED = {"prev_rank": Null(NUMBER), "prev_score": Null(NUMBER), "rank_delta": Null(NUMBER), "score_delta": Null(NUMBER), "is_new": Null(BOOL)}
PLAYER_ROW = {"player_name": TEXT, "leaderboard": INT, "rank": INT, "score": NUMBER, "created_at": INT, **COMPARED}
NOBODY = "Nobody Has This Name"


def newest_anchor():
    body = read("/v1/leaderboards/timestamps?limit=1", ANY)
    stamps = body if isinstance(body, list) else next(value for value in body.values() if isinstance(value, list))
    stamp = first(stamps, "captures")
    return stamp if is_int(stamp) else next(value for value in stamp.values() if is_int(value))


def some_player():
    body = read(f"/v1/leaderboards/1/entries?created_at={newest_anchor()}&limit=1", ANY)
    rows = next(value for value in body.values() if isinstance(value, list) and value)
    return rows[0]["player_name"]


def check_profile():
    shape = {"player_name": TEXT, "verified": BOOL, "summary": PLAYER_SUMMARY, "boards": [PLAYER_BOARD], "recent": [{**PLAYER_ROW, "board_name": Null(TEXT)}]}
    body = read(f"/v1/leaderboards/players/{quoted(some_player())}/profile", shape)
    first(body["boards"], "boards of a player")
    expect(body["summary"]["boards_appeared"] == len(body["boards"]), "boards_appeared must be the length of boards")
    expect(body["summary"]["appearances"] == sum(board["appearances"] for board in body["boards"]), "appearances must be the sum over boards")
    ascending([board["best_rank"] for board in body["boards"]], "boards by best_rank")
    expect(len(body["recent"]) <= 200, "recent has at most 200 rows")
    nobody = {"player_name": Exactly(NOBODY), "verified": Exactly(False), "summary": UNKNOWN_SUMMARY, "boards": Exactly([]), "recent": Exactly([])}
    read(f"/v1/leaderboards/players/{quoted(f' {NOBODY} ')}/profile", nobody)


def check_player_boards():
    read(f"/v1/leaderboards/players/{quoted(some_player())}/boards", {"player_name": TEXT, "summary": PLAYER_SUMMARY, "boards": [PLAYER_BOARD]})
    read(f"/v1/leaderboards/players/{quoted(NOBODY)}/boards", {"player_name": Exactly(NOBODY), "summary": UNKNOWN_SUMMARY, "boards": Exactly([])})


def check_player_history():
    body = read(f"/v1/leaderboards/players/{quoted(some_player())}/history?limit=50", ANY)
    items = body if isinstance(body, list) else next(value for value in body.values() if isinstance(value, list))
    first(items, "rows of a player")
    decode([{**PLAYER_ROW, "slot": INT, "slots": INT, "board_name": Null(TEXT)}], items, "items")
    expect([item["created_at"] for item in items] == sorted((item["created_at"] for item in items), reverse=True), "items must be newest first")


def check_player_series():
    point = {"created_at": INT, "rank": INT, "score": NUMBER, "synthetic": BOOL}
    line = {"uuid": INT, "name": TEXT, "best_rank": INT, "slot": INT, "slots": INT, "points": [point]}
    shape = {
        **{"player_name": TEXT, "canonical_name": TEXT, "days": INT, "window_start": INT, "window_end": INT},
        **{"anchors": [INT], "duplicate_boards": [INT], "series": [line]},
    }
    body = read(f"/v1/leaderboards/players/{quoted(some_player())}/series?days=7", shape)
    first(body["series"], "series")
    ascending(body["anchors"], "anchors")
    ascending([one["best_rank"] for one in body["series"]], "series by best_rank")
    expect(body["window_start"] == body["window_end"] - body["days"] * 86400, "window_start must be days before window_end")
    empty = {**shape, "anchors": Exactly([]), "duplicate_boards": Exactly([]), "series": Exactly([])}
    read(f"/v1/leaderboards/players/{quoted(NOBODY)}/series", empty)


def check_board_history():
    body = read("/v1/leaderboards/1/history?days=7&top=5", MapOf(ANY))
    lines = [value for value in body.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    expect(len(lines) > 0, "the history of a board has no lines")
    decode([{"current_rank": Null(INT)}], lines[-1], "lines")


def check_records():
    body = read("/v1/leaderboards/records", {"geode_mastery": Null(MapOf(ANY)), "power_rank": Null(MapOf(ANY))})
    expect(len(body) >= 3, "records has three keys")
    for name, value in body.items():
        for field, figure in (value or {}).items():
            expect(not isinstance(figure, float), f"{name}.{field} must be an integer, is {figure}")
    geode = body["geode_mastery"]
    if geode is not None:
        decode({"level_cap": INT, "uncapped_level": INT, "capped": BOOL}, geode, "geode_mastery")
    reply = request("/v1/leaderboards/records")
    expect("max-age=900" in (reply.headers.get("Cache-Control") or ""), "records must have max-age=900")


def check_cheaters():
    analyzed = {"uuid": INT, "name": TEXT, "category": TEXT, "reset_kind": TEXT, "contest_type": Null(TEXT), "entries": INT}
    excluded = {**analyzed, "entries": Null(INT), "reason": OneOf("admin_excluded", "below_min_size")}
    cluster = {
        **{"stem": TEXT, "label": TEXT, "method": OneOf("name_stem", "co_movement", "schedule", "both"), "corroborated_by": [TEXT]},
        **{"member_count": INT, "members": [TEXT], "members_truncated": INT, "board_count": INT, "boards": [ANY]},
        **{"confidence": NUMBER, "summary": TEXT, "measurements": ANY},
    }
    shape = {
        **{"players": [ANY], "clusters": [cluster], "clusters_boards_scanned": INT, "computed_at": Null(INT), "anchor": Null(INT)},
        **{"method": ANY, "config": ANY, "total_flagged": INT, "boards_analyzed": INT, "boards_excluded": INT},
        **{"analyzed_boards": [analyzed], "excluded_boards": [excluded]},
    }
    body = read("/v1/leaderboards/cheaters", shape)
    order = [name for name in body if name in shape]
    expect(order == list(shape), f"the fields must come in the order {list(shape)}")
    expect(body["boards_analyzed"] == len(body["analyzed_boards"]), "boards_analyzed must be the length of analyzed_boards")
    by_admin = [board for board in body["excluded_boards"] if board["reason"] == "admin_excluded"]
    expect(body["boards_excluded"] == len(by_admin), "boards_excluded counts only admin_excluded")


def check_renames():
    rename = {"id": ANY, "from_name": TEXT, "to_name": TEXT, "from_anchor": INT, "to_anchor": INT, "confidence": NUMBER}
    page = {"total": INT, "limit": INT, "offset": INT, "enabled": BOOL, "method_version": ANY}
    later("/v1/leaderboards/renames", {"renames": [rename], **page})
    later("/v1/leaderboards/duplicates", {"duplicates": [ANY], "current": ANY, "latest_anchor": Null(INT), **page})


# --- 2. Mods ---

CARD = {
    **{"is_beta": BOOL, "last_release_at": Null(TEXT), "api_url": TEXT, "page_url": TEXT, "title": TEXT},
    **{"title_i18n": I18N, "summary_i18n": I18N, "description_i18n": I18N, "readme_i18n": I18N, "warnings_i18n": I18N},
}
RELEASE = {"title_i18n": I18N, "changelog_i18n": I18N, "sha256": TEXT, "branch": TEXT}


def mods():
    return first(read("/v1/mods?sort=recent", {"items": [ANY], "count": INT, "total": INT})["items"], "mods")


def check_mod_cards():
    read("/v1/mods?sort=recent&q=&tag=&author=", {"items": [CARD], "count": INT, "total": INT})
    read("/v1/mods/popular", {"items": [CARD]})


def own_path(url):
    """Path and query of a URL of the service, for any origin."""
    parts = urllib.parse.urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def check_mod_detail():
    detail = read(own_path(decode(CARD, mods())["api_url"]), {**CARD, "releases": [RELEASE]})
    first(detail["releases"], "releases of a mod")


def some_hash():
    mod = mods()
    path = own_path(mod["api_url"]) if "api_url" in mod else f"/v1/mods/{mod['handle']}/{mod['slug']}"
    return first(read(path, {"releases": [ANY]})["releases"], "releases of a mod")["sha256"]


def check_mod_lookup():
    sha256 = some_hash()

    def found(**parameters):
        body = {"hashes": [sha256, "0" * 64], **parameters}
        result = read("/v1/mods/lookup", {"results": MapOf({"mod": ANY, "release": RELEASE}), "unknown": [TEXT]}, method="POST", body=body)
        expect(sha256 in result["results"], "a known hash must be found")
        expect("0" * 64 in result["unknown"], "an unknown hash must be listed in unknown")
        return result["results"][sha256]["mod"]

    for parameters in ({}, {"releases": "none"}, {"include_releases": False}, {"include_releases": True, "releases": "none"}):
        expect("releases" not in found(**parameters), f"releases must be absent for {parameters}")
    for parameters in ({"include_releases": True}, {"releases": "latest"}, {"releases": "all"}, {"releases": None, "include_releases": True}):
        decode([RELEASE], found(**parameters).get("releases"), f"releases for {parameters}")
    refused = request("/v1/mods/lookup", method="POST", body={"hashes": [sha256], "releases": "some"})
    expect(refused.status == 422, f"another word for releases: {refused.status}, expected 422")


def check_mod_images():
    sha256 = "0" * 64
    refused = request(f"/v1/mods/images/{sha256}?w=5")
    expect(refused.status == 400, f"another width than 400, 708 and 1416: {refused.status}, expected 400")
    for width in ("", "400", "708", "1416"):
        reply = request(f"/v1/mods/images/{sha256}?w={width}")
        expect(reply.status == 404, f"an unknown image with w={width}: {reply.status}, expected 404")


def check_mod_pages():
    reply = request(own_path(decode(CARD, mods())["page_url"]))
    expect(reply.status == 200, f"page_url of a mod: {reply.status}, expected 200")
    expect((reply.headers.get("Content-Type") or "").startswith("text/html"), "page_url of a mod must be a page")


# --- 3. Codexes ---

CODEX_STAT = {
    **{"stat": TEXT, "stat_name": TEXT, "operation": ANY, "amount": Null(NUMBER), "value": Null(NUMBER), "is_percent": BOOL, "label": ANY},
    **{"slot": ANY, "component": INT, "level": ANY},
}
CODEX_ABILITY = {"ref": TEXT, "hidden": BOOL, "name": Absent(TEXT), "key": Absent(TEXT), "description": Absent(TEXT)}
CODEX_PAGE = {"items": [{"type": TEXT, "path": TEXT, "name": TEXT}], "count": INT, "total": INT}


def stat_with_type():
    for row in read("/v1/codexes/types", {"items": [{"type": TEXT, "count": INT}]})["items"]:
        keys = read(f"/v1/codexes/{row['type']}/stat-keys", {"items": [{"stat": TEXT, "stat_name": TEXT, "count": INT}]})["items"]
        if keys:
            return row["type"], keys
    raise Wrong("the server has no stats of codexes: decode against seeded data")


def check_codex_stats():
    codex_type, keys = stat_with_type()
    names = [key["stat_name"] for key in keys]
    ascending([name.lower() for name in names], "stat-keys by stat_name")
    row = {"type": TEXT, "path": TEXT, "name": TEXT, "stat_value": Null(NUMBER), "stat_percent": BOOL}
    for key in keys[:5]:
        bare = key["stat"].removeprefix("$Stat_")
        full = read(f"/v1/codexes/{codex_type}?stat={quoted(key['stat'])}", {"items": [row], "count": INT, "total": Exactly(key["count"])})
        named = read(f"/v1/codexes/{codex_type}?stat={quoted(bare)}", {"items": [row], "count": INT, "total": INT})
        expect(full == named, f"stat={bare} must return the same as stat={key['stat']}")
        holders = read(f"/v1/codexes/stats?stat={quoted(bare)}", {"stat": Exactly(key["stat"]), "items": [ANY]})
        first(holders["items"], "holders of a stat")


def check_codex_sorts():
    codex_type, keys = stat_with_type()
    for sort, reverse in (("stat_value", False), ("-stat_value", True)):
        body = read(f"/v1/codexes/{codex_type}?stat={quoted(keys[0]['stat'])}&sort={sort}&limit=200", CODEX_PAGE)
        values = [item.get("stat_value") for item in body["items"]]
        known = [value for value in values if value is not None]
        expect(values == sorted(known, reverse=reverse) + [None] * (len(values) - len(known)), f"sort={sort}: by value, nulls last")
        read(f"/v1/codexes/{codex_type}?sort={sort}", CODEX_PAGE)


def check_codex_data():
    items = read("/v1/codexes/search?limit=200", {"items": [{"data": {"stats": Absent([CODEX_STAT]), "abilities": Absent([CODEX_ABILITY])}}]})["items"]
    for item in items:
        for ability in item["data"].get("abilities", []):
            for name in ("name", "key", "description"):
                expect(ability.get(name) != "", f"{item['path']}: {name} of an ability is absent rather than empty")
    first([item for item in items if item["data"].get("stats")], "entries with stats")


def check_codex_empty_filters():
    plain = read("/v1/codexes/search", CODEX_PAGE)["total"]
    empty = read("/v1/codexes/search?q=&type=&category=&tradable=&stat=&ability=", CODEX_PAGE)["total"]
    expect(plain == empty, "empty filters must not filter")


# --- 4. Updates ---


def check_removed_files():
    versions = read("/v1/updates/live-us/versions?limit=200", ANY)
    rows = next(value for value in versions.values() if isinstance(value, list))
    removed = None
    for row in rows:
        body = read(f"/v1/updates/live-us/changes?ordinal={row['ordinal']}&type=removed&limit=1", ANY)
        entries = next(value for value in body.values() if isinstance(value, list))
        if entries:
            removed = entries[0]["path"]
            break
    expect(removed is not None, "the server must have a removed file; use seeded data")
    flags = {"removed": BOOL, "removed_ordinal": Null(INT)}
    meta = {"branch": TEXT, "path": TEXT, "content_sha256": TEXT, "size": INT, "archive": Null(TEXT), "archive_index": Null(INT), **flags}
    path = quoted(removed)
    body = read(f"/v1/updates/live-us/file/meta?path={path}", {**meta, "removed": Exactly(True), "removed_ordinal": INT})
    read(f"/v1/updates/live-us/file/view?path={path}", {"removed": Exactly(True), "removed_ordinal": Exactly(body["removed_ordinal"])})
    file = request(f"/v1/updates/live-us/file?path={path}")
    expect(file.status == 200 and len(file.data) == body["size"], "the removed file must be served as it last was")
    gone = request(f"/v1/updates/live-us/file/meta?path={path}&ordinal={body['removed_ordinal']}")
    expect(gone.status == 404, f"the file at the version that removed it: {gone.status}, expected 404")


def check_present_files():
    body = read("/v1/updates/live-us/search?q=prefabs&limit=1", {"items": [{"path": TEXT}]})
    path = quoted(first(body["items"], "files")["path"])
    read(f"/v1/updates/live-us/file/meta?path={path}", {"content_sha256": TEXT, "size": INT, "removed": Exactly(False), "removed_ordinal": Exactly(None)})
    read(f"/v1/updates/live-us/file/view?path={path}", {"removed": Exactly(False), "removed_ordinal": Exactly(None)})
    expect(request("/v1/updates/live-us/file/meta?path=no/such/file").status == 404, "a path that never existed is 404")


# --- 5. Activity ---

EXTREME = Null({"t": INT, "active": NUMBER})
ACTIVITY_SERIES = {
    **{"period": TEXT, "bucket_seconds": INT, "window_start": ANY, "window_end": ANY},
    **{"points": [{"t": INT, "active": NUMBER, "avg": NUMBER, "peak": NUMBER, "samples": INT}]},
    **{"peak": EXTREME, "low": EXTREME, "average": Null(NUMBER), "latest": Null(NUMBER), "methodology": ANY},
}


def check_activity_series():
    for period in ("7d", "1m", "nonsense", ""):
        body = read(f"/v1/activity/series?period={period}", ACTIVITY_SERIES)
        expect(body["bucket_seconds"] >= (86400 if period == "1m" else 21600), f"bucket_seconds of period={period}")
        ascending([point["t"] for point in body["points"]], "points")
        if period != "1m":
            expect(body["period"] == "7d", f"period={period} must return the same as 7d")


def check_activity_current():
    read("/v1/activity/current", {"computed_at": INT, "by_board": [ANY], "boards_analyzed": INT})


THRESHOLDS = {"power_rank_threshold": INT, "effort_threshold": INT, "xp_threshold": INT}


def check_class_activity_current():
    row = {
        **{"class_index": INT, "name": TEXT, "icon": Null(TEXT), "active_players": INT, "share": NUMBER},
        **{"active_players_clean": Null(INT), "share_clean": Null(NUMBER), "effort_added": Null(INT), "effort_added_clean": Null(INT)},
    }
    shape = {
        **{"window_start": Null(INT), "window_end": Null(INT), "duration_hours": Exactly(None), "total_active": INT},
        **{"total_active_clean": Null(INT), "total_effort_added": Null(INT), "total_effort_added_clean": Null(INT)},
        **{**THRESHOLDS, "classes": [row], "methodology": ANY, "computed_at": ANY},
    }
    body = read("/v1/class-activity/current", shape)
    expect(body["total_active"] == sum(one["active_players"] for one in body["classes"]), "total_active must be the sum over classes")


def check_class_activity_series():
    row = {"class_index": INT, "name": TEXT, "icon": Null(TEXT), "values": [Null(NUMBER)], "values_clean": [Null(NUMBER)]}
    shape = {
        **{"period": TEXT, "bucket_seconds": INT, "window_start": ANY, "window_end": ANY, **THRESHOLDS},
        **{"buckets": [INT], "classes": [row], "methodology": ANY},
    }
    body = read("/v1/class-activity/series?period=7d", shape)
    expect(len(body["classes"]) == 18, f"all 18 classes, not {len(body['classes'])}")
    for row in body["classes"]:
        lengths = {len(row["values"]), len(row["values_clean"])}
        expect(lengths == {len(body["buckets"])}, f"{row['name']}: values must be as long as buckets")


# --- 6. Operations for masters ---


def master(path, shape, status=200, read_with=None):
    if not MASTER_TOKEN:
        raise Later("no master token was given")
    return (read_with or read)(path, shape, status=status, method="POST", token=MASTER_TOKEN)


def check_delete_anchor():
    shape = {"deleted": BOOL, "anchor": INT, "entries_deleted": Exactly(0), "recompute": BOOL}
    master("/v1/leaderboards/delete-anchor?anchor=60&recompute=true", shape, read_with=later)


def check_backfill():
    shape = {"accepted": Exactly(True), "total_days": INT, "force": BOOL, "reset": BOOL, "message": TEXT}
    master("/v1/activity/backfill?total_days=1", {**shape, "chunk_days": INT}, status=202, read_with=later)
    master("/v1/class-activity/backfill?total_days=1", shape, status=202, read_with=later)


def check_market_reset():
    master("/v1/market/reset", {"reset": Exactly(True), "removed": INT})
    read("/v1/market/listings?hide_expired=False", {"items": Exactly([]), "count": Exactly(0), "total": Exactly(0)})
    first(read("/v1/market/interest-items", {"items": [TEXT], "count": INT})["items"], "tracked items after the reset")


# --- 7. Classes ---

CLASS_STAT = {"name": TEXT, "value": Null(NUMBER), "percentage": BOOL, "absolute": BOOL}


def check_classes():
    ability = {"name": TEXT, "icon": TEXT, "type": TEXT, "stages": [ANY]}
    one = {"name": TEXT, "stats": [CLASS_STAT], "bonuses": [CLASS_STAT], "subclass": {"level": MapOf([CLASS_STAT])}, "abilities": [ability]}
    body = read("/v1/stats/classes", {"items": [one], "count": Exactly(18)})
    absolute = [
        (row["tech_name"], stat["value"])
        for row in body["items"]
        for stats in [row["stats"], row["bonuses"], *row["subclass"]["level"].values()]
        for stat in stats
        if stat["absolute"]
    ]
    expect({name for name, _ in absolute} == {"faetrickster"}, f"absolute values belong to faetrickster alone, not {absolute}")
    expect(sorted({value for _, value in absolute}) == [101, 102, 103, 104, 105, 110], "the Flying Speed levels of faetrickster")


# --- 8. Client app, videos ---


def check_changelog():
    commit = {"url": TEXT}
    body = read("/v1/clientapp/changelog", {"repo": TEXT, "groups": [{"commits": Absent([commit])}], "fetched_at": ANY})
    expect(body["fetched_at"] is not None, "fetched_at is never null")


def check_video_images():
    path = "/v1/feeds/videos-b/image"
    for query, status in (("", 422), ("?url=https%3A%2F%2Fexample.com%2Fa.jpg", 400), ("?url=http%3A%2F%2Fi0.hdslb.com%2Fa.jpg", 400)):
        reply = request(path + query)
        expect(reply.status == status, f"{path}{query}: {reply.status}, expected {status}")


# --- 12. Query values ---


def check_query_values():
    for value in ("true", "False", "1", "0", "YES", "no", "on", "Off", "t", "F", "y", "N", ""):
        reply = request(f"/v1/codexes/search?tradable={value}")
        expect(reply.status == 200, f"tradable={value}: {reply.status}, expected 200")
    expect(request("/v1/codexes/search?tradable=maybe").status == 422, "tradable=maybe is 422")
    for path in ("/v1/feeds/events?category=", "/v1/mods?tag=&author=", "/v1/market/listings?hide_expired=False"):
        expect(request(path).status == 200, f"{path} is 200")


# --- 13. Tables: CSV and JSON Lines ---


def table_paths():
    player = quoted(some_player())
    item = quoted(first(read("/v1/market/items", {"items": [TEXT]})["items"], "market items"))
    upgrades = read("/v1/codexes/upgrades", {"items": [{"system_key": TEXT}]})["items"]
    return [
        "/v1/market/listings?hide_expired=false&limit=200",
        f"/v1/market/items/{item}/history?include_expired=true",
        f"/v1/market/items/{item}/timeline",
        f"/v1/leaderboards/1/entries?created_at={newest_anchor()}",
        "/v1/leaderboards/1/history?days=7&top=5",
        f"/v1/leaderboards/players/{player}/history",
        f"/v1/leaderboards/players/{player}/series",
        *[f"/v1/activity/{name}" for name in ("current", "history", "series")],
        *[f"/v1/class-activity/{name}" for name in ("current", "series")],
        "/v1/feeds/news",
        "/v1/misc/news-history",
        *[f"/v1/codexes/{name}" for name in ("types", "search?limit=200", "changes", "mount", "mount/categories", "mount/stat-keys", "mount/abilities")],
        "/v1/codexes/stats?stat=MovementSpeed",
        *[f"/v1/codexes/upgrades{key}" for key in ["", *(f"/{quoted(one['system_key'])}" for one in upgrades[:1])]],
        *[f"/v1/stats/{name}" for name in ("power-rank", "magic-find", "light", "classes")],
    ]


def table(path, file_format, content_type):
    full = f"{path}{'&' if '?' in path else '?'}format={file_format}"
    reply = request(full)
    expect(reply.status == 200, f"{full}: {reply.status}: {reply.data[:200]!r}")
    expect(reply.headers["Content-Type"] == content_type, f"{full}: {reply.headers['Content-Type']}")
    return reply.data.decode("utf-8")


def value_at(row, column):
    for key in column.split("."):
        row = (row or {}).get(key)
    return row


def same_cell(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, str):
        return cell == (f"'{value}" if value[:1] in tuple("=+-@\t\r\n＝＋－＠") else value)
    return json.loads(cell) == value and isinstance(json.loads(cell), type(value))


def check_tables():
    rows_read = 0
    for path in table_paths():
        rows = [json.loads(line) for line in table(path, "jsonl", "application/x-ndjson").splitlines()]
        text = table(path, "csv", "text/csv; charset=utf-8")
        header, *records = csv.reader(io.StringIO(text, newline=""), strict=True)
        expect(len(records) == len(rows), f"{path}: {len(records)} rows of CSV, {len(rows)} of JSON Lines")
        body = request(path).json()
        lists = [value for value in body.values() if isinstance(value, list)]
        expect(any(value == rows for value in lists) or path.split("?")[0].endswith(("/series", "/history")), f"{path}: rows must match a list of the body")
        for row, record in zip(rows, records):
            expect(len(record) == len(header), f"{path}: {len(record)} cells, {len(header)} columns")
            for column, cell in zip(header, record):
                expect(same_cell(cell, value_at(row, column)), f"{path} {column}: {cell!r} is not {short(value_at(row, column))}")
            expect({key for key in row} <= {column.split(".")[0] for column in header}, f"{path}: fields without a column")
        rows_read += len(rows)
    expect(rows_read > 100, f"only {rows_read} rows: decode against seeded data")


CHECKS = [
    ("1.1 profile of a player", check_profile),
    ("1.2 boards of a player", check_player_boards),
    ("1.3 history of a player", check_player_history),
    ("1.4 series of a player", check_player_series),
    ("1.5 history of a board", check_board_history),
    ("1.6 records", check_records),
    ("1.7 cheaters", check_cheaters),
    ("1.8 renames and duplicates", check_renames),
    ("2 cards of mods", check_mod_cards),
    ("2 detail of a mod", check_mod_detail),
    ("2 lookup of mods", check_mod_lookup),
    ("2 widths of images", check_mod_images),
    ("2 page of a mod", check_mod_pages),
    ("3 stats of codexes", check_codex_stats),
    ("3 sorts by stat", check_codex_sorts),
    ("3 data of entries", check_codex_data),
    ("3 empty filters", check_codex_empty_filters),
    ("4 removed files", check_removed_files),
    ("4 present files", check_present_files),
    ("5.1 series of activity", check_activity_series),
    ("5.1 current activity", check_activity_current),
    ("5.2 current class activity", check_class_activity_current),
    ("5.2 series of class activity", check_class_activity_series),
    ("7 classes", check_classes),
    ("8 changelog", check_changelog),
    ("8 images of videos", check_video_images),
    ("12 query values", check_query_values),
    ("13 tables", check_tables),
    # Must run last, because these change data.
    ("6 delete an anchor", check_delete_anchor),
    ("6 backfill", check_backfill),
    ("6 reset of the market", check_market_reset),
]


def main():
    failed = 0
    for name, check in CHECKS:
        try:
            check()
            print(f"  ok    {name}")
        except Later as reason:
            print(f"  later {name}: {reason}")
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            kind = "" if isinstance(error, Wrong) else f"{type(error).__name__}: "
            print(f"  FAIL  {name}: {kind}{error}")
    print(f"clients: {len(CHECKS)} checks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
