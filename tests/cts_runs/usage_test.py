#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of wrong usage, which is told in one line before anything runs, and of bad deqp-vks."""

import os
import unittest

from harness import CASE, FAKE, ProgramTest


class WrongUsageTest(ProgramTest):
    def run_refused(self, words, *arguments):
        self.environment["FAKE_DEQP_RUNS"] = str(self.folder / "begun.txt")
        with self.subTest(arguments):
            self.refused(words, "run", *arguments)
            begun = self.folder / "begun.txt"
            ran = set(begun.read_text().split()) if begun.exists() else set()
            self.assertLessEqual(ran, {"dEQP-VK.info.device"})

    def test_what_is_no_deqp(self):
        self.run_refused(["is no program", "CTS's build"], "--deqp", "/nonsense", "dEQP-VK.x")
        self.run_refused(["is no program"], "--deqp", self.folder, "dEQP-VK.x")
        for program in ("/bin/true", "/bin/cat"):
            self.run_refused(["is no deqp-vk"], "--deqp", program, "dEQP-VK.x.*")
        broken = self.write("broken", "\x7fELF nonsense")
        broken.chmod(0o755)
        self.run_refused(["broken cannot be run"], "--deqp", broken, "dEQP-VK.x")

    def test_no_driver(self):
        self.environment["FAKE_DEQP"] = "no_device"
        self.run_refused(["finds no device", "FATAL ERROR: no driver", "VK_DRIVER_FILES"],
                         "--deqp", FAKE, "dEQP-VK.x")

    def test_lists(self):
        empty = self.write("empty.txt", "# nothing\n\n")
        only_out = self.write("out.txt", "!dEQP-VK.*\n")
        for words, case in (
            (["names no case", "empty.txt"], empty),
            (["names no case"], only_out),
            (["is no file, and no pattern"], "nonsense"),
            (["is no file, and no pattern"], self.folder / "none.txt"),
            (["knows no case of dEQP-VK.nonsense.*"], "dEQP-VK.nonsense.*"),
            (["words.txt:2: expected a name"], self.write("words.txt", "dEQP-VK.x\nwords\n")),
            (["there is no list", "none.txt"], self.write("include.txt", "@none.txt\n")),
            (["includes itself"], self.write("self.txt", "@self.txt\n")),
            (["is no list of cases"], "/bin/true"),
        ):
            self.run_refused(words, "--deqp", FAKE, case)

    def test_outputs_that_cannot_be_written(self):
        self.write("file", "")
        for option in ("--json", "--record", "--junit", "--html", "--write-times",
                       "--deqp-runner-results", "--logs"):
            path = self.folder / "file" / "below.json"
            self.run_refused([str(self.folder / "file"), "cannot be written"], "--deqp", FAKE, option, path, CASE + "fail")
        self.run_refused(["directory"], "--deqp", FAKE, "--json", self.folder, CASE + "fail")

    def test_checking_leaves_no_empty_files(self):
        self.environment["FAKE_DEQP"] = "no_device"
        self.run_refused(["no device"], "--deqp", FAKE, "--json", self.folder / "a.json", CASE + "fail")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_numbers(self):
        for option, value, words in (
            ("--shard", "5/4", "expected I/N"),
            ("--shard", "x", "expected I/N"),
            ("--shard", "ci", "are not set"),
            ("--shard", "4/4", "has no case"),
            ("--jobs", "0", "1 or more"),
            ("--sample", "0", "1 or more"),
            ("--case-limit", "0", "more than 0"),
        ):
            self.run_refused([words], "--deqp", FAKE, option, value, CASE + "fail")
        self.environment.update(CI_NODE_INDEX="3", CI_NODE_TOTAL="2")
        self.run_refused(["--shard 3/2"], "--deqp", FAKE, "--shard", "ci", CASE + "fail")

    def test_resuming_needs_a_file(self):
        self.run_refused(["--json"], "--deqp", FAKE, "--resume", CASE + "fail")


class BadDeqpTest(ProgramTest):
    """The right case is blamed, and nothing is lost."""

    def test_one_that_crashes_at_once(self):
        self.environment["FAKE_DEQP"] = "crash"
        self.run_cases("pass.*", status=1)
        self.assertEqual(set(self.statuses().values()), {"Crash"})
        self.assertEqual(len(self.cases), 3)

    def test_one_that_hangs_at_once(self):
        self.environment["FAKE_DEQP"] = "hang"
        self.run_cases("pass.one", "fail", options=["--case-limit", "0.8"], status=1)
        self.assertEqual(self.statuses(), {"pass.one": "Hang", "fail": "Hang"})
        self.assertRegex(self.cases["fail"]["message"], "killed after [1-9]")

    def test_one_that_lies(self):
        self.environment["FAKE_DEQP"] = "lie"
        self.run_cases("pass.*", status=1)
        self.assertEqual(set(self.statuses().values()), {"Missing"})
        self.assertEqual(len(self.cases), 3)

    def test_one_that_tells_of_other_cases(self):
        self.environment["FAKE_DEQP"] = "babble"
        self.run_cases("pass.one", status=1)
        self.assertEqual(self.statuses(), {"pass.one": "Missing"})
        written = self.run_cases("dEQP-VK.other.pass", status=0)
        self.assertEqual((written["totals"], written["not_always_the_same"]), ({"Pass": 1}, {}))

    def test_one_that_is_gone_half_way(self):
        gone = self.write("deqp", f"#!/bin/sh\n{FAKE} \"$@\"\ncase \"$*\" in\n*/log.qpa*) "
                          f"[ -e {self.folder}/once ] && rm $0; touch {self.folder}/once;; esac\n")
        gone.chmod(0o755)
        command = self.run_command("pass.one", "pass.two", options=["--isolate", "--deqp", gone])
        self.call("run", *command, status=1)
        self.assertIn("stopped before the end: --resume goes on", self.process.stdout)
        self.assertFalse(self.read("all.json")["finished"])
        os.symlink(FAKE, gone)
        command = self.run_command("pass.one", "pass.two",
                                   options=["--isolate", "--resume", "--deqp", gone])
        self.call("run", *command, status=0)
        self.assertEqual(self.read("all.json")["totals"], {"Pass": 2})


if __name__ == "__main__":
    unittest.main()
