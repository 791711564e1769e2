# SPDX-License-Identifier: Apache-2.0

"""What a case's outcome means, by what was known beforehand: waivers, a baseline, flakes."""

from runner.deqp_files import status_by_baseline, status_of
from runner.waivers import Waiver

PASSED = ("Pass", "QualityWarning", "CompatibilityWarning", "CapabilityWarning", "Waiver")
NOT_RUN = ("NotSupported",)

PASS = "pass"
SKIP = "not supported"
FAIL = "failure"
WAIVED = "waived"
FLAKE = "flake"  # may fail without being unexpected
IMPROVED = "unexpected pass"  # it was expected to fail, or to fail worse
UNEXPECTED = (FAIL, IMPROVED)


def failed(status):
    return status not in PASSED and status not in NOT_RUN


def badness(status):
    if status in PASSED:
        return 0
    if status in NOT_RUN:
        return 1
    return 3 if status in ("Crash", "Hang") else 2


def of_status(status):
    """The verdict on a status of which nothing was known beforehand."""
    if status == "Flake":
        return FLAKE
    return FAIL if failed(status) else SKIP if status in NOT_RUN else PASS


class Expectations:
    """Judges results. `baseline` has deqp-runner's status of each case that is expected to fail,
    `flakes` are regular expressions of names."""

    def __init__(self, waivers, baseline=None, flakes=()):
        self._waivers = waivers
        self._baseline = baseline or {}
        self._flakes = flakes

    def judge(self, result):
        """Sets the result's verdict, and the waiver that it has it from."""
        result.verdict, result.waiver = self._judge(result)

    def excuse(self, case, incident):
        """Whether a waiver says that the case ends its process in this way."""
        return self._waivers.find(case, incident) is not None

    def _judge(self, result):
        if result.status == "Flake" or (
            failed(result.status) and any(flake.search(result.name) for flake in self._flakes)
        ):
            return FLAKE, None
        expected = self._baseline.get(result.name)
        if expected:
            status = status_by_baseline(status_of(result), expected)
            waiver = Waiver(result.name, "baseline", "", f"the baseline has {expected}")
            if status == "ExpectedFail":
                return WAIVED, waiver
            if status.startswith("UnexpectedImprovement"):
                return IMPROVED, waiver
        if failed(result.status):
            waiver = self._waivers.find(result.name, result.message)
            return (WAIVED, waiver) if waiver else (FAIL, None)
        waiver = self._waivers.of_pass(result.name) if result.status in PASSED else None
        return (IMPROVED, waiver) if waiver else (of_status(result.status), None)
