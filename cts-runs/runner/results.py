# SPDX-License-Identifier: Apache-2.0

"""Gathers results, and says them: totals, a summary for people, JSON."""

import re
from collections import Counter
from dataclasses import asdict

from runner import verdicts
from runner.case_log import CaseResult
from runner.verdicts import badness
from runner.waivers import Waiver

# The CTS adds where in its source it threw; that moves with each version and says nothing.
_SOURCE = re.compile(r" at \w+\.(?:[ch]pp|inl):\d+$")

_MOST_NAMES = 20  # of cases that fail in the same way, in a record
_MARKED = (verdicts.WAIVED, verdicts.FLAKE, verdicts.IMPROVED)  # not to be told from the status


class Results:
    """One judged result per case. A case that ran several times keeps the worst, and what it was."""

    def __init__(self):
        self.cases = {}
        self.statuses = {}  # of cases with different outcomes: all of them
        self.incidents = []
        self.waived_incidents = []

    def add(self, result):
        before = self.cases.get(result.name)
        if before and before.status != result.status:
            self.statuses.setdefault(result.name, [before.status]).append(result.status)
        if not before or _weight(result) > _weight(before):
            self.cases[result.name] = result

    def add_incident(self, text, waived):
        (self.waived_incidents if waived else self.incidents).append(text)

    def totals(self):
        return dict(_by_count(result.status for result in self.cases.values()))

    def not_supported(self):
        skipped = self.of(verdicts.SKIP)
        return dict(_by_count(_SOURCE.sub("", result.message) for result in skipped))

    def of(self, *wanted):
        """The results with one of these verdicts."""
        return [result for result in self.cases.values() if result.verdict in wanted]

    def waivers(self):
        """Those that excused something, and how many cases, the most first."""
        return _by_count(result.waiver for result in self.of(verdicts.WAIVED))

    def good(self):
        return not self.of(*verdicts.UNEXPECTED) and not self.incidents

    def summary(self, most=40):
        """A few lines for people."""
        lines = [f"{len(self.cases)} cases: " + _list(self.totals())]
        for reason, count in list(self.not_supported().items())[:most]:
            lines.append(f"  not supported {count:6}  {first_line(reason)}")
        failures = self.of(verdicts.FAIL)
        for result in failures[:most]:
            lines.append(f"  {result.status}  {result.name}: {first_line(result.message)}")
            if result.alone:
                lines.append(f"    by itself: {result.alone}; it ran after {result.after[-1]}")
        if len(failures) > most:
            lines.append(f"  and {len(failures) - most} more failures")
        for waiver, count in self.waivers():
            lines.append(f"  waived {count:6} ({waiver.kind})  {waiver.pattern}: {waiver.reason}")
        for result in self.of(verdicts.FLAKE)[:most]:
            lines.append(f"  flake  {result.name}: {first_line(result.message)}")
        improved = self.of(verdicts.IMPROVED)
        for result in improved[:most]:
            lines.append(f"  unexpected {result.status} ({result.waiver.kind})  {result.name}")
        if len(improved) > most:
            lines.append(f"  and {len(improved) - most} more that were expected to fail")
        for name, statuses in list(self.statuses.items())[:most]:
            lines.append(f"  not always the same  {name}: {' '.join(statuses)}")
        lines += [f"  {incident}" for incident in self.incidents[:most]]
        lines += [f"  waived: {incident}" for incident in self.waived_incidents[:most]]
        return [printable(line) for line in lines]

    def record(self):
        """What is worth keeping of a run: totals, reasons, failures; no word on what passed."""
        return {
            "totals": self.totals(),
            "not_supported": dict(_first_lines(self.not_supported())),
            "failures": self._causes(),
            "waived": [{**asdict(waiver), "count": count} for waiver, count in self.waivers()],
            "unexpected_passes": sorted(result.name for result in self.of(verdicts.IMPROVED)),
            "flakes": {r.name: r.status for r in self.of(verdicts.FLAKE)},
            "not_always_the_same": self.statuses,
            "incidents": sorted(self.incidents),
            "waived_incidents": sorted(self.waived_incidents),
        }

    def _causes(self):
        """Failures by status and message, the most frequent first, with some names of each."""
        causes = {}
        for result in sorted(self.of(verdicts.FAIL), key=lambda result: result.name):
            differs = result.alone and result.alone != result.status
            status = f"{result.status}, by itself {result.alone}" if differs else result.status
            message = _SOURCE.sub("", first_line(result.message))
            causes.setdefault((status, message), []).append(result.name)
        return [
            {"status": status, "message": message, "count": len(names), "cases": names[:_MOST_NAMES]}
            for (status, message), names in sorted(causes.items(), key=lambda c: (-len(c[1]), c[0]))
        ]

    def every_case(self):
        """With the record, all that `read` needs."""
        waivers = {waiver: index for index, (waiver, _) in enumerate(self.waivers())}
        return {name: _detail(r, waivers) for name, r in sorted(self.cases.items())}


def read(content):
    """The results in what --json wrote."""
    results = Results()
    waivers = [Waiver(**{k: v for k, v in w.items() if k != "count"}) for w in content["waived"]]
    for name, detail in content["cases"].items():
        result = CaseResult(name, detail["status"], detail["message"], detail["seconds"])
        result.alone, result.after = detail.get("alone", ""), detail.get("after", [])
        result.verdict = detail.get("verdict") or verdicts.of_status(result.status)
        if result.verdict == verdicts.IMPROVED:
            result.waiver = Waiver(name, detail["kind"], "", detail["reason"])
        elif "waiver" in detail:
            result.waiver = waivers[detail["waiver"]]
        results.add(result)
    results.statuses = dict(content["not_always_the_same"])
    results.incidents = list(content["incidents"])
    results.waived_incidents = list(content.get("waived_incidents", []))
    return results


def first_line(message):
    return message.split("\n", 1)[0]


def printable(text):
    """Without what would be more than text to a terminal or a page."""
    return "".join(c if c in "\n\t" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def _detail(result, waivers):
    detail = {
        "status": result.status,
        "message": result.message,
        "seconds": round(result.seconds, 3),
    }
    if result.alone:
        detail["alone"] = result.alone
        detail["after"] = result.after
    if result.verdict in _MARKED:
        detail["verdict"] = result.verdict
    if result.verdict == verdicts.WAIVED:
        detail["waiver"] = waivers[result.waiver]
    elif result.verdict == verdicts.IMPROVED:
        detail["kind"], detail["reason"] = result.waiver.kind, result.waiver.reason
    return detail


def _weight(result):
    return result.verdict in verdicts.UNEXPECTED, badness(result.status)


def _by_count(things):
    """Pairs of a thing and its count, the most frequent first, and the same whatever came first."""
    return sorted(Counter(things).items(), key=lambda pair: (-pair[1], str(pair[0])))


def _first_lines(reasons):
    merged = Counter()
    for reason, count in reasons.items():
        merged[first_line(reason)] += count
    return _by_count(merged.elements())


def _list(totals):
    return ", ".join(f"{count} {status}" for status, count in totals.items())
