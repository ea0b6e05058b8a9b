"""Reads the firmware version and a card with Adafruit's driver of the PN532. Usage: adafruit-pn532.py i2c | spi."""

import sys

from bus_transfers import finish
from circuitpython_buses import ChipSelect, I2cBus, SpiBus

if sys.argv[1] == "i2c":
    from adafruit_pn532.i2c import PN532_I2C

    chip = PN532_I2C(I2cBus(0x24))
else:
    from adafruit_pn532.spi import PN532_SPI

    chip = PN532_SPI(SpiBus(), ChipSelect())

firmware = list(chip.firmware_version)
card = chip.read_passive_target(timeout=5)
finish({"firmware": firmware, "card": card and card.hex()})
