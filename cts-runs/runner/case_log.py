# SPDX-License-Identifier: Apache-2.0

"""The log of a deqp-vk (.qpa), read while it is being written."""

import re
import time
from dataclasses import dataclass, field
from xml.sax.saxutils import unescape

_RESULT = re.compile(r'<Result StatusCode="(\w+)">(.*?)</Result>', re.DOTALL)
_DURATION = re.compile(r'<Number Name="TestDuration"[^>]*>(\d+)</Number>')
_QUOTES = {"&quot;": '"', "&apos;": "'"}

# Of one case's log; a case that writes more is cut in the middle, its result stands at the end.
_KEPT_LINES = 4000


@dataclass
class CaseResult:
    """What became of one case. Statuses are those of the CTS, and four of ours: Crash (the process
    ended inside of the case), Hang (it was killed there), Missing (deqp-vk does not know the case),
    Flake (deqp-runner saw it pass and fail)."""

    name: str
    status: str
    message: str = ""
    seconds: float = 0.0
    log: str = ""  # what the case logged
    alone: str = ""  # of a crash or hang: the status when the case ran by itself
    after: list = field(default_factory=list)  # and the cases that its process had run before
    verdict: str = ""  # one of verdicts.py
    waiver: object = None  # that excuses it


class CaseLog:
    """Understands a log piece by piece. `running` is the case that was begun and has not ended,
    `begun_at` when that was seen (monotonic seconds), `session` what the log says of the run."""

    def __init__(self):
        self.session = {}
        self.running = None
        self.begun_at = 0.0
        self._lines = []
        self._rest = ""

    def feed(self, text):
        """Takes the next piece of the log, which may end anywhere; returns the cases it ended."""
        ended = []
        lines = (self._rest + text).split("\n")
        self._rest = lines.pop()
        for line in lines:
            result = self._line(line)
            if result:
                ended.append(result)
        return ended

    def text(self):
        """What the running case has logged so far."""
        return "\n".join(self._lines)

    def _line(self, line):
        if line.startswith("#sessionInfo "):
            key, _, value = line[len("#sessionInfo ") :].partition(" ")
            self.session[key] = value.strip('"')
        elif line.startswith("#beginTestCaseResult "):
            self.running = line.split(" ", 1)[1].strip()
            self.begun_at = time.monotonic()
            self._lines = []
        elif line.startswith("#endTestCaseResult") and self.running:
            return self._end(self._outcome())
        elif line.startswith("#terminateTestCaseResult") and self.running:
            # Written by deqp-vk's own watchdog or crash handler.
            return self._end((line.partition(" ")[2].strip() or "Crash", "ended by deqp-vk itself"))
        elif self.running:
            self._lines.append(line)
            if len(self._lines) > _KEPT_LINES:
                del self._lines[_KEPT_LINES // 2]
        return None

    def _outcome(self):
        # The result is the last of the elements, behind what the case itself wrote.
        found = _RESULT.findall(self.text())
        if not found:
            return "InternalError", "the log has no result"
        return found[-1][0], unescape(found[-1][1], _QUOTES)

    def _end(self, outcome):
        log = self.text()
        duration = _DURATION.search(log)
        seconds = int(duration.group(1)) / 1e6 if duration else time.monotonic() - self.begun_at
        result = CaseResult(self.running, outcome[0], outcome[1], seconds, log)
        self.running = None
        return result
