#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the code that kernel files become: results are right in other code, too, and only slower. Arguments: the
paths of tessera-run and of the folder of kernel files."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import visible_skips

RUN, KERNELS = sys.argv.pop(1), Path(sys.argv.pop(1))
# Registers of what both rows of super_blocks.comp are multiplied by, 16 floats of each of 32 invocations: it is read
# once, and kept on the stack.
SHARED = 32
PROCESSOR = set(Path("/proc/cpuinfo").read_text().split())


class LoweringTest(unittest.TestCase):
    def dump(self, isa, file, variant):
        """The assembly and the remarks of a file's last kernel."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TESSERA_DUMP": folder, "TESSERA_CACHE": "off", "TESSERA_ISA": isa}
            subprocess.run([RUN, "--variant", variant, KERNELS / file], env=environment, check=True,
                           stdout=subprocess.DEVNULL)
            assembly, remarks = (max(Path(folder).glob(f"*-{kind}")) for kind in ("assembly.s", "remarks.txt"))
            self.optimized = max(Path(folder).glob("*-promoted.ll")).read_text()
            return assembly.read_text(), remarks.read_text()

    def variants(self, file):
        listed = subprocess.run([RUN, "--list", KERNELS / file], check=True, capture_output=True, text=True).stdout
        return re.findall(r"\.comp:(\w+)", listed)

    def super_blocks(self, isa):
        return [self.dump(isa, "spelling/super_blocks.comp", variant) for variant in ("uint_pushed", "int_pushed")]

    @unittest.skipUnless("avx2" in PROCESSOR, "what is announced are vectors of AVX2")
    def test_rows_of_the_next_workgroup_are_announced(self):
        for assembly, _ in self.super_blocks("avx2"):
            self.assertIn("prefetcht1", assembly)

    @unittest.skipUnless({"avx512bw", "avx512vl"} <= PROCESSOR, "without AVX-512 registers are too few for any order")
    def test_what_is_unpacked_stays_in_registers(self):
        for assembly, remarks in self.super_blocks("avx512"):
            self.assertIn("%zmm", assembly)
            stored = re.findall(r"^\s+vmov\S+\s+%zmm\d+, -?\d*\(%r[sb]p\)", assembly, re.MULTILINE)
            self.assertLessEqual(len(stored) - SHARED, 8, "before there was an order: 38")
            written = re.findall(r"^spill: .* it writes (\d+) of them", remarks, re.MULTILINE)
            self.assertLessEqual(sum(map(int, written)) - SHARED, 8, "before there was an order: 40")

    @unittest.skipUnless("avx2" in PROCESSOR, "the reference code multiplies byte by byte")
    def test_words_that_invocations_shift_are_multiplied_as_they_lie(self):
        for variant in self.variants("spelling/shifted_words.comp"):
            with self.subTest(variant):
                self.dump("avx2", "spelling/shifted_words.comp", variant)
                self.assertRegex(self.optimized, r"lshr <128 x i32> %\d+, <i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0,"
                                                 r" i32 0, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 0,")


if __name__ == "__main__":
    visible_skips.main()
