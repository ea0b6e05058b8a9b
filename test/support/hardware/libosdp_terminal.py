"""What the programs with libosdp have in common."""

import json
import os

from osdp import Channel


class Terminal(Channel):
    """A terminal that is open without blocking."""

    def __init__(self, descriptor):
        super().__init__()
        self.descriptor = descriptor

    def read(self, max_bytes):
        try:
            return os.read(self.descriptor, max_bytes)
        except BlockingIOError:
            return b""

    def write(self, buf):
        return os.write(self.descriptor, buf)

    def flush(self):
        pass


def names_of(constants):
    return {value: name for name, value in vars(constants).items() if isinstance(value, int)}


def tell(message):
    print(json.dumps(message, default=lambda value: value.hex()), flush=True)
