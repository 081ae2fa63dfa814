#!/usr/bin/env python3
"""A bot that posts to a chat when a merchant arrives or leaves.

    GAME_DATA_URL=https://api.example.com WEBHOOK_URL=https://discord.com/api/webhooks/... python3 examples/merchant_bot.py

Environment: GAME_DATA_URL (default http://127.0.0.1:8787), GAME_DATA_TOKEN (optional), WEBHOOK_URL (absent: it prints).
`--once` posts the current state and exits.
"""

import json
import os
import signal
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from game_data_api import ApiError, GameData  # noqa: E402

URL = os.environ.get("GAME_DATA_URL", "http://127.0.0.1:8787")
TOKEN = os.environ.get("GAME_DATA_TOKEN")
WEBHOOK_URL = os.environ.get("WEBHOOK_URL")
POST_TIMEOUT_SECONDS = 10
MAX_TRIES = 5
NAMES = {"corruxion": "Corruxion", "fluxion": "Fluxion"}

api = GameData(URL, TOKEN, user_agent="merchant-bot/1.0")
stop = threading.Event()


def at(unix):
    """A timestamp that the chat displays in each reader's time zone."""
    return f"<t:{unix}:f> (<t:{unix}:R>)"


def text_of(name, merchant):
    if not merchant["active"]:
        return f"**{name}** is away until {at(merchant['starts_at'])}."
    doing = "is open for votes" if merchant.get("state") == "voting" else "is here"
    return f"**{name}** {doing} until {at(merchant['ends_at'])}."


def post(content):
    """Posts a message, with retries."""
    if not WEBHOOK_URL:
        print(content, flush=True)
        return
    body = json.dumps({"content": content, "allowed_mentions": {"parse": []}}).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "merchant-bot/1.0"}
    for tried in range(MAX_TRIES):
        try:
            request = urllib.request.Request(WEBHOOK_URL, body, headers)
            urllib.request.urlopen(request, timeout=POST_TIMEOUT_SECONDS).close()
            return
        except urllib.error.HTTPError as refused:
            print(f"the chat responded with {refused.code}", file=sys.stderr)
            if refused.code < 500 and refused.code != 429:
                return
        except OSError as error:
            print(f"the chat cannot be reached: {error}", file=sys.stderr)
        time.sleep(2**tried)


def post_state():
    for path, name in NAMES.items():
        post(text_of(name, api.get(f"/v1/rotations/{path}")))


def follow():
    """The first two events are the current state; further events are arrivals and departures."""
    posted = {}
    for event in api.events(types=NAMES, stop=stop):
        state = (event.data["active"], event.data["starts_at"])
        if posted.get(event.type) != state:
            posted[event.type] = state
            post(text_of(NAMES[event.type], event.data))


def end(*_):
    stop.set()
    raise SystemExit(0)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        post_state() if "--once" in sys.argv[1:] else follow()
    except ApiError as error:
        sys.exit(f"{error.code}: {error}")
