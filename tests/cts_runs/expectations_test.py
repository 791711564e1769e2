#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what a run expects: waivers, and deqp-runner's baselines, flakes and skips."""

import unittest

from harness import CASE, ProgramTest

from runner.waivers import Waivers


class WaiversTest(ProgramTest):
    def test_a_waived_failure_is_expected(self):
        waivers = f"# none\n{CASE}fail cts-defect it is wrong\n{CASE}pass.* memory all of it\n"
        written = self.run_cases("fail", waivers=waivers, status=0)
        self.assertEqual([(w["kind"], w["count"]) for w in written["waived"]], [("cts-defect", 1)])
        self.assertEqual(written["failures"], [])

    def test_a_waived_case_that_passes_is_not(self):
        written = self.run_cases("pass.one", waivers=f"{CASE}pass.* memory all of it\n", status=1)
        self.assertEqual(written["unexpected_passes"], [CASE + "pass.one"])
        self.assertIn(f"unexpected Pass (memory)  {CASE}pass.one", self.process.stdout)

    def test_one_that_passes_sometimes_may(self):
        waivers = f'{CASE}pass.* cts-defect sometimes "ended by SIG" chance\n'
        written = self.run_cases("pass.one", waivers=waivers, status=0)
        self.assertEqual(written["unexpected_passes"], [])

    def test_a_waiver_excuses_the_failures_that_say_its_message(self):
        waivers = f'{CASE}* graphics-required sometimes "wro" no images\n'
        self.run_cases("fail", waivers=waivers, status=0)
        written = self.run_cases("fail", "crash", waivers=waivers, status=1)
        self.assertEqual([cause["cases"] for cause in written["failures"]], [[CASE + "crash"]])

    def test_a_case_that_may_end_its_process_harms_no_other(self):
        waivers = f'{CASE}poison cts-defect sometimes "ended by SIG" writes anywhere\n'
        self.run_cases("poison", "victim", waivers=waivers, status=0)

    def test_its_end_between_cases_is_waived_too(self):
        waivers = f'{CASE}crash_after cts-defect sometimes "ended by SIG" writes anywhere\n'
        written = self.run_cases("crash_after", waivers=waivers, status=0)
        self.assertEqual(written["incidents"], [])
        self.assertIn(CASE + "crash_after", written["waived_incidents"][0])

    def test_waivers_are_checked(self):
        for text in ("a.*", "a.* because", "a.* whim it is so", "a.* memory sometimes"):
            with self.subTest(text), self.assertRaisesRegex(
                ValueError, "list:1: expected a pattern, a kind"
            ):
                Waivers(text, "list")


class DeqpRunnersFilesTest(ProgramTest):
    def baseline(self, text):
        return ["--baseline", self.write("fails.txt", text)]

    def test_a_failure_of_the_baseline_is_expected(self):
        text = f"# known\n{CASE}fail,Fail\n\n{CASE}crash,Crash,1.5\n"
        written = self.run_cases("fail", "crash", options=self.baseline(text), status=0)
        self.assertEqual([w["reason"] for w in written["waived"]],
                         ["the baseline has Crash", "the baseline has Fail"])

    def test_a_crash_where_it_fails_is_not(self):
        self.run_cases("crash", options=self.baseline(f"{CASE}crash,Fail\n"), status=1)

    def test_what_does_better_than_the_baseline_is_unexpected(self):
        text = f"{CASE}pass.one,Fail\n{CASE}fail,Crash\n{CASE}unsupported.images,Timeout\n"
        options = self.baseline(text)
        written = self.run_cases("pass.one", "fail", "unsupported.images", options=options, status=1)
        self.assertEqual(len(written["unexpected_passes"]), 3)
        self.assertEqual(written["failures"], [])

    def test_flakes_may_fail_and_are_said(self):
        options = ["--flakes", self.write("flakes.txt", "# these\nfake\\.fa.l$\n")]
        written = self.run_cases("fail", "pass.one", options=options, status=0)
        self.assertEqual(written["flakes"], {CASE + "fail": "Fail"})
        self.assertIn(f"flake  {CASE}fail", self.process.stdout)

    def test_skips_are_left_out(self):
        options = ["--skips", self.write("skips.txt", "pass\\.t.*\n")]
        written = self.run_cases("pass.*", options=options, status=0)
        self.assertEqual((set(self.cases), written["skips"]), ({"pass.one"}, 2))

    def test_results_are_written(self):
        waivers = f"{CASE}fail cts-defect it is wrong\n{CASE}warn memory all of it\n"
        options = ["--deqp-runner-results", self.folder / "out",
                   "--flakes", self.write("flakes.txt", "quit")]
        self.run_cases("fail", "pass.one", "crash", "unsupported.images", "warn", "quit", "unknown",
                       options=options, waivers=waivers, status=1)
        lines = (self.folder / "out/results.csv").read_text().splitlines()
        found = {name: status for name, status, seconds in (line.split(",") for line in lines)}
        self.assertEqual({name.removeprefix(CASE): status for name, status in found.items()}, {
            "crash": "Crash", "fail": "ExpectedFail", "pass.one": "Pass", "quit": "Flake",
            "unknown": "Missing", "unsupported.images": "Skip",
            "warn": "UnexpectedImprovement(Warn)",
        })
        self.assertEqual(
            (self.folder / "out/failures.csv").read_text().splitlines(),
            [f"{CASE}crash,Crash", f"{CASE}unknown,Missing",
             f"{CASE}warn,UnexpectedImprovement(Warn)"],
        )
        self.assertIn(f"{CASE}pass.one,Pass,0.012", lines)

    def test_files_that_are_none_are_refused(self):
        for option, text, words in (
            ("--baseline", "name", "expected name,Status"),
            ("--baseline", "name,Great", "expected name,Status"),
            ("--baseline", "a,Fail\na,Fail", "twice"),
            ("--flakes", "a\n(", "flakes.txt:2: no regular expression"),
            ("--skips", "*", "skips.txt:1: no regular expression"),
        ):
            path = self.write(option[2:] + ".txt", text)
            with self.subTest(text):
                self.refused([words], "run", *self.run_command("pass.one", options=[option, path]))


if __name__ == "__main__":
    unittest.main()
