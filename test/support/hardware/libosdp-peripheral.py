"""An OSDP peripheral of libosdp at address 1 on a pseudo terminal.

Usage: libosdp-peripheral.py [KEY]. Without a key in hexadecimal, it is not paired. Prints one JSON line with
`path`, then one for every command and every change of `is_secure`. Reads one event per line: `card` (hexadecimal) with
`bits` and `reader`, `keys` (hexadecimal) with `reader`, or `inputs`.
"""

import json
import os
import sys
import threading
import tty

from osdp import (
    Capability,
    CardFormat,
    Command,
    Event,
    LibFlag,
    LogLevel,
    PDCapabilities,
    PDInfo,
    PeripheralDevice,
    StatusReportType,
)

from libosdp_terminal import Terminal, names_of, tell

NAMES = names_of(Command)
master, slave = os.openpty()
tty.setraw(slave)
os.set_blocking(master, False)


def execute(command):
    name = NAMES[command["command"]]
    # The Python package cannot answer a question for the status, so it is refused.
    if name == "Status":
        return -1, None
    tell({**command, "command": name})
    return 0, None


def event_of(message):
    if "card" in message:
        return {
            "event": Event.CardRead,
            "reader_no": message["reader"],
            "direction": 0,
            "format": CardFormat.Unspecified,
            "length": message["bits"],
            "data": bytes.fromhex(message["card"]),
        }
    if "keys" in message:
        return {"event": Event.KeyPress, "reader_no": message["reader"], "data": bytes.fromhex(message["keys"])}
    return {"event": Event.Status, "type": StatusReportType.Input, "report": bytes(message["inputs"])}


def read_events():
    for line in sys.stdin:
        peripheral.submit_event(event_of(json.loads(line)))
    os._exit(0)


def watch_session():
    was_secure = False
    while True:
        is_secure = peripheral.is_sc_active()
        if is_secure != was_secure:
            tell({"is_secure": is_secure})
        was_secure = is_secure
        threading.Event().wait(0.01)


key = bytes.fromhex(sys.argv[1]) if len(sys.argv) > 1 else None
flags = [LibFlag.EnforceSecure] if key else [LibFlag.InstallMode]
capabilities = PDCapabilities(
    [
        (Capability.ContactStatusMonitoring, 1, 2),
        (Capability.OutputControl, 4, 2),
        (Capability.CardDataFormat, 1, 0),
        (Capability.LEDControl, 4, 1),
        (Capability.AudibleControl, 2, 1),
        (Capability.TextOutput, 1, 1),
        (Capability.CheckCharacter, 1, 0),
        (Capability.CommunicationSecurity, 1, 1),
    ]
)
peripheral = PeripheralDevice(
    PDInfo(1, Terminal(master), scbk=key, flags=flags), capabilities, log_level=LogLevel.Error, command_handler=execute
)
peripheral.start()
tell({"path": os.ttyname(slave)})
threading.Thread(target=watch_session, daemon=True).start()
read_events()
