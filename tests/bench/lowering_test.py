#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the forms of gemm_bench become the functions that they are meant to: results are right
without them, too, and only slower. Argument: the path of gemm_bench."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import visible_skips

GEMM_BENCH = sys.argv.pop(1)


def has_avx512():
    return {"avx512_bf16", "avx512_vnni"} <= set(Path("/proc/cpuinfo").read_text().split())


@unittest.skipUnless(has_avx512(), "the functions are those of AVX-512 with bf16 and bytes")
class LoweringTest(unittest.TestCase):
    def kernel(self, row):
        """The assembly of the last kernel of the only row at 1024 cubed."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "TESSERA_DUMP": folder, "TESSERA_CACHE": "off",
                           "TESSERA_ISA": "avx512"}
            subprocess.run(
                [GEMM_BENCH, "--check", "--no-libraries", "--only", row, "--only",
                 "1024x1024x1024", "--only", "!avx2", "--only", "!+"],
                env=environment, check=True, stdout=subprocess.DEVNULL)
            return max(Path(folder).glob("*-assembly.s")).read_text()

    def product(self, kernel):
        product, = re.findall(r"^(tessera\.product[^:\s]*):", kernel, re.MULTILINE)
        return product

    def assertBlocksStore(self, kernel, product, row):
        """Blocks store the sums, and the runtime does where these are not one piece."""
        self.assertRegex(self.product(kernel), product + r"\.from_zero\.stored$", row)
        self.assertIn("tessera.store_tiles", kernel, row)

    def test_shared_panels_and_stores_of_blocks(self):
        for row in ("4x4 tiles f32", "4x4 tiles f16", "4x4 tiles bf16", "4x4 tiles s8",
                    "4x4 tiles f64", "1 tile f32"):
            self.assertBlocksStore(self.kernel(row), r"\.shared", row)

    def test_shared_panels_of_workgroup_matrices(self):
        for row in ("wg 128x256 f32", "wg 128x256 f16", "wg 128x256 s8"):
            self.assertBlocksStore(self.kernel(row), r"\.shared\.packed", row)

    def test_stages_that_need_no_change_are_read_in_place(self):
        for row in ("staged, K 32 f32", "staged, K 32 f64"):
            self.assertRegex(self.product(self.kernel(row)), r"^tessera\.product_in_place\.", row)

    def test_k_blocks_are_longer_than_stages(self):
        # Where bf16 is multiplied as f32, a step has twice the bytes.
        for row, steps in (("staged, K 32 bf16", r"(bf16_dot.*\.2x2\.16|f32_fma.*\.2x2\.8)"),
                           ("staged, K 32 s8", r"\.2x2\.16")):
            self.assertBlocksStore(self.kernel(row), steps, row)


if __name__ == "__main__":
    visible_skips.main()
