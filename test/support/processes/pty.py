"""The far end of a serial line: a pty whose master side is this process's stdin and stdout.

Prints the path of the terminal on stderr, then carries bytes until stdin ends. Exiting is pulling the plug."""
import os
import selectors
import sys
import tty

master, slave = os.openpty()
tty.setraw(slave)
sys.stderr.write(os.ttyname(slave) + "\n")
sys.stderr.flush()
# The slave stays open here: without it the master fails whenever the program under test closes its end.
os.set_blocking(master, False)
ways = selectors.DefaultSelector()
ways.register(0, selectors.EVENT_READ)
ways.register(master, selectors.EVENT_READ)
pending = b""
while True:
    for key, events in ways.select():
        if key.fd == 0:
            pending = os.read(0, 65536)
            if not pending:
                sys.exit(0)
        elif events & selectors.EVENT_READ:
            os.write(1, os.read(master, 65536))
    while pending:
        try:
            pending = pending[os.write(master, pending):]
        except BlockingIOError:
            break
    # Nothing more is taken from stdin while the terminal is full.
    wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if pending else 0)
    ways.modify(master, wanted)
    if pending and 0 in ways.get_map():
        ways.unregister(0)
    elif not pending and 0 not in ways.get_map():
        ways.register(0, selectors.EVENT_READ)
