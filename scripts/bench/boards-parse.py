"""Parses a leaderboard dump without optimizations: reads the file, splits and converts it. Prints wall and CPU seconds, and counts."""
import sys
import time

start = time.perf_counter()
boards = {}
with open(sys.argv[1], encoding="utf-8", errors="replace") as dump:
    for line in dump.read().splitlines():
        left, equals, right = line.partition(" = ")
        if not equals or left.count("$") != 2 or "##" not in right:
            continue
        name_id, category_id, uuid = left.split("$")
        head, entries = right.split("##", 1)
        name, _, category = head.partition("$")
        if not uuid.isdigit() or category.strip().upper() == "FAVORITES" or int(uuid) in boards:
            continue
        rows = []
        for piece in entries.split("|"):
            parts = piece.strip().split(";")
            if len(parts) != 3 or not parts[0].isdigit():
                continue
            try:
                rows.append({"rank": int(parts[0]), "player_name": parts[1], "score": float(parts[2])})
            except ValueError:
                continue
        boards[int(uuid)] = {"name_id": name_id, "category_id": category_id, "name": name, "category": category.strip(), "entries": rows}
print(time.perf_counter() - start, time.process_time(), len(boards), sum(len(board["entries"]) for board in boards.values()))
