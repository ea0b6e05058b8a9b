"""A virtual USB keypad (uinput). Prints the path of its event device, then presses the key codes from stdin, one per line.
It is unplugged when stdin ends."""
import fcntl
import glob
import os
import struct
import sys
import time

UI_SET_EVBIT, UI_SET_KEYBIT = 0x40045564, 0x40045565
UI_DEV_SETUP, UI_DEV_CREATE, UI_GET_SYSNAME = 0x405C5503, 0x5501, 0x8040552C
EV_SYN, EV_KEY = 0, 1

device = os.open("/dev/uinput", os.O_RDWR)
fcntl.ioctl(device, UI_SET_EVBIT, EV_KEY)
for code in range(1, 0x210):
    fcntl.ioctl(device, UI_SET_KEYBIT, code)
fcntl.ioctl(device, UI_DEV_SETUP, struct.pack("HHHH80sI", 3, 0x1209, 1, 1, b"keypad for a test", 0))
fcntl.ioctl(device, UI_DEV_CREATE)
name = fcntl.ioctl(device, UI_GET_SYSNAME, bytes(64)).split(b"\0")[0].decode()
node = ""
while not os.path.exists(node):
    time.sleep(0.02)
    node = "".join("/dev/input/" + os.path.basename(path) for path in glob.glob(f"/sys/devices/virtual/input/{name}/event*"))
print(node, flush=True)


def emit(kind, code, value):
    os.write(device, struct.pack("qqHHi", 0, 0, kind, code, value))


for line in sys.stdin:
    for value in (1, 0):
        emit(EV_KEY, int(line), value)
        emit(EV_SYN, 0, 0)
