#!/usr/bin/env python3
"""Runs the Python samples of the reference pages, given as a JSON list on standard input, without a server: prints their requests as JSON."""

import contextlib
import io
import json
import sys

import game_data_api

sent = []


def record(_client, request):
    sent.append(
        {
            "method": request.get_method(),
            "url": request.full_url,
            "body": (request.data or b"").decode(),
            "authorization": request.get_header("Authorization"),
        }
    )
    return game_data_api.Response(200, {}, b"{}")


game_data_api.GameData._exchange = record
for sample in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(sample, {})
print(json.dumps(sent))
