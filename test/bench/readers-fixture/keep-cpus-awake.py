"""Keeps every CPU awake with idle-priority loops, which yield to all other processes.

The host of a virtual machine uses a sleeping CPU for other work, which leaves it slow and with cold caches. This process
must be in the scheduling group of the measured program."""
import os

parent = os.getpid()
for processor in os.sched_getaffinity(0):
    if os.fork() == 0:
        os.sched_setaffinity(0, {processor})
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while os.getppid() == parent:
            for _ in range(1_000_000):
                pass
        os._exit(0)
print("ready", flush=True)
os.wait()
