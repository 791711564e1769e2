# SPDX-License-Identifier: Apache-2.0

"""The cases of which a failure is known and excused."""

import fnmatch
import re
from dataclasses import dataclass

# A defect of the CTS itself, shown in its source; something of graphics that it asks of a device
# without it; more memory than the machine has.
KINDS = ("cts-defect", "graphics-required", "memory")


_LINE = re.compile(r'(?P<pattern>\S+)\s+(?P<kind>\S+)\s+(?:"(?P<message>[^"]*)"\s+)?(?P<reason>.+)')


@dataclass(frozen=True)
class Waiver:
    pattern: str
    kind: str
    message: str  # what a failure's message holds, so that others are not excused with it
    reason: str

    def names(self, case):
        return fnmatch.fnmatchcase(case, self.pattern)

    def excuses(self, result):
        return self.names(result.name) and self.message in result.message


class Waivers:
    """Read from lines `PATTERN KIND ["MESSAGE"] REASON`; `#` begins a comment. The first match
    counts."""

    def __init__(self, text, name="waivers"):
        self._waivers = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            words = _LINE.fullmatch(line)
            if not words or words["kind"] not in KINDS:
                raise ValueError(
                    f"{name}:{number}: expected a pattern, a kind ({', '.join(KINDS)}),"
                    ' "a part of the message" and a reason'
                )
            self._waivers.append(
                Waiver(words["pattern"], words["kind"], words["message"] or "", words["reason"])
            )

    def find(self, result):
        """The waiver of a failure, or None."""
        return next((waiver for waiver in self._waivers if waiver.excuses(result)), None)

    def name(self, case):
        """Whether a case is named, whatever became of it."""
        return any(waiver.names(case) for waiver in self._waivers)
