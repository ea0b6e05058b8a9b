"""Computes local times with Python's zoneinfo. Reads zones, years, a seed and a count from stdin, writes JSON to stdout.

Half of the instants are within two hours of a clock change of the zone. The changes are computed here, independently of
the code under test. A local time is the second of the week, starting on Monday.
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


def instants(zone, request, rng):
    start, end = (int(datetime(year, 1, 1, tzinfo=timezone.utc).timestamp()) for year in request["years"])
    clock_changes = changes(zone, start, end)
    for index in range(request["instants_per_zone"]):
        if index % 2 == 0 or not clock_changes:
            yield rng.randrange(start, end)
        else:
            yield rng.choice(clock_changes) + rng.choice((-1, 0, 1, rng.randint(-7200, 7200)))


request = json.load(sys.stdin)
local_times = {}
for name in request["zones"]:
    zone = zoneinfo.ZoneInfo(name)
    rng = random.Random(f"{request['seed']} {name}")
    local_times[name] = [[at, second_of_week(zone, at)] for at in instants(zone, request, rng)]
json.dump({"tzdata": tzdata_version(), "local_times": local_times}, sys.stdout)
