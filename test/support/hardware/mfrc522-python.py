"""Reads a card with the driver of the package mfrc522 for Python."""

import sys
import types
from unittest.mock import MagicMock

from bus_transfers import finish, transfer


class SpiDev:
    max_speed_hz = 0

    def open(self, bus, device):
        pass

    def xfer2(self, data):
        return list(transfer(data))


# The driver imports these, which work on a Raspberry Pi only.
sys.modules["spidev"] = types.SimpleNamespace(SpiDev=SpiDev)
sys.modules["RPi"] = sys.modules["RPi.GPIO"] = MagicMock()

from mfrc522 import MFRC522  # noqa: E402

chip = MFRC522()
found, _ = chip.MFRC522_Request(chip.PICC_REQIDL)
status, number = chip.MFRC522_Anticoll() if found == chip.MI_OK else (found, [])
selected = chip.MFRC522_SelectTag(number) if status == chip.MI_OK else None
finish({"card": bytes(number[:4]).hex() if status == chip.MI_OK else None, "select_acknowledge": selected})
