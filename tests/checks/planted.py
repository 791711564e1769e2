#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs in random programs, and counts which of them a check of the driver finds.

    planted.py [--check NAME]... [--kind KIND]... [--seed N] [--count N] [--jobs N] [--keep FOLDER] [--runner FILE]
    planted.py --check NAME --kind KIND --show SEED

For each kind of finding there are `count` programs, each with a bug and without it: a kernel file
(tests/kernels/README.md) with the macro BUG. A program is the same for the same kind and seed. The table has for
each way to be wrong how many bugs were planted and found, and the alarms: findings where there is no bug, or that
are none of the kind or in other lines. What was missed and what gave an alarm is listed with its seed; --show prints
such a program, --keep keeps all. Environment variables choose the driver and how it works. Exits with 1 if less than
95 of 100 of a kind were found, or there was an alarm.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

sys.dont_write_bytecode = True
from plant_table import CHECKS, planted, table  # pylint: disable=wrong-import-position

FILES_A_RUN = 50
LEAST_FOUND = 0.95
VERDICT = re.compile(r"^(passed|FAILED|skipped) +(\S+?):(1|0)\w*(?:: (.*))?$")
SOME_FOUND = re.compile(r"\S+:\d+: (\d+) of (\d+) findings are .*, not (\d+)")


@dataclass
class Tally:
    planted: int = 0
    found: int = 0
    missed: list = field(default_factory=list)
    alarms: list = field(default_factory=list)

    def add(self, other):
        self.planted += other.planted
        self.found += other.found
        self.missed += other.missed
        self.alarms += other.alarms

    def row(self, *names):
        return f"| {' | '.join(names)} | {self.planted} | {self.found} | {len(self.alarms)} |"


def run(runner, files):
    """Of each file, with and without the bug: the verdict and the text. None of a file that ends the process."""
    environment = {**os.environ, "TESSERA_CHECK_LIMIT": str(1 << 30), "TESSERA_LOG_FILE": os.devnull}
    verdicts, left = {}, list(files)
    while left:
        done = subprocess.run([*buffered_lines(), runner, *left], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=environment, errors="replace")
        last = None
        for line in done.stdout.splitlines():
            if verdict := VERDICT.match(line):
                last = (verdict[2], verdict[3])
                verdicts[last] = [verdict[1], verdict[4] or ""]
            elif last:
                verdicts[last][1] += "\n" + line
        ended = next((k for k, file in enumerate(left) if (str(file), "0") not in verdicts), len(left) - 1)
        left = left[ended + 1:]
    return verdicts


def buffered_lines():
    """What makes a process write its lines at once, so that those before a crash are not lost."""
    return ["stdbuf", "-oL"] if shutil.which("stdbuf") else []


def judge(seed, file, verdicts):
    """Of one program."""
    with_bug = verdicts.get((str(file), "1"), ["FAILED", "the process ended"])
    without = verdicts.get((str(file), "0"), ["FAILED", "the process ended"])
    tally = Tally(planted=1)
    if without[0] != "passed":
        tally.alarms.append((seed, f"without the bug {without[0]}: {without[1]}"))
    some = SOME_FOUND.fullmatch(with_bug[1].strip())
    # Of what a bug does some is enough: calls that do the same are one access, if the compiler notices, and of races
    # of one place not all are seen.
    if with_bug[0] == "passed" or some and some[1] == some[2] and 0 < int(some[1]) < int(some[3]):
        tally.found = 1
    elif some and some[2] == "0":
        tally.missed.append((seed, "nothing found"))
    elif with_bug[0] == "FAILED" and "finding" in with_bug[1]:
        tally.alarms.append((seed, f"with the bug: {with_bug[1]}"))
    else:
        tally.missed.append((seed, f"{with_bug[0]}: {with_bug[1]}"))
    return tally


def some_programs(runner, folder, check, kind, seeds):
    """Tallies of these seeds, by the name of the planter."""
    planters, programs = table(check)[kind], {}
    for seed in seeds:
        text, planter = planted(planters, seed)
        programs[seed] = (folder / f"{check}_{kind.replace('-', '_')}_{seed}.comp", planter.name)
        programs[seed][0].write_text(text)
    verdicts = run(runner, [file for file, _ in programs.values()])
    tallies = {}
    for seed, (file, name) in programs.items():
        tallies.setdefault(name, Tally()).add(judge(seed, file, verdicts))
    return tallies


def count_kind(pool, options, folder, check, kind):
    """Prints the rows of a kind; whether it is as it should be."""
    end = options.seed + options.count
    parts = [range(first, min(first + FILES_A_RUN, end)) for first in range(options.seed, end, FILES_A_RUN)]
    tallies, whole = {}, Tally()
    for part in pool.map(some_programs, *zip(*((options.runner, folder, check, kind, p) for p in parts))):
        for name, tally in part.items():
            tallies.setdefault(name, Tally()).add(tally)
            whole.add(tally)
    for name in sorted(tallies):
        print(tallies[name].row(check, kind, name))
    print(whole.row(check, kind, "**all**"), flush=True)
    listed = [("missed", *m) for m in whole.missed] + [("alarm", *a) for a in whole.alarms]
    for word, seed, text in listed:
        print(f"{word}: --check {check} --kind {kind} --show {seed}: {text}", file=sys.stderr, flush=True)
    return whole.found >= LEAST_FOUND * whole.planted and not whole.alarms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runner", default="tessera-run")
    parser.add_argument("--check", action="append", choices=CHECKS)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    kinds = [(check, kind) for check in options.check or CHECKS for kind in table(check)
             if not options.kind or kind in options.kind]
    if not kinds:
        parser.error("there is no such kind")
    if options.show is not None:
        for check, kind in kinds:
            print(planted(table(check)[kind], options.show)[0], end="")
        return 0
    good = True
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("| check | kind | planted | programs | found | alarms |\n|---|---|---|---|---|---|")
        for check, kind in kinds:
            good &= count_kind(pool, options, folder, check, kind)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
