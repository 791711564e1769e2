#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of cts-runs/run against a deqp-vk that crashes and hangs as told (fake_deqp.py)."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
RUNS = HERE.parents[1] / "cts-runs"
FAKE = HERE / "fake_deqp.py"
sys.path.insert(0, str(RUNS))

from runner.batch import batches
from runner.case_lists import read_words, sample
from runner.case_log import CaseLog
from runner.waivers import Waivers

CASE = "dEQP-VK.fake."


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_cases(self, *cases, options=(), waivers="", status=None):
        """Runs by short names; returns the JSON, its cases by short names."""
        (self.folder / "waivers.txt").write_text(waivers)
        names = [c if "dEQP" in c or c.startswith("/") else CASE + c for c in cases]
        command = [sys.executable, RUNS / "run", "--deqp", FAKE, "--case-limit", "60"]
        command += ["--waivers", self.folder / "waivers.txt", "--json", self.folder / "all.json"]
        command += ["--record", self.folder / "record.json", *options, *names]
        self.process = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env={**os.environ, "FAKE_DEQP_STATE": str(self.folder / "seen")},
        )
        self.assertIn(self.process.returncode, (0, 1), self.process.stderr)
        if status is not None:
            self.assertEqual(self.process.returncode, status, self.process.stdout)
        written = json.loads((self.folder / "all.json").read_text())
        self.cases = {name.removeprefix(CASE): c for name, c in written["cases"].items()}
        return written

    def statuses(self):
        return {name: case["status"] for name, case in self.cases.items()}

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
        options = ["--case-limit", "2"]
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
        self.assertEqual(len(self.cases), 15)

    def test_batch_limit_gives_the_running_case_another_chance(self):
        options = ["--batch-limit", "2"]
        self.run_cases("pass.one", "hang", "victim", options=options, status=1)
        self.assertEqual(
            self.statuses(), {"pass.one": "Pass", "hang": "Hang", "victim": "Pass"}
        )

    def test_repeat_shows_what_is_not_always_the_same(self):
        written = self.run_cases("flaky", options=["--repeat", "2", "--isolate"], status=1)
        self.assertEqual(written["not_always_the_same"], {CASE + "flaky": ["Pass", "Fail"]})
        self.assertEqual(self.cases["flaky"]["status"], "Fail")

    def test_waivers(self):
        waivers = f"# none\n{CASE}fail cts-defect it is wrong\n{CASE}pass.* memory all of it\n"
        written = self.run_cases("fail", "pass.one", waivers=waivers, status=0)
        self.assertEqual([(w["kind"], w["count"]) for w in written["waived"]], [("cts-defect", 1)])
        self.assertEqual(written["unexpected_passes"], [CASE + "pass.one"])
        self.assertEqual(written["failures"], [])

    def test_a_waiver_excuses_the_failures_that_say_its_message(self):
        waivers = f'{CASE}* graphics-required "wro" no images\n'
        self.run_cases("fail", waivers=waivers, status=0)
        written = self.run_cases("fail", "crash", waivers=waivers, status=1)
        self.assertEqual([cause["cases"] for cause in written["failures"]], [[CASE + "crash"]])

    def test_lists_with_exclusions(self):
        path = self.folder / "list.txt"
        path.write_text(f"# some\n{CASE}pass.*  # three\n!{CASE}pass.t*\n{CASE}warn\n")
        self.run_cases(str(path), status=0)
        self.assertEqual(set(self.cases), {"pass.one", "warn"})

    def test_record_has_no_word_on_what_passed(self):
        self.run_cases("pass.*", "fail", status=1)
        record = json.loads((self.folder / "record.json").read_text())
        self.assertNotIn("cases", record)
        self.assertNotIn(str(self.folder), json.dumps(record))
        self.assertEqual(record["failures"][0]["message"], "wrong")

    def test_logs_of_failures(self):
        self.run_cases("fail", "pass.one", "crash", options=["--logs", self.folder / "logs"])
        names = {path.name for path in (self.folder / "logs").iterdir()}
        self.assertEqual(names, {f"{CASE}fail.xml", f"{CASE}crash.xml"})

    def test_wrong_usage(self):
        for arguments in (["--deqp", "/nonsense", "dEQP-VK.x"], ["--deqp", FAKE, "nonsense"],
                          ["--deqp", FAKE, "dEQP-VK.nonsense.*"], ["--deqp", "/bin/true", "dEQP-VK.x"]):
            process = subprocess.run(
                [sys.executable, RUNS / "run", *arguments], capture_output=True, text=True
            )
            self.assertEqual(process.returncode, 2, arguments)
            self.assertIn("run: ", process.stderr)


class PartsTest(unittest.TestCase):
    def test_a_log_in_any_pieces(self):
        text = (
            "#sessionInfo releaseName x\n#beginTestCaseResult a.b\n<Text>&lt;</Text>\n"
            '<Result StatusCode="Fail">1 &lt; 2</Result>\n#endTestCaseResult\n'
            "#beginTestCaseResult a.c\n#terminateTestCaseResult Timeout\n"
        )
        for size in (1, 7, len(text)):
            log = CaseLog()
            ended = [r for k in range(0, len(text), size) for r in log.feed(text[k : k + size])]
            self.assertEqual(
                [(r.name, r.status) for r in ended], [("a.b", "Fail"), ("a.c", "Timeout")]
            )
            self.assertEqual(ended[0].message, "1 < 2")
            self.assertIsNone(log.running)

    def test_a_long_log_is_cut_in_the_middle(self):
        log = CaseLog()
        log.feed("#beginTestCaseResult a\nfirst\n" + "x\n" * 10000 + "last\n")
        lines = log.text().split("\n")
        self.assertEqual((lines[0], lines[-1], len(lines)), ("first", "last", 4000))

    def test_batches_get_smaller_towards_the_end(self):
        names = list(range(1000))
        for jobs, most in ((1, 400), (2, 400), (16, 400), (16, 1)):
            parts = batches(names, most, jobs)
            self.assertEqual([name for part in parts for name in part], names)
            self.assertLessEqual(len(parts[0]), most)
            self.assertLessEqual(len(parts[-1]), 20 if jobs > 1 else most)

    def test_samples_are_the_same_for_a_seed(self):
        names = [str(k) for k in range(100)]
        self.assertEqual(sample(names, 10, 3), sample(names, 10, 3))
        self.assertNotEqual(sample(names, 10, 3), sample(names, 10, 4))
        self.assertEqual(sample(names, 1000, 3), names)

    def test_waivers_are_checked(self):
        for text in ("a.*", "a.* because", "a.* whim it is so"):
            with self.assertRaisesRegex(ValueError, "list:1: expected a pattern, a kind"):
                Waivers(text, "list")

    def test_the_waivers_and_lists_of_the_tree_can_be_read(self):
        Waivers((RUNS / "waivers.txt").read_text())
        for path in (RUNS / "lists").glob("*.txt"):
            words = read_words([path])
            self.assertTrue(words, path)
            for word in words:
                self.assertRegex(word, r"^!?dEQP-VK(-experimental)?\.")


if __name__ == "__main__":
    unittest.main()
