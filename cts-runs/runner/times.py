# SPDX-License-Identifier: Apache-2.0

"""How long cases took in earlier runs, and so will take."""

import json
from collections import defaultdict

from runner.case_lists import group_of

_UNKNOWN_SECONDS = 0.1  # for a case of which neither it nor any other was ever timed


class Times:
    """Seconds of cases: their own where they are known, or else the mean of their group, or of the
    nearest that it is in."""

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
        return self._of_group(group_of(name)) if seconds is None else seconds

    def sum(self, names):
        return sum(map(self.of, names))

    def _of_group(self, group):
        while group and group not in self._groups:
            group = group.rpartition(".")[0]
        return self._groups.get(group, self._mean)


def read_times(path):
    """From what --json wrote, or from a table of seconds per case of each group."""
    try:
        content = json.loads(path.read_text())
        if "cases" in content:
            return Times(cases={n: float(c["seconds"]) for n, c in content["cases"].items()})
        return Times(groups={n: float(s) for n, s in content["seconds_per_case"].items()})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} has no times: name a file that --json or --write-times wrote") from None


def table(cases, known):
    """Seconds per case of each group, to be read again; of groups that have no case, as `known`."""
    gathered = defaultdict(list)
    for result in cases:
        gathered[group_of(result.name)].append(result.seconds)
    groups = {**known, **{g: round(sum(s) / len(s), 4) for g, s in gathered.items()}}
    return {"seconds_per_case": dict(sorted(groups.items()))}


def known_groups(path):
    """What such a table has, and nothing where there is none."""
    try:
        return json.loads(path.read_text())["seconds_per_case"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
