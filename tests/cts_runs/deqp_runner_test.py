#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of deqp-runner as the engine of a run, with one that answers as told (fake_deqp_runner.py)."""

import os
import unittest

from harness import CASE, FAKE, HERE, ProgramTest

ENGINE = ["--engine", "deqp-runner", "-j", "3"]


class DeqpRunnerTest(ProgramTest):
    def setUp(self):
        super().setUp()
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "deqp-runner").symlink_to(HERE / "fake_deqp_runner.py")
        self.environment["PATH"] = f"{tools}:{os.environ['PATH']}"

    def test_its_statuses_become_ours(self):
        names = ("pass.one", "fail", "crash", "hang", "flaky", "warn", "unsupported.images",
                 "poison", "quit", "abort", "victim")
        written = self.run_cases(*names, options=ENGINE, status=1)
        self.assertEqual(self.statuses(), {
            "pass.one": "Pass", "fail": "InternalError", "crash": "Crash", "hang": "Hang",
            "flaky": "Flake", "warn": "QualityWarning", "unsupported.images": "NotSupported",
            "poison": "Missing", "quit": "Fail", "abort": "Flake", "victim": "Pass",
        })
        self.assertEqual(self.cases["fail"]["message"], "wrong")  # from the log that it kept
        self.assertEqual(self.cases["pass.one"]["seconds"], 0.25)
        self.assertEqual(sorted(written["flakes"]), [CASE + "abort", CASE + "flaky"])

    def test_it_is_called_as_it_wants(self):
        self.run_cases("pass.one", options=[*ENGINE, "--argument=--x"], status=0)
        called = self.read("seen")
        self.assertEqual(called[0], "run")
        for option, value in (("--deqp", str(FAKE)), ("--jobs", "3"), ("--timeout", "60.0")):
            self.assertEqual(called[called.index(option) + 1], value)
        self.assertIn("--x", called[called.index("--") :])

    def test_its_failure_is_said(self):
        self.environment["FAKE_DEQP_RUNNER"] = "fail"
        written = self.run_cases("pass.one", options=ENGINE, status=1)
        self.assertFalse(written["finished"])
        self.assertIn("ended with status 3", self.process.stderr)

    def test_where_it_is_not_installed(self):
        self.environment["PATH"] = str(self.folder)
        self.refused(["there is no deqp-runner"], "run", *self.run_command("pass.one", options=ENGINE))

    def test_what_it_cannot_do_is_refused(self):
        for option in (["--resume"], ["--repeat", "2"]):
            command = self.run_command("pass.one", options=[*ENGINE, *option])
            self.refused(["our own engine"], "run", *command)


if __name__ == "__main__":
    unittest.main()
