"""Measures the time from the last byte of a reader frame to the relay command.

Prints the paths of the reader and relay terminals. Then, for each line of hex frames on stdin, prints the milliseconds of
each frame, up to the first one without a command (null)."""
import json
import os
import select
import sys
import time
import tty

RELAY_ON = bytes.fromhex("a00101a2")
PAUSE_S = 0.01
TIMEOUT_S = 5

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
    received = b""
    start = time.perf_counter_ns()
    os.write(reader, frame)
    while RELAY_ON not in received:
        if not select.select([relay], [], [], TIMEOUT_S)[0]:
            return None
        received += os.read(relay, 4096)
    return (time.perf_counter_ns() - start) / 1e6


for line in sys.stdin:
    times = []
    for frame in line.split():
        times.append(milliseconds(bytes.fromhex(frame)))
        if times[-1] is None:
            break
        time.sleep(PAUSE_S)
    print(json.dumps(times), flush=True)
