#!/usr/bin/env python3
"""Copies the event stream into a file, one JSON object per line. No event is lost when the connection breaks, the service
restarts, or this program stops. Run the program again to resume after the last line of the file.

    GAME_DATA_URL=https://api.example.com python3 examples/durable_stream.py events.jsonl [--types challenge,mod_release] [--until TEXT]

`--until` stops after a line that contains TEXT. Environment: GAME_DATA_URL (default http://127.0.0.1:8787), GAME_DATA_TOKEN.
"""

import argparse
import json
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from game_data_api import ApiError, GameData  # noqa: E402

URL = os.environ.get("GAME_DATA_URL", "http://127.0.0.1:8787")
TOKEN = os.environ.get("GAME_DATA_TOKEN")


def read_arguments():
    parser = argparse.ArgumentParser(description="Copies the event stream into a file.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--types", help="only these types, comma-separated")
    parser.add_argument("--until", help="stop after a line that contains this text")
    return parser.parse_args()


def last_id_of(path):
    """Id of the last complete line, and the length up to its end. A line truncated by a crash counts as not written."""
    text = path.read_bytes() if path.exists() else b""
    complete = text[: text.rfind(b"\n") + 1]
    lines = complete.splitlines()
    return (json.loads(lines[-1])["id"] if lines else None), len(complete)


def on_gap():
    print("missed events older than the log of the service are lost", file=sys.stderr)


def copy(target, last_id, types, until):
    """Flushes each line to disk before the next event, so that the file has each event exactly once."""
    lines = 0
    api = GameData(URL, TOKEN, user_agent="durable-stream/1.0")
    events = api.events(types=types, last_event_id=last_id, max_delay=5, on_gap=on_gap)
    try:
        for event in events:
            line = json.dumps(asdict(event), separators=(",", ":"), ensure_ascii=False) + "\n"
            target.write(line.encode())
            target.flush()
            os.fsync(target.fileno())
            lines += 1
            if until is not None and until in line:
                break
    finally:
        print(f"{lines} events written to {target.name}", flush=True)


def end(*_):
    raise SystemExit(0)


if __name__ == "__main__":
    arguments = read_arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    last_id, length = last_id_of(arguments.file)
    if last_id is not None:
        print(f"resuming after event {last_id}", flush=True)
    with arguments.file.open("ab") as target:
        target.truncate(length)
        try:
            copy(target, last_id, arguments.types.split(",") if arguments.types else None, arguments.until)
        except ApiError as error:
            sys.exit(f"{error.code}: {error}")
