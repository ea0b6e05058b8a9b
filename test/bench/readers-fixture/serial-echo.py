"""Sends the relay command on the second terminal for each frame that ends on the first.

With a file as the third argument, writes and flushes a row there first, as the firmware does for its events."""
import os
import sqlite3
import sys

RELAY_ON = bytes.fromhex("a00101a2")
BODY = "e" * 300
reader, relay = (os.open(path, os.O_RDWR | os.O_NOCTTY) for path in sys.argv[1:3])


def flushed_rows(path):
    rows = sqlite3.connect(path, isolation_level=None)
    rows.execute("PRAGMA journal_mode = WAL")
    rows.execute("PRAGMA synchronous = FULL")
    rows.execute("CREATE TABLE events (sequence INTEGER PRIMARY KEY, body TEXT)")
    return lambda: rows.execute("INSERT INTO events (body) VALUES (?)", (BODY,))


write = flushed_rows(sys.argv[3]) if len(sys.argv) > 3 else lambda: None
print("ready", flush=True)
while True:
    if os.read(reader, 4096).endswith(b"\x03"):
        write()
        os.write(relay, RELAY_ON)
