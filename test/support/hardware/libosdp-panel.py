"""A control panel of libosdp for a reader at address 1.

Usage: libosdp-panel.py TERMINAL KEY, the key in hexadecimal. Prints an empty JSON document, then one for every event.
Reads one document per line with `output` and `ticks`: the output is switched on for this time.
"""

import json
import os
import sys

from osdp import Command, ControlPanel, Event, LibFlag, LogLevel, PDInfo

from libosdp_terminal import Terminal, names_of, tell

NAMES = names_of(Event)
TEMPORARILY_ON = 5


def on_event(_reader, event):
    tell({**event, "event": NAMES[event["event"]]})
    return 0


terminal = Terminal(os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK))
reader = PDInfo(1, terminal, scbk=bytes.fromhex(sys.argv[2]), flags=[LibFlag.EnforceSecure])
panel = ControlPanel([reader], log_level=LogLevel.Error, event_handler=on_event)
panel.start()
tell({})
for line in sys.stdin:
    message = json.loads(line)
    panel.submit_command(
        1,
        {
            "command": Command.Output,
            "output_no": message["output"],
            "control_code": TEMPORARILY_ON,
            "timer_count": message["ticks"],
        },
    )
os._exit(0)
