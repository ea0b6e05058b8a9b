"""Keeps every processor from going to sleep, and gives way at once to whoever has something to do.

In a virtual machine it is the host that wakes a processor, and that takes longer than the bare echo itself: what sleeps
more often pays for the host more often. It works only where it shares a scheduling group with what is measured."""
import os

for processor in os.sched_getaffinity(0):
    if os.fork() == 0:
        os.sched_setaffinity(0, {processor})
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while os.getppid() != 1:
            for _ in range(1_000_000):
                pass
        os._exit(0)
print("ready", flush=True)
os.wait()
