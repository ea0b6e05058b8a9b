"""Reads the firmware version and a card with Adafruit's driver of the PN532. Usage: adafruit-pn532.py i2c | spi."""

import sys
import types
from unittest.mock import MagicMock

from bus_transfers import finish, receive, send, transfer

ADDRESS = 0x24


class Lockable:
    def try_lock(self):
        return True

    def unlock(self):
        pass


class I2cBus(Lockable):
    def writeto(self, address, buffer, *, start=0, end=None):
        if address != ADDRESS:
            raise OSError("no such device")
        send(buffer[start:end])

    def readfrom_into(self, address, buffer, *, start=0, end=None):
        if address != ADDRESS:
            raise OSError("no such device")
        end = len(buffer) if end is None else end
        buffer[start:end] = receive(end - start)


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


# The driver imports these from packages that work on supported boards only.
sys.modules["busio"] = sys.modules["circuitpython_typing"] = MagicMock()
sys.modules["micropython"] = types.SimpleNamespace(const=lambda value: value)
sys.modules["digitalio"] = types.SimpleNamespace(Direction=types.SimpleNamespace(OUTPUT=1), DigitalInOut=ChipSelect)

if sys.argv[1] == "i2c":
    from adafruit_pn532.i2c import PN532_I2C

    chip = PN532_I2C(I2cBus())
else:
    from adafruit_pn532.spi import PN532_SPI

    chip = PN532_SPI(SpiBus(), ChipSelect())

firmware = list(chip.firmware_version)
card = chip.read_passive_target(timeout=5)
finish({"firmware": firmware, "card": card and card.hex()})
