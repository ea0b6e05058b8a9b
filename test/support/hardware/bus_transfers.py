"""The end of a bus in a Python program: the test executes the transfers, one JSON document per line."""

import json
import sys


def _ask(request):
    print(json.dumps(request), flush=True)
    response = json.loads(sys.stdin.readline())
    if "error" in response:
        raise OSError(response["error"])
    return bytes.fromhex(response["bytes"])


def send(data):
    _ask({"send": bytes(data).hex()})


def receive(count):
    return _ask({"receive": count})


def transfer(data):
    return _ask({"transfer": bytes(data).hex()})


def finish(result):
    print(json.dumps({"result": result}), flush=True)
