"""Wall-clock times as Python's zoneinfo knows them: on stdin zones, years, a seed and a count, on stdout one document.

Half of the instants of a zone lie within two hours of a change of its clock. The changes are found here, not taken from
the code under test. An answer is the second of the week, Monday first.
"""

import json
import pathlib
import random
import sys
import zoneinfo
from datetime import datetime, timezone

HALF_DAY = 43_200


def tzdata_version():
    for folder in map(pathlib.Path, zoneinfo.TZPATH):
        for name in ("tzdata.zi", "+VERSION"):
            if (folder / name).is_file():
                with open(folder / name) as file:
                    return file.readline().removeprefix("# version").strip()
    try:
        import tzdata

        return tzdata.IANA_VERSION
    except ImportError:
        return "unknown"


def second_of_week(zone, at):
    local = datetime.fromtimestamp(at, zone)
    return local.weekday() * 86_400 + local.hour * 3600 + local.minute * 60 + local.second


def changes(zone, start, end):
    def offset(at):
        return datetime.fromtimestamp(at, zone).utcoffset()

    found = []
    for low in range(start, end, HALF_DAY):
        high = low + HALF_DAY
        if offset(low) != offset(high):
            while high - low > 1:
                middle = (low + high) // 2
                if offset(middle) == offset(low):
                    low = middle
                else:
                    high = middle
            found.append(high)
    return found


def instants(zone, request, dice):
    start, end = (int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp()) for year in request["years"])
    turns = changes(zone, start, end)
    for index in range(request["instants_per_zone"]):
        if index % 2 == 0 or not turns:
            yield dice.randrange(start, end)
        else:
            yield dice.choice(turns) + dice.choice((-1, 0, 1, dice.randint(-7200, 7200)))


request = json.load(sys.stdin)
answers = {}
for name in request["zones"]:
    zone = zoneinfo.ZoneInfo(name)
    dice = random.Random(f"{request['seed']} {name}")
    answers[name] = [[at, second_of_week(zone, at)] for at in instants(zone, request, dice)]
json.dump({"tzdata": tzdata_version(), "answers": answers}, sys.stdout)
