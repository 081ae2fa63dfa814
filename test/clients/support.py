"""Environment of the programs that `npm run clients` starts, and the requests that they share."""

import json
import os
import sys
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "clients" / "python"))
import game_data_types  # noqa: E402
from game_data_api import ApiError, GameData  # noqa: E402

BASE_URL, PROXY_URL, TOKEN, MASTER_TOKEN = (os.environ[name] for name in ("BASE_URL", "PROXY_URL", "TOKEN", "MASTER_TOKEN"))
SEED = int(os.environ.get("SEED", "20260310"))
SERVER_TIME = "/v1/rotations/server-time"
COEFFICIENT = {"critical_damage": 100, "physical_damage": 1000}


def client(**options):
    return GameData(PROXY_URL, options.pop("token", TOKEN), **options)


def proxy(**changes):
    """Changes the proxy's faults and returns its counts since the last change."""
    with urllib.request.urlopen(f"{PROXY_URL}/__proxy", json.dumps(changes).encode()) as answer:
        return json.load(answer)


def as_master(method, path, body=None):
    headers = {"Authorization": f"Bearer {MASTER_TOKEN}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(BASE_URL + path, data, headers, method=method)) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def report(name):
    as_master("POST", "/v1/rotations/challenge/insert", {"name": name})


def status_of(call):
    try:
        call()
        return 200
    except ApiError as error:
        return error.status


def until(is_done, state=lambda: ""):
    """Polls until the condition is true; raises after 30 s."""
    deadline = time.monotonic() + 30
    while not is_done():
        assert time.monotonic() < deadline, state()
        time.sleep(0.02)


def run_checks(checks):
    """Runs checks one after the other."""
    for title, check in checks.items():
        check()
        print(f"  ok   Python: {title}", flush=True)
