"""Runs a program in a terminal of a given size: terminal.py COLUMNS ROWS PROGRAM ARG...

Stdin is what is typed, stdout is what the terminal gets. When the program has ended, its exit code or signal and what is
left of the terminal's modes are printed on stderr as one line of JSON. SIGUSR1 makes the terminal 100 columns wide."""
import fcntl
import json
import os
import pty
import selectors
import signal
import struct
import sys
import termios

columns, rows = int(sys.argv[1]), int(sys.argv[2])
child, master = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(sys.argv[3], sys.argv[3:])


def widen(*_):
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))


signal.signal(signal.SIGUSR1, widen)
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
sys.stderr.write(json.dumps({"pid": child}) + "\n")
sys.stderr.flush()
modes = None
ways = selectors.DefaultSelector()
ways.register(0, selectors.EVENT_READ)
ways.register(master, selectors.EVENT_READ)
is_running = True
while is_running:
    for key, _ in ways.select(0.2):
        if key.fd == 0:
            typed = os.read(0, 65536)
            if typed:
                os.write(master, typed)
            else:
                # The test has closed the terminal, which sends a hangup.
                ways.unregister(0)
                os.kill(child, signal.SIGHUP)
        else:
            try:
                shown = os.read(master, 65536)
            except OSError:
                shown = b""
            if not shown:
                is_running = False
                break
            modes = termios.tcgetattr(master)[3]
            os.write(1, shown)
try:
    modes = termios.tcgetattr(master)[3]
except termios.error:
    pass
_, status = os.waitpid(child, 0)
ended = {
    "code": os.waitstatus_to_exitcode(status),
    "echo": bool(modes & termios.ECHO),
    "canonical": bool(modes & termios.ICANON),
}
sys.stderr.write(json.dumps(ended) + "\n")
