# SPDX-License-Identifier: Apache-2.0

"""The cases of which a failure is known and excused."""

import fnmatch
import re
from dataclasses import dataclass

# A defect of the CTS itself, shown in its source; something of graphics that it asks of a device
# without it; more memory than the machine has.
KINDS = ("cts-defect", "graphics-required", "memory")

ENDS_PROCESS = "ended by SIG"  # in the message of a waiver: the case may take its process with it

_LINE = re.compile(
    r"(?P<pattern>\S+)\s+(?P<kind>\S+)\s+(?:(?P<sometimes>sometimes)\s+)?"
    r'(?:"(?P<message>[^"]*)"\s+)?(?P<reason>(?!sometimes$).+)'
)


@dataclass(frozen=True)
class Waiver:
    pattern: str
    kind: str
    message: str  # what a failure's message holds, so that others are not excused with it
    reason: str
    sometimes: bool = False  # it may pass, too

    def names(self, case):
        return fnmatch.fnmatchcase(case, self.pattern)

    def excuses(self, case, message):
        return self.message in message and self.names(case)


class Waivers:
    """Read from lines `PATTERN KIND [sometimes] ["MESSAGE"] REASON`; `#` begins a comment. The first
    match counts."""

    def __init__(self, text, name="waivers"):
        self._waivers = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            words = _LINE.fullmatch(line)
            if not words or words["kind"] not in KINDS:
                raise ValueError(
                    f"{name}:{number}: expected a pattern, a kind ({', '.join(KINDS)}), sometimes or"
                    ' nothing, "a part of the message" and a reason'
                )
            self._waivers.append(
                Waiver(
                    words["pattern"],
                    words["kind"],
                    words["message"] or "",
                    words["reason"],
                    bool(words["sometimes"]),
                )
            )
        self._ends_process = pattern_of_any(
            w.pattern for w in self._waivers if ENDS_PROCESS in w.message
        )
        self._named = pattern_of_any(w.pattern for w in self._waivers)

    def find(self, case, message):
        """The waiver of a failure, or None."""
        return next((waiver for waiver in self._waivers if waiver.excuses(case, message)), None)

    def of_pass(self, case):
        """The waiver by which a case should have failed, or None."""
        if not self._named.fullmatch(case):
            return None
        named = [waiver for waiver in self._waivers if waiver.names(case)]
        return None if any(waiver.sometimes for waiver in named) else named[0]

    def may_end_process(self, case):
        return bool(self._ends_process.fullmatch(case))


def pattern_of_any(patterns):
    """One expression for all of the patterns of names."""
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)")
