# SPDX-License-Identifier: Apache-2.0
"""What tests of gdb with the extension have in common. The program's first argument is tessera-run."""

import re
import sys
import unittest

import harness

RUNNER = sys.argv.pop(1)


class SessionTest(unittest.TestCase):
    maxDiff = None

    def session(self, file, *steps, **more):
        """Steps are commands, or pairs of a command and what it must print: a text that is in it, or a pattern."""
        commands = [step if isinstance(step, str) else step[0] for step in steps]
        printed = harness.gdb_session(RUNNER, file, commands, **more)
        for step, text in zip(steps, printed):
            if isinstance(step, str):
                continue
            said = "\n".join(f"(gdb) {c}\n{p}" for c, p in zip(commands, printed))
            if isinstance(step[1], str):
                self.assertIn(step[1], text, f"{step[0]}\n{said}")
            else:
                self.assertRegex(text, step[1], f"{step[0]}\n{said}")
        return printed

    def values(self, *pairs):
        """Steps that print expressions, with their values."""
        return [(f"output {expression}", re.compile(rf"^{re.escape(str(value))}$")) for expression, value in pairs]


def main():
    harness.gdb()
    unittest.main()
