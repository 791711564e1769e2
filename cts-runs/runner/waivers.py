"""The cases of which a failure is known and excused."""

import fnmatch
from dataclasses import dataclass

# A defect of the CTS itself, shown in its source; something of graphics that it asks of a device
# without it; more memory than the machine has.
KINDS = ("cts-defect", "graphics-required", "memory")


@dataclass
class Waiver:
    pattern: str
    kind: str
    reason: str


class Waivers:
    """Read from lines `PATTERN KIND REASON`; `#` begins a comment. The first match counts."""

    def __init__(self, text, name="waivers"):
        self._waivers = []
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 3 or words[1] not in KINDS:
                raise ValueError(
                    f"{name}:{number}: expected a pattern, a kind ({', '.join(KINDS)}) and a reason"
                )
            self._waivers.append(Waiver(*words))

    def find(self, case):
        for waiver in self._waivers:
            if fnmatch.fnmatchcase(case, waiver.pattern):
                return waiver
        return None
