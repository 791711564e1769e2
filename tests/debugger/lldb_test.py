#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaders in lldb, which takes debug information of compiled code where it is told to.

usage: lldb_test.py RUNNER
"""

import re
import shutil
import sys
import unittest

import harness
from harness import place

RUNNER = sys.argv.pop(1)
OLDEST = 22  # that this has been tried with


def find_lldb():
    path = shutil.which(f"lldb-{OLDEST}") or shutil.which("lldb")
    if path is None:
        harness.skip("there is no lldb")
    version = int(re.search(r"version (\d+)", harness.output_of([path, "--version"]))[1])
    if version < OLDEST:
        harness.skip(f"this lldb is {version}, older than {OLDEST}")
    said = harness.output_of([path, "--no-lldbinit", "--batch", "-o", "run", "--", "/bin/true"])
    if "exited with status = 0" not in said:
        harness.skip(f"lldb cannot run a program here: {said.strip()}")
    return path


class LldbTest(unittest.TestCase):
    def session(self, file, *steps):
        """Steps are commands, or pairs of a command and a pattern of what it prints."""
        commands = ["settings set plugin.jit-loader.gdb.enable on"]
        commands += [step if isinstance(step, str) else step[0] for step in steps]
        options = [word for command in commands for word in ("-o", command)]
        said = harness.output_of([LLDB, "--no-lldbinit", "--batch", *options, "--", str(RUNNER),
                                  str(harness.FOLDER / file)], folder=harness.FOLDER)
        parts = said.split("(lldb) ")[4:]  # behind the program, its arguments and the setting
        self.assertEqual(len(parts), len(steps), said)
        for step, part in zip(steps, parts):
            if not isinstance(step, str):
                self.assertRegex(part.split("\n", maxsplit=1)[1], step[1], said)

    @staticmethod
    def breakpoint(file, text):
        name, line = place(file, text).split(":")
        return f"breakpoint set --file {name} --line {line}"

    def test_branch_function_and_lane(self):
        self.session(
            "flow.comp",
            self.breakpoint("flow.comp", "in the function"),
            ("run", r"-> \d+\s+scaled \+= float\(k\);"),
            ("bt 2", r"frame #0: .*`weight\(x=0, k=0\) at flow.comp:\d+.*\n.*frame #1: .*`main at flow.comp:\d+"),
            ("frame variable scaled", r"^\(float\) scaled = 0\n"),
            "up",
            ("frame variable i sum stage[1][63]", r"i = 0\n\(float\) sum = 0\n\(float\) stage\[1\]\[63\] = 191\n"),
            "breakpoint delete 1",
            self.breakpoint("flow.comp", "in the branch"),
            ("continue", r"-> \d+\s+sum = less;"),
            ("frame variable i sum less", r"i = 1\n\(float\) sum = 10.5\n\(float\) less = -10.5\n"),
            # Another invocation.
            ("expression tessera->lane = 4", r"= 4\n"),
            ("frame variable i less gl_GlobalInvocationID", r"i = 4\n\(float\) less = -33\n.*\(x = 4, y = 0, z = 0\)"),
            ("expression sum + 1", r"= 34\n"))

    def test_types_and_memory(self):
        self.session(
            "types.comp",
            self.breakpoint("types.comp", "all are set"),
            "run",
            "expression tessera->lane = 5",
            ("frame variable s16 u64 f16 f64 list[3] list[23]",
             r"= -305\n.* = 18000000000000000005\n.* = 5.5\n.* = 5.25\n.* = 15\n.* = 115\n"),
            ("frame variable outer.inner[1].at turn[1].z", r"\(x = 2, y = 5\)\n.* = 5\n"),
            ("frame variable halves numbers[1] points[2]", r"= 65535\)\n.* = 9\n.* = \(x = 12, y = 13, z = 14\)\n"),
            ("frame variable push.rounds push.chain->tag", r"= 3\n.* = 77\n"))

    def test_matrix_in_a_loop(self):
        self.session(
            "matrix.comp",
            self.breakpoint("matrix.comp", "the product"),
            ("run", r"-> \d+\s+sums\[0\] = coopMatMulAdd"),
            ("frame variable k ma[3][4] mb[3][4]", r"k = 0\n.* = 2\n.* = 2\n"),
            "continue",
            ("frame variable k ma[3][4] sums[0][0][0]", r"k = 16\n.* = 4\n.* = 79\n"))


if __name__ == "__main__":
    LLDB = find_lldb()
    unittest.main()
