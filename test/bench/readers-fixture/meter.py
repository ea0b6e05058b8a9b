"""Holds the far ends of a reader's and a relay's line and measures from the last byte in to the relay's command out.

Prints the paths of the two terminals; then, for each line on stdin with frames in hex, the milliseconds of each of them."""
import json
import os
import select
import sys
import time
import tty

RELAY_ON = bytes.fromhex("a00101a2")
PAUSE_S = 0.01
PATIENCE_S = 5

ends = [os.openpty() for _ in range(2)]
for _, slave in ends:
    tty.setraw(slave)
print(json.dumps([os.ttyname(slave) for _, slave in ends]), flush=True)
(reader, _), (relay, _) = ends


def drain():
    while select.select([relay], [], [], 0)[0]:
        os.read(relay, 4096)


def milliseconds(frame):
    drain()
    heard = b""
    start = time.perf_counter_ns()
    os.write(reader, frame)
    while RELAY_ON not in heard:
        if not select.select([relay], [], [], PATIENCE_S)[0]:
            return None
        heard += os.read(relay, 4096)
    return (time.perf_counter_ns() - start) / 1e6


for line in sys.stdin:
    times = []
    for frame in line.split():
        times.append(milliseconds(bytes.fromhex(frame)))
        time.sleep(PAUSE_S)
    print(json.dumps(times), flush=True)
