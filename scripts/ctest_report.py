#!/usr/bin/env python3
"""Runs ctest, passing its output on, with one thing added: before ctest's closing lines, how many
tests were skipped and the reasons that they gave.

usage: ctest_report.py <JUnit file that ctest will write> <ctest and its arguments>
"""
import collections
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree


# What ctest adds on stderr when tests fail; through a pipe it would come before the closing lines.
AFTERWORDS = ("Errors while running CTest", "Output from these tests are in:", 'Use "--rerun-failed')


def reason(output):
    """Why a test was skipped, from what it printed: GoogleTest puts the message of GTEST_SKIP after
    a line with the place in the source; of other programs it is the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if re.search(r":\d+: Skipped$", line) and number + 1 < len(lines):
            return lines[number + 1]
    return lines[-1] if lines else "no reason given"


def skips(junit):
    counts = collections.Counter()
    for case in xml.etree.ElementTree.parse(junit).iter("testcase"):
        if case.get("status") == "notrun" or case.find("skipped") is not None:
            counts[reason(case.findtext("system-out") or "")] += 1
    return counts


def main():
    junit = pathlib.Path(sys.argv[1])
    junit.unlink(missing_ok=True)
    ctest = subprocess.Popen(
        sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    closing, verdict = [], []
    for line in ctest.stdout:
        if line.startswith(AFTERWORDS):
            verdict.append(line)
        elif closing or re.match(r"\d+% tests passed", line):
            closing.append(line)
        else:
            print(line, end="", flush=True)
    status = ctest.wait()
    if junit.exists():
        counts = skips(junit)
        print(f"{sum(counts.values())} tests were skipped")
        for text, count in counts.most_common():
            print(f"  {count:5}  {text}")
        print()
    print("".join(closing + verdict), end="", flush=True)
    return status


sys.exit(main())
