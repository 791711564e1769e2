#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of shards, and of merging them into one run."""

import json
import unittest

from harness import CASE, ProgramTest

from runner import shards
from runner.times import Times, read_times

CASES = ("*", f"!{CASE}hang", f"!{CASE}victim", f"!{CASE}flaky")
WAIVERS = f"{CASE}fail cts-defect it is wrong\n{CASE}pass.one memory all of it\n"


class MergeTest(ProgramTest):
    def shards(self, count, cases=CASES, **settings):
        paths = []
        for index in range(1, count + 1):
            options = ["--shard", f"{index}/{count}", *settings.get("options", ())]
            self.run_cases(*cases, options=options, waivers=WAIVERS, json=f"{index}.json")
            paths.append(self.folder / f"{index}.json")
        return paths

    def test_four_shards_make_one_run(self):
        (self.folder / "flakes.txt").write_text("quit")
        options = ["--flakes", self.folder / "flakes.txt"]
        paths = self.shards(4, options=options)
        whole = self.run_cases(*CASES, options=options, waivers=WAIVERS, json="whole.json")
        # In any order.
        self.call("merge", *reversed(paths), "--json", self.folder / "merged.json",
                  "--record", self.folder / "record.json", "--html", self.folder / "a.html",
                  "--junit", self.folder / "a.xml", status=1)
        merged = self.read("merged.json")
        record = self.read("record.json")
        for key in whole:
            if key not in ("seconds", "cases", "date"):
                self.assertEqual(merged[key], whole[key], key)
                self.assertEqual(record[key], whole[key], key)
        for cases in (merged["cases"], whole["cases"]):
            for case in cases.values():
                for key in ("alone", "after"):  # as what ran before in the same process
                    case.pop(key, None)
                case["seconds"] = round(case["seconds"])
        self.assertEqual(merged["cases"], whole["cases"])

    def test_gitlabs_variables(self):
        self.environment.update(CI_NODE_INDEX="2", CI_NODE_TOTAL="2")
        written = self.run_cases("pass.*", options=["--shard", "ci"], status=0)
        self.assertEqual((written["shard"]["index"], written["shard"]["cases"]), (2, 3))

    def test_missing_shards_are_named(self):
        one, two, three = self.shards(3, cases=("pass.*",))
        self.refused(["shards are missing: 2/3"], "merge", one, three, status=1)

    def test_a_shard_twice_is_refused(self):
        one, two = self.shards(2, cases=("pass.*",))
        again = self.write("again.json", one.read_text())
        self.refused([f"{again} and {one} both have {CASE}"], "merge", one, two, again)

    def test_shards_by_other_times_are_refused(self):
        cases = ("pass.*", "warn", "unsupported.images")
        one, two = self.shards(2, cases=cases)
        times = {"seconds_per_case": {CASE + "pass": 0.1, CASE[:-1]: 9.0, CASE + "unsupported": 0.1}}
        options = ["--times", self.write("times.json", json.dumps(times))]
        for index, beside, words in ((1, two, "the 2 shards have 3 cases, and their list has 5"),
                                     (2, one, "both have")):
            shard = ["--shard", f"{index}/2"]
            self.run_cases(*cases, options=[*options, *shard], json="other.json")
            self.refused([words], "merge", beside, self.folder / "other.json")

    def test_another_driver_is_refused(self):
        one, two = self.shards(2, cases=("pass.*",))
        self.environment["FAKE_DEQP_VERSION"] = "0x2"
        self.run_cases("pass.*", options=["--shard", "2/2"], json="2.json")
        self.refused(["another driver", "driverVersion 0x2 and 0x1"], "merge", one, two)

    def test_another_build_or_cts_is_refused(self):
        one, two = self.shards(2, cases=("pass.*",))
        for key, value, words in (
            ("drivers", [{"library": "x.so", "build_id": "12"}], "another driver"),
            ("cts", {"releaseName": "fake-2.0", "releaseId": "0x2a"}, "another CTS"),
        ):
            self.write("changed.json", json.dumps({**json.loads(two.read_text()), key: value}))
            self.refused([words], "merge", one, self.folder / "changed.json")

    def test_what_is_no_run_is_refused(self):
        for text, words in (("[]", "no record"), ("x", "no JSON"), ("{}", "no record")):
            self.refused([words], "merge", self.write("x.json", text))
        self.refused(["cannot be read"], "merge", self.folder / "none.json")
        options = ["--record", self.folder / "record.json"]
        self.run_cases("pass.one", options=options)
        self.refused(["not --record"], "merge", self.folder / "record.json")

    def test_different_lists_make_one_run_too(self):
        self.run_cases("pass.one", json="1.json")
        self.run_cases("pass.two", json="2.json")
        self.call("merge", self.folder / "1.json", self.folder / "2.json",
                  "--json", self.folder / "all.json", status=0)
        self.assertEqual(self.read("all.json")["totals"], {"Pass": 2})

    def test_a_shard_that_was_stopped_is_not_forgotten(self):
        one, two = self.shards(2, cases=("pass.*",))
        content = json.loads(one.read_text())
        self.write("1.json", json.dumps({**content, "finished": False}))
        self.call("merge", one, two, status=1)
        self.assertIn("stopped before its end", self.process.stdout)


class DivisionTest(unittest.TestCase):
    NAMES = [f"a.b{k % 7}.c.d.{k}" for k in range(1000)]

    def test_each_case_is_in_one_part(self):
        for times in (Times(), Times(groups={"a.b3.c.d": 50.0}), Times(cases={self.NAMES[5]: 9.0})):
            for count in (1, 2, 7, 1000):
                parts = shards.divide(self.NAMES, count, times)
                self.assertEqual(len(parts), count)
                self.assertEqual(sorted(n for part in parts for n in part), sorted(self.NAMES))
                self.assertEqual(parts, shards.divide(self.NAMES, count, times))
                for part in parts:
                    self.assertEqual(part, sorted(part, key=self.NAMES.index))

    def test_parts_take_the_same_time(self):
        times = Times(groups={"a.b3.c.d": 50.0, "a.b4.c.d": 1.0})
        sums = [times.sum(part) for part in shards.divide(self.NAMES, 8, times)]
        self.assertLess(max(sums) - min(sums), 50.0)

    def test_numbers_are_checked(self):
        self.assertEqual(shards.parse("2/4"), (2, 4))
        for text in ("0/4", "5/4", "1", "/", "a/b", "1/0", "-1/2", "1/2/3", ""):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "expected I/N"):
                shards.parse(text)


class TimesTest(ProgramTest):
    def test_a_case_has_its_own_time_or_its_groups(self):
        times = Times(cases={"a.b.c.d.e": 1.0, "a.b.c.d.f": 3.0}, groups={"a.x": 7.0})
        self.assertEqual(times.of("a.b.c.d.e"), 1.0)
        self.assertEqual(times.of("a.b.c.d.g"), 2.0)
        self.assertEqual(times.of("a.x.y"), 7.0)
        self.assertEqual(times.of("a.x.y.z.w.v"), 7.0)
        self.assertEqual(times.of("other.z"), 4.5)

    def test_what_a_run_writes_is_read(self):
        options = ["--write-times", self.folder / "times.json"]
        self.run_cases("pass.*", "fail", options=options)
        for name in ("all.json", "times.json"):
            times = read_times(self.folder / name)
            self.assertEqual(times.of(CASE + "pass.one"), 0.012, name)
        options = ["--times", self.folder / "times.json"]
        self.run_cases("pass.*", options=options)
        self.assertIn("3 cases, about 0 s by earlier times", self.process.stderr)

    def test_what_is_known_of_other_groups_stays(self):
        path = self.write("times.json", '{"seconds_per_case": {"dEQP-VK.x": 3.0, "dEQP-VK.fake": 9.0}}')
        self.run_cases("warn", options=["--write-times", path])
        self.assertEqual(self.read("times.json")["seconds_per_case"],
                         {"dEQP-VK.fake": 0.012, "dEQP-VK.x": 3.0})

    def test_others_are_refused(self):
        for text in ("x", "{}", "[]", '{"cases": {"a": {}}}'):
            path = self.write("times.json", text)
            self.refused(["has no times"], "run", *self.run_command("pass.one", options=["--times", path]))


if __name__ == "__main__":
    unittest.main()
