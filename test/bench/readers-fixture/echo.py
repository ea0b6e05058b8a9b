"""Nothing but the two lines: what ends a frame on the first sends the relay's command out on the second."""
import os
import sys

RELAY_ON = bytes.fromhex("a00101a2")
reader, relay = (os.open(path, os.O_RDWR | os.O_NOCTTY) for path in sys.argv[1:])
print("ready", flush=True)
while True:
    if os.read(reader, 4096).endswith(b"\x03"):
        os.write(relay, RELAY_ON)
