# SPDX-License-Identifier: Apache-2.0

"""What differs between two runs."""

from collections import defaultdict

from runner.case_lists import group_of
from runner.results import printable
from runner.verdicts import FLAKE, WAIVED, badness, failed

_LEAST_SECONDS = 0.5  # a group's time that differs by less is left out,
_LEAST_RATIO = 1.1  # and so is one that differs by less than this factor


class Difference:
    """Between two runs as --json or --record wrote them: case by case where both have every case,
    or else by totals and by the causes of failures."""

    def __init__(self, old, new):
        self.old, self.new = old, new
        self.by_case = "cases" in old and "cases" in new
        self.worse, self.better, self.other = [], [], []  # name, status before, status now
        self.gone, self.added = [], []  # names
        self.times = []  # group, seconds before, seconds now, of the cases that both ran
        self.causes = []  # status, message, count before, count now
        if self.by_case:
            self._compare_cases(old["cases"], new["cases"])
        self._compare_causes()
        self.new_incidents = max(0, len(new["incidents"]) - len(old["incidents"]))

    def got_worse(self):
        more_failures = not self.by_case and any(now > was for _, _, was, now in self.causes)
        return bool(self.worse or more_failures or self.new_incidents or self._fewer_pass())

    def totals(self):
        """Status, count before, count now."""
        statuses = dict.fromkeys([*self.old["totals"], *self.new["totals"]])
        return [(s, self.old["totals"].get(s, 0), self.new["totals"].get(s, 0)) for s in statuses]

    def lines(self, most=40):
        """For people."""
        lines = [f"{side}: {_title(run)}" for side, run in (("old", self.old), ("new", self.new))]
        lines += [f"  {status:20} {was:7} -> {now:7}" for status, was, now in self.totals()]
        if not self.by_case:
            lines.append("not compared case by case: one of them was not written by --json")
        for title, changes in (("worse", self.worse), ("better", self.better), ("other", self.other)):
            lines += [f"  {title}  {name}: {was} -> {now}" for name, was, now in changes[:most]]
            if len(changes) > most:
                lines.append(f"  and {len(changes) - most} more that are {title}")
        if not self.by_case:
            lines += [f"  {s}: {m}: {was} -> {now} cases" for s, m, was, now in self.causes[:most]]
        for title, names in (("no longer run", self.gone), ("new", self.added)):
            if names:
                lines.append(f"  {title}: {len(names)} cases, {names[0]} the first of them")
        if self.new_incidents:
            lines.append(f"  {self.new_incidents} more processes died between cases")
        for group, was, now in self.times[:most]:
            lines.append(f"  time of {group}: {was:.1f} s -> {now:.1f} s")
        lines.append("something got worse" if self.got_worse() else "nothing got worse")
        return [printable(line) for line in lines]

    def _compare_cases(self, old, new):
        self.gone = sorted(old.keys() - new.keys())
        self.added = sorted(new.keys() - old.keys())
        seconds = defaultdict(lambda: [0.0, 0.0])
        for name in sorted(old.keys() & new.keys()):
            was, now = old[name]["status"], new[name]["status"]
            if was != now:
                self._kind(badness(now) - badness(was), new[name]).append((name, was, now))
            of_group = seconds[group_of(name)]
            of_group[0] += old[name]["seconds"]
            of_group[1] += new[name]["seconds"]
        self.times = sorted(
            ((group, was, now) for group, (was, now) in seconds.items() if _differ(was, now)),
            key=lambda row: -abs(row[2] - row[1]),
        )

    def _kind(self, change, case):
        if change < 0:
            return self.better
        # A failure that is excused may come and go.
        excused = case.get("verdict") in (WAIVED, FLAKE)
        return self.worse if change > 0 and not excused else self.other

    def _compare_causes(self):
        counts = defaultdict(lambda: [0, 0])
        for side, run in enumerate((self.old, self.new)):
            for cause in run["failures"]:
                counts[cause["status"], cause["message"]][side] += cause["count"]
        self.causes = [(*cause, *count) for cause, count in counts.items() if count[0] != count[1]]

    def _fewer_pass(self):
        """Where only totals tell: of as many cases, fewer are right."""
        if self.by_case:
            return False
        of_each = [run["totals"] for run in (self.old, self.new)]
        if len({sum(totals.values()) for totals in of_each}) != 1:
            return False
        was, now = (sum(n for s, n in totals.items() if not failed(s)) for totals in of_each)
        return now < was


def _differ(was, now):
    low, high = sorted((was, now))
    return high - low > _LEAST_SECONDS and high > low * _LEAST_RATIO


def _title(run):
    device = run["device"]
    ids = [driver["build_id"][:12] for driver in run.get("drivers", []) if driver["build_id"]]
    build = f", build {' '.join(ids)}" if ids else ""
    return f"{run['date']}, {device['deviceName']}, driver {device.get('driverVersion', '?')}{build}"
