# SPDX-License-Identifier: Apache-2.0

"""Gathers results, and says them: totals, a summary for people, JSON."""

import re
from collections import Counter
from dataclasses import asdict

PASSED = ("Pass", "QualityWarning", "CompatibilityWarning", "CapabilityWarning", "Waiver")
NOT_RUN = ("NotSupported",)

# The CTS adds where in its source it threw; that moves with each version and says nothing.
_SOURCE = re.compile(r" at \w+\.(?:[ch]pp|inl):\d+$")

_MOST_NAMES = 20  # of cases that fail in the same way, in a record


def failed(status):
    return status not in PASSED and status not in NOT_RUN


class Results:
    """One result per case. A case that ran several times keeps the worst, and what it was."""

    def __init__(self, waivers):
        self._waivers = waivers
        self.cases = {}
        self.statuses = {}  # of cases with different outcomes: all of them
        self.incidents = []

    def add(self, result):
        before = self.cases.get(result.name)
        if before and before.status != result.status:
            self.statuses.setdefault(result.name, [before.status]).append(result.status)
        if not before or _badness(result.status) > _badness(before.status):
            self.cases[result.name] = result

    def totals(self):
        return dict(Counter(result.status for result in self.cases.values()).most_common())

    def not_supported(self):
        reasons = Counter(
            _SOURCE.sub("", result.message)
            for result in self.cases.values()
            if result.status == "NotSupported"
        )
        return dict(reasons.most_common())

    def failures(self):
        """Those that nobody waived."""
        return [
            result
            for result in self.cases.values()
            if failed(result.status) and not self._waivers.find(result)
        ]

    def waived(self):
        """Failures with their waivers."""
        pairs = ((r, self._waivers.find(r)) for r in self.cases.values() if failed(r.status))
        return [(result, waiver) for result, waiver in pairs if waiver]

    def unexpected_passes(self):
        return [
            result
            for result in self.cases.values()
            if result.status in PASSED and self._waivers.name(result.name)
        ]

    def good(self):
        return not self.failures() and not self.incidents

    def summary(self, most=40):
        """A few lines for people."""
        lines = [f"{sum(self.totals().values())} cases: " + _list(self.totals())]
        for reason, count in list(self.not_supported().items())[:most]:
            lines.append(f"  not supported {count:6}  {_first_line(reason)}")
        for result in self.failures()[:most]:
            lines.append(f"  {result.status}  {result.name}: {_first_line(result.message)}")
            if result.alone:
                lines.append(f"    by itself: {result.alone}; it ran after {result.after[-1]}")
        if len(self.failures()) > most:
            lines.append(f"  and {len(self.failures()) - most} more failures")
        for waiver, count in Counter(waiver for _, waiver in self.waived()).most_common():
            lines.append(f"  waived {count:6} ({waiver.kind})  {waiver.pattern}: {waiver.reason}")
        for result in self.unexpected_passes()[:most]:
            lines.append(f"  waived, but passes  {result.name}")
        for name, statuses in list(self.statuses.items())[:most]:
            lines.append(f"  not always the same  {name}: {' '.join(statuses)}")
        for incident in self.incidents[:most]:
            lines.append(f"  {incident}")
        return lines

    def record(self):
        """What is worth keeping of a run: totals, reasons, failures; no word on what passed."""
        return {
            "totals": self.totals(),
            "not_supported": {_first_line(k): v for k, v in self.not_supported().items()},
            "failures": self._causes(),
            "waived": [
                {**asdict(waiver), "count": count}
                for waiver, count in Counter(w for _, w in self.waived()).most_common()
            ],
            "unexpected_passes": [result.name for result in self.unexpected_passes()],
            "not_always_the_same": self.statuses,
            "incidents": self.incidents,
        }

    def _causes(self):
        """Failures by status and message, the most frequent first, with some names of each."""
        causes = {}
        for result in self.failures():
            status = f"{result.status}, by itself {result.alone}" if result.alone else result.status
            message = _SOURCE.sub("", _first_line(result.message))
            causes.setdefault((status, message), []).append(result.name)
        return [
            {"status": status, "message": message, "count": len(names), "cases": names[:_MOST_NAMES]}
            for (status, message), names in sorted(causes.items(), key=lambda c: -len(c[1]))
        ]

    def every_case(self):
        return {name: self._detail(r) for name, r in sorted(self.cases.items())}

    @staticmethod
    def _detail(result):
        detail = {
            "status": result.status,
            "message": result.message,
            "seconds": round(result.seconds, 3),
        }
        if result.alone:
            detail["alone"] = result.alone
            detail["after"] = result.after
        return detail


def _badness(status):
    return 0 if status in NOT_RUN else 1 if status in PASSED else 3 if status in ("Crash", "Hang") else 2


def _first_line(message):
    return message.split("\n", 1)[0]


def _list(totals):
    return ", ".join(f"{count} {status}" for status, count in totals.items())
