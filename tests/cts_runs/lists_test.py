#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of lists of cases."""

import unittest

from harness import CASE, RUNS, ProgramTest

from runner.case_lists import CaseList, group_of, read_words, sample
from runner.times import read_times
from runner.waivers import Waivers


class ListsTest(ProgramTest):
    def cases_of(self, *words, options=()):
        self.call("run", *self.run_command(*map(str, words), options=[*options, "--list"]), status=0)
        return [name.removeprefix(CASE) for name in self.process.stdout.split()]

    def test_exclusions(self):
        path = self.write("list.txt", f"# some\n{CASE}pass.*  # three\n!{CASE}pass.t*\n{CASE}warn\n")
        self.assertEqual(set(self.cases_of(path)), {"pass.one", "warn"})

    def test_they_hold_for_their_list_alone(self):
        one = self.write("one.txt", f"{CASE}pass.*\n!{CASE}pass.t*\n")
        two = self.write("two.txt", f"{CASE}pass.two\n")
        self.assertEqual(self.cases_of(one, two), ["pass.one", "pass.two"])
        self.assertEqual(self.cases_of(one, two, f"!{CASE}pass.t*"), ["pass.one"])

    def test_a_list_includes_others(self):
        self.write("one.txt", f"{CASE}pass.*\n")
        self.write("two.txt", f"{CASE}warn\n@one.txt\n")
        path = self.write("all.txt", f"@one.txt\n@two.txt  # it has one.txt, too\n!{CASE}pass.one\n")
        self.assertEqual(self.cases_of(path), ["pass.two", "pass.three", "warn"])

    def test_or_a_sample_of_another(self):
        self.write("one.txt", f"{CASE}*\n")
        path = self.write("some.txt", "@one.txt 4\n")
        found = self.cases_of(path)
        self.assertEqual(len(found), 4)
        self.assertEqual(found, self.cases_of(path))
        self.assertNotEqual(found, self.cases_of(path, options=["--seed", "2"]))

    def test_a_list_of_which_deqp_vk_has_nothing_is_said(self):
        self.write("none.txt", "dEQP-VK.none.*\n")
        path = self.write("all.txt", f"@none.txt\n{CASE}pass.one\n")
        written = self.run_cases(str(path), status=0)
        self.assertEqual(written["absent_lists"], ["none.txt"])
        self.assertIn("has no case of none.txt", self.process.stderr)

    def test_samples_are_the_same_for_a_seed(self):
        names = [str(k) for k in range(100)]
        self.assertEqual(sample(names, 10, 3), sample(names, 10, 3))
        self.assertNotEqual(sample(names, 10, 3), sample(names, 10, 4))
        self.assertEqual(sample(names, 1000, 3), names)

    def test_groups(self):
        self.assertEqual(group_of("dEQP-VK.a.b.c.d.e"), "dEQP-VK.a.b.c")
        self.assertEqual(group_of("dEQP-VK.info.device"), "dEQP-VK.info")
        self.assertEqual(group_of("x"), "x")

    def test_what_is_in_the_tree_can_be_read(self):
        Waivers((RUNS / "waivers.txt").read_text())
        self.assertTrue(read_times(RUNS / "times.json"))
        lists = {path.name for path in (RUNS / "lists").glob("*.txt")}
        for name in sorted(lists):
            words = list(read_words([RUNS / "lists" / name]).all_words())
            self.assertTrue(words, name)
            for word in words:
                self.assertRegex(word, r"^!?dEQP-VK(-experimental)?\.")
        for name in ("all-compute.txt", "smoke.txt"):  # neither forgets a list
            self.assertEqual(included(read_words([RUNS / "lists" / name])), lists - {
                "all-compute.txt", "all-matrices.txt", "smoke.txt"
            }, name)


def included(listed):
    """Names of the lists of which one has cases, and not other lists."""
    inner = [word for word in listed.words if isinstance(word, CaseList)]
    return set().union(*map(included, inner)) if inner else {listed.name}


if __name__ == "__main__":
    unittest.main()
