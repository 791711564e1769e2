#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of how bench/explain samples a command, on programs that run code without a file."""

import os
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import visible_skips
from reports.sampler import SamplingError, sample

# Counts down in anonymous memory: mov eax, N; 1: dec eax; jnz 1b; ret.
CODE = bytes.fromhex("b800000030ffc875fcc3")
PROGRAM = f"""
import ctypes, mmap, subprocess, sys
memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS,
                   prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
memory.write({CODE!r})
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()
sys.exit(5)
"""


class SampleTest(unittest.TestCase):
    def sample(self, program):
        try:
            return sample([sys.executable, "-c", program], dict(os.environ))
        except SamplingError as error:
            self.skipTest(str(error))

    def check(self, program):
        status, samples = self.sample(program)
        self.assertEqual(status, 5)
        self.assertGreater(samples.files["kernels"], 20)
        (first, memory, addresses), = samples.code
        self.assertEqual(memory[:len(CODE)], CODE)
        # In the loop's two instructions.
        self.assertLessEqual({address - first for address in addresses}, {5, 7})
        self.assertEqual(sum(addresses.values()), samples.files["kernels"])

    def test_code_without_a_file(self):
        self.check(PROGRAM)

    def test_processes_that_the_command_starts(self):
        self.check(f"import subprocess, sys\n"
                   f"sys.exit(subprocess.call([sys.executable, '-c', {PROGRAM!r}]))")


if __name__ == "__main__":
    visible_skips.main()
