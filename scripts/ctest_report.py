#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest, once or several times, passing its output on, with a few things added before ctest's
closing lines: how many tests were skipped and the reasons that they gave, and what each part of the
tests has cost. Stopped by a signal (Ctrl-C, say) it tells what is known by then, and leaves no process
behind. The exit status is that of the first ctest that failed, and 0 if none did.

usage: ctest_report.py [--took PART=SECONDS]... <JUnit file that ctest will write> <ctest and its
arguments> [--then <name> <JUnit file> <ctest and its arguments>]...

A part is a label of CTest's, with the name of its run where that has one; --took names what came before
the tests.
"""
import collections
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree


# What ctest adds on stderr when tests fail; through a pipe it would come before the closing lines.
AFTERWORDS = ("Errors while running CTest", "Output from these tests are in:", 'Use "--rerun-failed')

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def reason(output):
    """Why a test was skipped, from what it printed: GoogleTest puts the message of GTEST_SKIP after
    a line with the place in the source; of other programs it is the last line."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if re.search(r":\d+: Skipped$", line) and number + 1 < len(lines):
            return lines[number + 1]
    return lines[-1] if lines else "no reason given"


def skips(cases):
    counts = collections.Counter()
    for case in cases:
        if case.get("status") == "notrun" or case.find("skipped") is not None:
            counts[reason(case.findtext("system-out") or "")] += 1
    return counts


class Closing:
    """ctest's lines after the tests, but for its summary of labels, which is kept apart."""

    def __init__(self):
        self.lines = []
        self.labels = {}  # seconds and tests of each
        self._among_labels = False

    def read(self, line):
        if line.startswith("Label Time Summary:"):
            self._among_labels = True
            return
        label = re.match(r"(\S+) += +([\d.]+) sec\*proc +\((\d+) tests?\)", line)
        if self._among_labels and label:
            self.labels[label[1]] = (float(label[2]), int(label[3]))
            return
        if self._among_labels and not line.strip():
            self._among_labels = False
            return
        self.lines.append(line)


def costs(rows, tests):
    """Lines of a table: the minutes of each part, those of parallel tests added up."""
    yield f"{'minutes':>9} {'tests':>6}  part\n"
    for seconds, count, part in sorted(rows, reverse=True):
        yield f"{seconds / 60:9.2f} {count or '':>6}  {part}\n"
    yield f"{sum(row[0] for row in rows) / 60:9.2f} {tests:>6}  sum\n"


class Progress:
    """What ctest's lines about single tests have told so far."""

    def __init__(self):
        self.running = {}  # names by number
        self.ended = collections.Counter()
        self.failed = []
        self.total = 0

    def read(self, line):
        if start := re.match(r" *Start +(\d+): (.*)$", line):
            self.running[start[1]] = start[2]
            return
        end = re.match(r" *\d+/(\d+) Test +#(\d+): (.*?) \.+ *(\**)([A-Z]\w*.*?) +[\d.]+ sec", line)
        if not end:
            return
        self.total = int(end[1])
        self.running.pop(end[2], None)
        outcome = end[5].strip()
        self.ended[outcome] += 1
        if end[4] and outcome not in ("Skipped", "Not Run"):
            self.failed.append(f"{end[3]} ({outcome})")

    def lines(self):
        """What is known when the run has been stopped."""
        total = f" of {self.total}" if self.total else ""
        outcomes = ", ".join(f"{count} {name}" for name, count in self.ended.most_common())
        yield f"{sum(self.ended.values())}{total} tests had ended" + (f": {outcomes}" if outcomes else "")
        for title, names in (("failed", self.failed), ("running", list(self.running.values()))):
            if names:
                yield f"{title}:"
                yield from ("  " + name for name in names)


def adopt_orphans():
    """Makes processes whose parent ends children of this one, whatever groups they have made."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None, use_errno=True).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def descendants():
    children = collections.defaultdict(list)
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue  # it has ended
        children[parent].append(int(stat.parent.name))
    found, look_at = [], [os.getpid()]
    while look_at:
        own = children[look_at.pop()]
        found += own
        look_at += own
    return found


def end_descendants():
    """Ends every process that came of this one. They are asked first: some have files to remove."""
    deadline = time.monotonic() + 3
    for process in descendants():
        send(process, signal.SIGTERM)
    while True:
        reap()
        left = descendants()
        if not left:
            return
        if time.monotonic() > deadline:
            for process in left:
                send(process, signal.SIGKILL)
        time.sleep(0.05)


def send(process, number):
    try:
        os.kill(process, number)
    except ProcessLookupError:
        pass


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


class Stopped(Exception):
    def __init__(self, number):
        super().__init__(number)
        self.number = number


def stop(number, _):
    for each in STOPPING:  # once is enough
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)


class Run:
    """One run of ctest."""

    def __init__(self, name, junit, command):
        self.name = name
        self.junit = pathlib.Path(junit)
        self.command = command
        self.progress, self.closing, self.verdict = Progress(), Closing(), []

    def go(self):
        """Passes on what ctest prints before its closing lines; its exit status."""
        self.junit.unlink(missing_ok=True)
        # A session of its own: a Ctrl-C comes here alone, and the tests end when this says so.
        ctest = subprocess.Popen(
            self.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        for line in ctest.stdout:
            if line.startswith(AFTERWORDS):
                self.verdict.append(line)
            elif self.closing.lines or re.match(r"\d+% tests passed", line):
                self.closing.read(line)
            else:
                self.progress.read(line)
                print(line, end="", flush=True)
        return ctest.wait()

    def cases(self):
        if not self.junit.exists():
            return []
        return list(xml.etree.ElementTree.parse(self.junit).iter("testcase"))

    def rows(self, cases):
        """Seconds, number of tests and name of each part; those without a label are the last."""
        prefix = self.name + " " if self.name else ""
        labels = self.closing.labels
        rows = [(seconds, tests, prefix + part) for part, (seconds, tests) in labels.items()]
        others = len(cases) - sum(tests for _, tests in labels.values())
        if others > 0:
            total = sum(float(case.get("time") or 0) for case in cases)
            rest = max(0.0, total - sum(seconds for seconds, _ in labels.values()))
            rows.append((rest, others, prefix + "all others"))
        return rows


def arguments():
    took, rest = [], sys.argv[1:]
    if not rest or rest[0] in ("-h", "--help"):
        print(__doc__)
        sys.exit(0 if rest else 2)
    while rest and rest[0] == "--took":
        part, _, seconds = rest[1].rpartition("=")
        took.append((float(seconds), 0, part))
        rest = rest[2:]
    runs, name = [], ""
    while rest:
        end = rest.index("--then") if "--then" in rest else len(rest)
        runs.append(Run(name, rest[0], rest[1:end]))
        name, rest = (rest[end + 1], rest[end + 2 :]) if end < len(rest) else ("", [])
    return took, runs


def main():
    rows, runs = arguments()
    adopt_orphans()
    for number in STOPPING:
        signal.signal(number, stop)
    status = 0
    done = []
    try:
        for run in runs:
            done.append(run)
            ended = run.go()
            status = status or ended
    except Stopped as stopped:
        end_descendants()
        print(f"\nstopped by {signal.Signals(stopped.number).name}")
        for run in done:
            print("\n".join(run.progress.lines()), flush=True)
        return 128 + stopped.number
    all_cases = []
    for run in runs:
        cases = run.cases()
        rows += run.rows(cases)
        all_cases += cases
    if all_cases:
        counts = skips(all_cases)
        print(f"{sum(counts.values())} tests were skipped")
        for text, count in counts.most_common():
            print(f"  {count:5}  {text}")
        print()
        print("".join(costs(rows, len(all_cases))))
    for run in runs:
        if run.name:
            print(f"\n\n{run.name}:")
        print("".join(run.closing.lines + run.verdict), end="", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
