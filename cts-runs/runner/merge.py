# SPDX-License-Identifier: Apache-2.0

"""Makes one run of several: shards of a list, or runs of different lists."""

import re
from collections import defaultdict

from runner import record
from runner.results import Results, read

_SAME = ("cts", "drivers")  # and of the device, the version of its driver


class MissingShards(Exception):
    pass


def merge(paths):
    """The run and its results. Refuses runs of different CTS or driver, and cases twice."""
    runs = [record.read(path, every_case=True) for path in paths]
    first = runs[0]
    for path, run in zip(paths, runs):
        for key in (*_SAME, "driverVersion"):
            was, now = (r.get(key, r["device"].get(key)) for r in (first, run))
            if was != now:
                raise record.RecordError(
                    f"{path} is of another {'CTS' if key == 'cts' else 'driver'} than {paths[0]}:"
                    f" {key} {now} and {was}"
                )
    _check_cases(paths, runs)
    _check_shards(paths, runs)
    results = Results()
    for run in runs:
        part = read(run)
        for result in part.cases.values():
            results.add(result)
        results.statuses.update(part.statuses)
        results.incidents += part.incidents
        results.waived_incidents += part.waived_incidents
    return _whole(runs), results


def _check_cases(paths, runs):
    where = {}
    for path, run in zip(paths, runs):
        for name in run["cases"]:
            if where.setdefault(name, path) != path:
                raise record.RecordError(f"{path} and {where[name]} both have {name}: no shards of one run")


def _check_shards(paths, runs):
    lists = defaultdict(dict)  # by their list and number of shards: paths by index
    sizes = defaultdict(int)
    for path, run in zip(paths, runs):
        shard = run.get("shard")
        if not shard:
            continue
        key = shard["list"], shard["count"], shard["cases"]
        if shard["index"] in lists[key]:
            raise record.RecordError(
                f"{path} and {lists[key][shard['index']]} are both shard"
                f" {shard['index']}/{shard['count']}"
            )
        lists[key][shard["index"]] = path
        sizes[key] += shard["of"]
    missing = [
        f"{index}/{count}"
        for (_, count, _), found in lists.items()
        for index in range(1, count + 1)
        if index not in found
    ]
    if missing:
        raise MissingShards(f"shards are missing: {', '.join(missing)}")
    for (_, count, cases), size in sizes.items():
        if size != cases:
            raise record.RecordError(
                f"the {count} shards have {size} cases, and their list has {cases}: were they"
                " divided by different --times?"
            )


def _whole(runs):
    first = runs[0]
    commands = (re.sub(r" --shard[= ]\S+", "", run["command"]) for run in runs)
    names = dict.fromkeys(run["device"]["deviceName"] for run in runs)
    # Each shard tells what was left out of the whole list.
    skips = {run.get("shard", {}).get("list", n): run.get("skips", 0) for n, run in enumerate(runs)}
    return {
        "command": "; ".join(dict.fromkeys(commands)),
        "date": min(run["date"] for run in runs),
        "cts": first["cts"],
        "device": {**first["device"], "deviceName": "; ".join(names)},
        "drivers": first.get("drivers", []),
        "seconds": sum(run["seconds"] for run in runs),
        "finished": all(run["finished"] for run in runs),
        "absent_lists": sorted({name for run in runs for name in run.get("absent_lists", [])}),
        "skips": sum(skips.values()),
    }
