"""A USB relay 16c0:05df with two relays, made with the kernel's uhid.

Prints the path of its hidraw device, then one line with the state of the relays after every command. Ends with stdin.
"""

import glob
import os
import select
import struct
import sys

CREATE2, DESTROY, GET_REPORT, GET_REPORT_REPLY, SET_REPORT, SET_REPORT_REPLY = 11, 1, 9, 10, 13, 14
DESCRIPTOR = bytes.fromhex("0600ff0901a101150026ff00750895080900b20201c0")
SERIAL = b"LINTL"
NAME = b"lintel-test-relay-%d" % os.getpid()

device = os.open("/dev/uhid", os.O_RDWR)


def send(kind, payload):
    os.write(device, struct.pack("<I", kind) + payload)


send(
    CREATE2,
    NAME.ljust(128, b"\0")
    + bytes(64)
    + bytes(64)
    + struct.pack("<HHIIII", len(DESCRIPTOR), 3, 0x16C0, 0x05DF, 1, 0)
    + DESCRIPTOR.ljust(4096, b"\0"),
)


def find_hidraw():
    for folder in glob.glob("/sys/class/hidraw/*"):
        with open(f"{folder}/device/uevent", encoding="utf8") as uevent:
            if f"HID_NAME={NAME.decode()}" in uevent.read():
                return f"/dev/{os.path.basename(folder)}"
    return None


state = 0
path = None
while True:
    if path is None:
        path = find_hidraw()
        if path is not None and os.path.exists(path):
            print(path, flush=True)
    readable, _, _ = select.select([device, 0], [], [], 0.05)
    if 0 in readable and not os.read(0, 100):
        send(DESTROY, b"")
        sys.exit(0)
    if device not in readable:
        continue
    event = os.read(device, 8192)
    (kind,) = struct.unpack_from("<I", event)
    if kind == GET_REPORT:
        (number,) = struct.unpack_from("<I", event, 4)
        report = b"\0" + SERIAL + bytes(2) + bytes([state])
        send(GET_REPORT_REPLY, struct.pack("<IHH", number, 0, len(report)) + report.ljust(4096, b"\0"))
    elif kind == SET_REPORT:
        number, _rnum, _rtype, size = struct.unpack_from("<IBBH", event, 4)
        data = event[12 : 12 + size]
        bit = 1 << (data[2] - 1)
        state = state | bit if data[1] == 0xFF else state & ~bit
        send(SET_REPORT_REPLY, struct.pack("<IH", number, 0))
        print(state, flush=True)
