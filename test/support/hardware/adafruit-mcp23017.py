"""Switches line 9 and reads line 3 of an MCP23017 with Adafruit's driver."""

from bus_transfers import finish
from circuitpython_buses import I2cBus

import digitalio
from adafruit_mcp230xx.mcp23017 import MCP23017

chip = MCP23017(I2cBus(0x20))
output, contact = chip.get_pin(9), chip.get_pin(3)
contact.switch_to_input(pull=digitalio.Pull.UP)
output.switch_to_output(value=False)
levels = [output.value]
output.value = True
levels.append(output.value)
finish({"output": levels, "contact": contact.value})
