# SPDX-License-Identifier: Apache-2.0

"""The files of deqp-runner, Mesa's tool: baselines, results, and lists of regular expressions."""

import re

_LINE = re.compile(r"([^,]+),([^,]+)(?:,([^,]*))?")
_STATUSES = ("Pass", "Fail", "Skip", "Crash", "Flake", "KnownFlake", "Warn", "Missing", "Timeout",
             "ExpectedFail")
_IMPROVED = re.compile(r"UnexpectedImprovement\((\w+)\)|UnexpectedPass")

_TO_RUNNER = {
    "Pass": "Pass",
    "NotSupported": "Skip",
    "QualityWarning": "Warn",
    "CompatibilityWarning": "Warn",
    "CapabilityWarning": "Warn",
    "Waiver": "Warn",
    "Crash": "Crash",
    "DeviceLost": "Crash",
    "Hang": "Timeout",
    "Timeout": "Timeout",
    "Missing": "Missing",
    "Flake": "Flake",
}
_FROM_RUNNER = {
    "Pass": "Pass",
    "Fail": "Fail",
    "ExpectedFail": "Fail",
    "Skip": "NotSupported",
    "Warn": "QualityWarning",
    "Crash": "Crash",
    "Timeout": "Hang",
    "Missing": "Missing",
    "Flake": "Flake",
    "KnownFlake": "Flake",
}
# What deqp-runner makes of a status when its baseline has another.
_BAD = ("Fail", "Crash", "Missing", "Timeout")
_AS_EXPECTED = {
    "Fail": ("Fail", "ExpectedFail"),
    "Crash": ("Crash", "ExpectedFail"),
    "Timeout": ("Timeout",),
    "Missing": ("Missing",),
    "Warn": ("Warn",),
}
_BETTER = {"Pass": _BAD, "Skip": _BAD, "Warn": ("Fail", "Crash"), "Fail": ("Crash", "Timeout")}


def read_results(path):
    """Lines `name,status[,seconds]`, of a baseline or a results.csv: name -> (status, seconds)."""
    results = {}
    for number, line in _lines(path):
        words = _LINE.fullmatch(line)
        if not words or not (words[2] in _STATUSES or _IMPROVED.fullmatch(words[2])):
            raise ValueError(f"{path}:{number}: expected name,Status as deqp-runner writes it: {line}")
        if words[1] in results:
            raise ValueError(f"{path}:{number}: {words[1]} stands there twice")
        try:
            results[words[1]] = words[2], float(words[3] or 0)
        except ValueError:
            raise ValueError(f"{path}:{number}: no seconds: {words[3]}") from None
    return results


def read_expressions(path):
    """Regular expressions, one in a line, of which one is to match somewhere in a name."""
    expressions = []
    for number, line in _lines(path):
        try:
            expressions.append(re.compile(line))
        except re.error as error:
            raise ValueError(f"{path}:{number}: no regular expression: {error}") from None
    return expressions


def status_of(result):
    """deqp-runner's name of a result's status."""
    return _TO_RUNNER.get(result.status, "Fail")


def status_from(status):
    """Our name of a status of deqp-runner's."""
    improved = _IMPROVED.fullmatch(status)
    return _FROM_RUNNER.get((improved[1] or "Pass") if improved else status, "Fail")


def status_by_baseline(status, expected):
    if expected in _AS_EXPECTED.get(status, ()):
        return "ExpectedFail"
    return f"UnexpectedImprovement({status})" if expected in _BETTER.get(status, ()) else status


def _lines(path):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()
