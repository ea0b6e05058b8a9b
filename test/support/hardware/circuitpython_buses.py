"""Buses for drivers of CircuitPython, whose transfers the test executes.

Import it before a driver: it replaces modules that work on supported boards only.
"""

import sys
import types
from unittest.mock import MagicMock

from bus_transfers import receive, send, transfer


class Lockable:
    def try_lock(self):
        return True

    def unlock(self):
        pass


class I2cBus(Lockable):
    """A bus with one chip."""

    def __init__(self, address):
        self.address = address

    def _check(self, address):
        if address != self.address:
            raise OSError("no such device")

    def writeto(self, address, buffer, *, start=0, end=None):
        self._check(address)
        send(buffer[start:end])

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        self._check(address)
        end = len(buffer) if end is None else end
        buffer[start:end] = receive(end - start)

    def writeto_then_readfrom(
        self, address, out_buffer, in_buffer, *, out_start=0, out_end=None, in_start=0, in_end=None
    ):
        self.writeto(address, out_buffer, start=out_start, end=out_end)
        self.readfrom_into(address, in_buffer, start=in_start, end=in_end)


class SpiBus(Lockable):
    def configure(self, **settings):
        pass

    def write(self, buffer):
        transfer(buffer)

    def write_readinto(self, out, into):
        into[:] = transfer(out)


class ChipSelect:
    value = True

    def switch_to_output(self, value):
        self.value = value


class Direction:
    INPUT, OUTPUT = "input", "output"


class Pull:
    UP, DOWN = "up", "down"


sys.modules["busio"] = sys.modules["circuitpython_typing"] = MagicMock()
sys.modules["micropython"] = types.SimpleNamespace(const=lambda value: value)
sys.modules["digitalio"] = types.SimpleNamespace(DigitalInOut=ChipSelect, Direction=Direction, Pull=Pull)
