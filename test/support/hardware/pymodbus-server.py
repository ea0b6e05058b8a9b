"""A Modbus server of pymodbus: unit 1 with coils, discrete inputs, holding and input registers 0 to 63.

Usage: pymodbus-server.py tcp | pymodbus-server.py rtu. Prints one JSON line with `address` (port or terminal), then one
for every write: function, address, value. Reads lines with `function`, `address`, `value` to change what function 2 and
4 return.
"""

import asyncio
import json
import os
import sys
import termios
import threading
import tty

from pymodbus import FramerType
from pymodbus.server import ModbusSerialServer, ModbusTcpServer
from pymodbus.simulator import DataType, SimData, SimDevice

inputs = {2: {}, 4: {}}


def tell(message):
    print(json.dumps(message), flush=True)


async def action(function, start, address, count, registers, values):
    if values is not None:
        tell({"function": function, "address": address, "value": int(values[0])})
    for number, value in inputs.get(function, {}).items():
        if function == 4:
            registers[number - start] = value
        else:
            registers[number // 16 - start] = value << number % 16


def read_commands():
    for line in sys.stdin:
        command = json.loads(line)
        inputs[command["function"]][command["address"]] = command["value"]
    os._exit(0)


def open_terminal():
    master, slave = os.openpty()
    tty.setraw(slave, termios.TCSANOW)
    return master, os.ttyname(slave), slave


def pump(source, target):
    while True:
        os.write(target, os.read(source, 256))


async def main():
    bits = lambda: [SimData(0, count=64, values=False, datatype=DataType.BITS)]
    words = lambda: [SimData(0, count=64, values=0, datatype=DataType.REGISTERS)]
    device = SimDevice(
        id=1, simdata=(bits(), bits(), words(), words()), action=action, use_bit_addressing=True
    )
    threading.Thread(target=read_commands, daemon=True).start()
    if sys.argv[1] == "tcp":
        server = ModbusTcpServer(device, address=("127.0.0.1", 0), ignore_missing_devices=True)
        await server.serve_forever(background=True)
        tell({"address": server.transport.sockets[0].getsockname()[1]})
    else:
        (near, path, _a), (far, other, _b) = open_terminal(), open_terminal()
        for ends in ((near, far), (far, near)):
            threading.Thread(target=pump, args=ends, daemon=True).start()
        server = ModbusSerialServer(
            device, framer=FramerType.RTU, port=other, baudrate=9600, ignore_missing_devices=True
        )
        await server.serve_forever(background=True)
        tell({"address": path})
    await asyncio.Event().wait()


asyncio.run(main())
