"""The device end of a serial line: a pty whose master side is connected to stdin and stdout.

Prints the path of the terminal on stderr, then forwards bytes until stdin ends. The line is unplugged when it exits."""
import os
import selectors
import sys
import tty

master, slave = os.openpty()
tty.setraw(slave)
sys.stderr.write(os.ttyname(slave) + "\n")
sys.stderr.flush()
# Keeps the slave open, because the master fails when the program under test closes the only open slave.
os.set_blocking(master, False)
selector = selectors.DefaultSelector()
selector.register(0, selectors.EVENT_READ)
selector.register(master, selectors.EVENT_READ)
pending = b""
while True:
    for key, events in selector.select():
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
    # Reads no more from stdin while the terminal is full.
    events = selectors.EVENT_READ | (selectors.EVENT_WRITE if pending else 0)
    selector.modify(master, events)
    if pending and 0 in selector.get_map():
        selector.unregister(0)
    elif not pending and 0 not in selector.get_map():
        selector.register(0, selectors.EVENT_READ)
