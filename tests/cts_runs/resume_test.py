#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of runs that are killed and go on."""

import collections
import signal
import subprocess
import sys
import time
import unittest

from harness import CASE, RUNS, ProgramTest

CASES = ("*", f"!{CASE}hang", f"!{CASE}victim", f"!{CASE}flaky")


class ResumeTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.begun = self.folder / "begun.txt"
        self.journal = self.folder / "all.json.journal"
        self.environment["FAKE_DEQP_RUNS"] = str(self.begun)

    def kill(self, number, options=(), stop=CASE + "abort 1", lines=9):
        """Ends a run by a signal when it has come to a case, and its journal to so many lines."""
        command = [sys.executable, RUNS / "run", *self.run_command(*CASES, options=options)]
        self.begun.write_text("")
        environment = {**self.environment, "FAKE_DEQP_STOP": stop}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        name, times = stop.split()
        while (
            self.runs_of_each()[name] < int(times)
            or self.journal.read_bytes().count(b"\n") < lines
        ):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        process.send_signal(number)
        process.wait()

    def runs_of_each(self):
        return collections.Counter(self.begun.read_text().split())

    def test_a_killed_run_goes_on(self):
        options = ["--batch", "4"]
        whole = self.run_cases(*CASES, options=options, status=1, json="whole.json")
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number):
                self.kill(number, options)
                finished = [line.split('"')[3] for line in self.journal.read_text().splitlines()[1:]]
                self.assertEqual(len(finished), 8)
                if number == signal.SIGTERM:  # and what there was is written
                    written = self.read("all.json")
                    self.assertEqual((written["finished"], set(written["cases"])), (False, set(finished)))
                before = self.runs_of_each()
                resumed = self.run_cases(*CASES, options=[*options, "--resume"], status=1)
                after = self.runs_of_each()
                for name in finished:
                    self.assertEqual(after[name], before[name], f"{name} ran again")
                for key in whole:
                    if key not in ("seconds", "cases"):
                        self.assertEqual(resumed[key], whole[key], key)
                self.assertEqual(
                    {name: case["status"] for name, case in resumed["cases"].items()},
                    {name: case["status"] for name, case in whole["cases"].items()},
                )
                self.assertFalse(self.journal.exists())

    def test_half_a_line_at_the_end_is_forgotten(self):
        self.kill(signal.SIGKILL)
        with open(self.journal, "a") as file:
            file.write('{"name": "dEQP')
        self.run_cases(*CASES, options=["--resume"], status=1)
        self.assertEqual(len(self.cases), 14)

    def test_repeated_runs_go_on(self):
        self.kill(signal.SIGKILL, ["--repeat", "2"], CASE + "pass.two 2", 17)
        self.begun.write_text("")
        self.run_cases(*CASES, options=["--repeat", "2", "--resume"], status=1)
        self.assertEqual(len(self.cases), 14)
        runs = self.runs_of_each()
        self.assertEqual((runs[CASE + "pass.one"], runs[CASE + "pass.two"]), (0, 1))

    def test_nothing_to_go_on_with_is_a_run_from_the_beginning(self):
        self.run_cases("pass.*", options=["--resume"], status=0)
        self.assertEqual(len(self.cases), 3)

    def test_another_run_is_refused(self):
        self.kill(signal.SIGKILL)
        other = self.run_command("pass.one", options=["--resume"])
        self.refused(["all.json.journal is of a run with cases 14", "now it is 1"], "run", *other)
        for option, value in (("--repeat", "2"), ("--argument", "--x"), ("--case-limit", "50")):
            other = self.run_command(*CASES, options=["--resume", f"{option}={value}"])
            self.refused([f"a run with {option}", "now it is"], "run", *other)
        self.environment["FAKE_DEQP_VERSION"] = "0x2"
        other = self.run_command(*CASES, options=["--resume"])
        self.refused(["a run with device", "0x2"], "run", *other)
        self.assertTrue(self.journal.exists())

    def test_a_broken_journal_is_refused(self):
        for text in ("nonsense\n", "{}\n", "[]\n", "\0\xff\n", '{"identity": {}}\n'):
            self.journal.write_text(text)
            other = self.run_command("pass.one", options=["--resume"])
            with self.subTest(text):
                self.refused(["all.json.journal"], "run", *other)
        self.kill(signal.SIGKILL)
        lines = self.journal.read_text().splitlines()
        self.journal.write_text("\n".join([lines[0], "{}", *lines[1:]]) + "\n")
        other = self.run_command(*CASES, options=["--resume"])
        self.refused(["all.json.journal:2 is no line"], "run", *other)


if __name__ == "__main__":
    unittest.main()
