# SPDX-License-Identifier: Apache-2.0

"""Lines that say how far a run is, and how long the rest will take."""

import sys
import time

PERIOD_SECONDS = 30  # between lines when the output is no terminal


class Progress:
    """`total` cases; the time left follows from what `times` expects of those done and of all."""

    def __init__(self, times, total, total_seconds):
        self._times = times
        self._total = total
        self._left = total_seconds
        self._done = self._failed = 0
        self._expected = 0.0  # by `times`, of what is done
        self._started = self._shown = time.monotonic()
        self._terminal = sys.stderr.isatty()

    def begin(self, jobs):
        if self._times and self._total:
            seconds = self._left / jobs
            print(f"{self._total} cases, about {_duration(seconds)} by earlier times", file=sys.stderr)

    def add(self, name, failed):
        expected = self._times.of(name)
        self._done += 1
        self._failed += failed
        self._expected += expected
        self._left = max(0.0, self._left - expected)
        now = time.monotonic()
        period = 0.2 if self._terminal else PERIOD_SECONDS
        if now - self._shown < period and self._done < self._total:
            return
        self._shown = now
        elapsed = now - self._started
        left = elapsed / self._expected * self._left if self._expected else 0.0
        line = (
            f"{self._done}/{self._total} cases, {self._failed} failed, {_duration(elapsed)},"
            f" {_duration(left)} to go: {name}"
        )
        print(f"\r\x1b[K{line[:150]}" if self._terminal else line, end="" if self._terminal else "\n",
              file=sys.stderr, flush=True)

    def end(self):
        if self._terminal:
            print(file=sys.stderr)


def _duration(seconds):
    if seconds < 600:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 36000 else f"{seconds / 3600:.1f} h"
