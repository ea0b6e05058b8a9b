"""Keeps every processor from going to sleep, and gives way at once to whoever has something to do.

In a virtual machine the host takes a processor that sleeps for something else, and hands it back slow and with cold
caches. It works only where it shares a scheduling group with what is measured."""
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
