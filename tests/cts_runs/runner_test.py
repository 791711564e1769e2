#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of cts-runs/run against a deqp-vk that crashes and hangs as told (fake_deqp.py)."""

import json
import unittest

from harness import CASE, ProgramTest


class RunTest(ProgramTest):
    def test_passes_warnings_and_reasons(self):
        written = self.run_cases("pass.*", "warn", "unsupported.*", status=0)
        self.assertEqual(written["totals"], {"Pass": 3, "NotSupported": 2, "QualityWarning": 1})
        self.assertEqual(
            written["not_supported"], {'No "quad" <subgroups>': 1, "No images": 1}
        )
        self.assertEqual(self.cases["pass.one"]["seconds"], 0.012)
        self.assertEqual(written["cts"]["releaseName"], "fake-1.0")
        self.assertEqual(written["device"]["deviceName"], "Fake Device")
        self.assertEqual(written["device"]["driverVersion"], "0x1")

    def test_failure(self):
        written = self.run_cases("fail", status=1)
        self.assertEqual(self.cases["fail"]["message"], "wrong\nin two lines")
        self.assertEqual(
            written["failures"],
            [{"status": "Fail", "message": "wrong", "count": 1, "cases": [CASE + "fail"]}],
        )

    def test_crash_is_blamed_and_the_rest_runs(self):
        self.run_cases("pass.one", "crash", "pass.two", "abort", "quit", "pass.three", status=1)
        self.assertEqual(
            self.statuses(),
            {"abort": "Crash", "crash": "Crash", "quit": "Crash"}
            | {f"pass.{n}": "Pass" for n in ("one", "two", "three")},
        )
        self.assertEqual(self.cases["crash"]["alone"], "Crash")
        self.assertEqual(
            self.cases["crash"]["message"], "ended by SIGSEGV: something bad happened"
        )
        self.assertIn("status 3", self.cases["quit"]["message"])

    def test_hang_is_killed_and_the_rest_runs(self):
        options = ["--case-limit", "1"]
        self.run_cases("pass.one", "hang", "victim", options=options, status=1)
        self.assertEqual(
            self.statuses(), {"pass.one": "Pass", "hang": "Hang", "victim": "Pass"}
        )

    def test_victim_of_an_earlier_case(self):
        self.run_cases("pass.one", "poison", "victim", status=1)
        self.assertEqual(self.cases["victim"]["status"], "Crash")
        self.assertEqual(self.cases["victim"]["alone"], "Pass")
        self.assertEqual(self.cases["victim"]["after"][-1], CASE + "poison")
        self.assertIn("it ran after " + CASE + "poison", self.process.stdout)

    def test_isolated_cases_do_not_meet(self):
        self.run_cases("poison", "victim", options=["--isolate"], status=0)

    def test_crash_between_cases(self):
        written = self.run_cases("crash_after", "dEQP-VK.other.pass", status=1)
        self.assertEqual(set(self.statuses().values()), {"Pass"})
        self.assertIn(CASE + "crash_after", written["incidents"][0])

    def test_deqp_that_stops_early_is_started_again(self):
        self.run_cases("leave_after", "flaky", status=0)
        self.assertEqual(len(self.cases), 2)

    def test_unknown_case_is_missing(self):
        self.run_cases("pass.one", "nonsense", status=1)
        self.assertEqual(self.statuses(), {"pass.one": "Pass", "nonsense": "Missing"})

    def test_batches_side_by_side(self):
        options = ["-j", "3", "--batch", "2"]
        self.run_cases("*", f"!{CASE}hang", options=options, status=1)
        self.assertEqual(len(self.cases), 16)

    def test_batch_limit_gives_the_running_case_another_chance(self):
        options = ["--batch-limit", "1"]
        self.run_cases("pass.one", "hang", "victim", options=options, status=1)
        self.assertEqual(
            self.statuses(), {"pass.one": "Pass", "hang": "Hang", "victim": "Pass"}
        )

    def test_repeat_shows_what_is_not_always_the_same(self):
        written = self.run_cases("flaky", options=["--repeat", "2", "--isolate"], status=1)
        self.assertEqual(written["not_always_the_same"], {CASE + "flaky": ["Pass", "Fail"]})
        self.assertEqual(self.cases["flaky"]["status"], "Fail")

    def test_record_has_no_word_on_what_passed(self):
        options = ["--record", self.folder / "record.json"]
        self.run_cases("pass.*", "fail", options=options, status=1)
        record = self.read("record.json")
        self.assertNotIn("cases", record)
        self.assertNotIn(str(self.folder), json.dumps(record))
        self.assertEqual(record["failures"][0]["message"], "wrong")

    def test_logs_of_failures(self):
        self.run_cases("fail", "pass.one", "crash", options=["--logs", self.folder / "logs"])
        names = {path.name for path in (self.folder / "logs").iterdir()}
        self.assertEqual(names, {f"{CASE}fail.xml", f"{CASE}crash.xml"})


if __name__ == "__main__":
    unittest.main()
