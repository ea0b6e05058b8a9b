"""Starts pcscd in the foreground on a separate socket, passed as systemd does. The system's pcscd is not affected."""
import ctypes
import os
import signal
import socket
import sys

PR_SET_PDEATHSIG = 1
# pcscd is killed when the test process ends for any reason.
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

path, readers = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path + ".new")
listener.listen(16)
os.rename(path + ".new", path)
os.dup2(listener.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execvp("pcscd", ["pcscd", "--foreground", "--error", "--config", readers])
