# SPDX-License-Identifier: Apache-2.0

"""How long cases took in earlier runs, and so will take."""

import json
from collections import defaultdict

from runner.case_lists import group_of

_UNKNOWN_SECONDS = 0.1  # for a case of which neither it nor any other was ever timed


class Times:
    """Seconds of cases: their own where they are known, or else the mean of their group."""

    def __init__(self, cases=None, groups=None):
        self._cases = cases or {}
        self._groups = dict(groups or {})
        gathered = defaultdict(list)
        for name, seconds in self._cases.items():
            gathered[group_of(name)].append(seconds)
        self._groups.update((group, sum(s) / len(s)) for group, s in gathered.items())
        known = list(self._groups.values())
        self._mean = sum(known) / len(known) if known else _UNKNOWN_SECONDS

    def __bool__(self):
        return bool(self._groups)

    def of(self, name):
        seconds = self._cases.get(name)
        return self._groups.get(group_of(name), self._mean) if seconds is None else seconds

    def sum(self, names):
        return sum(map(self.of, names))


def read_times(path):
    """From what --json wrote, or from a table of seconds per case of each group."""
    try:
        content = json.loads(path.read_text())
        if "cases" in content:
            return Times(cases={n: float(c["seconds"]) for n, c in content["cases"].items()})
        return Times(groups={n: float(s) for n, s in content["seconds_per_case"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} has no times: name a file that --json or --write-times wrote") from None


def table(cases):
    """Seconds per case of each group, to be read again."""
    gathered = defaultdict(list)
    for result in cases:
        gathered[group_of(result.name)].append(result.seconds)
    return {"seconds_per_case": {g: round(sum(s) / len(s), 4) for g, s in sorted(gathered.items())}}
