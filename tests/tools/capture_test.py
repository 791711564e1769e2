#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dispatches that TESSERA_CAPTURE has written run again with tessera-run, bit for bit and under checks; what cannot be
written ends capturing, and nothing else.

usage: capture_test.py RUNNER MANIFEST SEEDS KERNELS PROGRAM
PROGRAM: bench/demo.cpp.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUNNER, MANIFEST, SEEDS, KERNELS = (str(Path(argument).resolve()) for argument in sys.argv[1:5])
PROGRAM = sys.argv[5:]  # none where it is not built


class CaptureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *command, status=0, **variables):
        """What it prints."""
        environment = {**os.environ, "VK_DRIVER_FILES": MANIFEST, "TESSERA_CACHE": "off",
                       **{"TESSERA_" + name: str(value) for name, value in variables.items()}}
        process = subprocess.run(command, cwd=self.path, env=environment, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
        self.assertEqual(process.returncode, status, process.stdout)
        return process.stdout

    def captured(self):
        return sorted((self.path / "captured").glob("*"))

    def seed(self, name):
        """A seed with its bug, as a shader that nobody checks."""
        text = (Path(SEEDS) / name).read_text()
        (self.path / "seed.comp").write_text(re.sub(r"^//! (setting check|finding|expect).*\n", "", text, flags=re.M))
        return self.path / "seed.comp"

    def test_what_was_is_again(self):
        files = sorted(str(file) for folder in ("descriptor", "pointer", "untyped", "robust")
                       for file in (Path(KERNELS) / folder).glob("*.comp"))
        self.run_it(RUNNER, *files, CAPTURE="captured")
        dispatches = self.captured()
        self.assertGreater(len(dispatches), 10)
        printed = self.run_it(RUNNER, *map(str, dispatches))
        self.assertEqual(printed.count("\npassed "), len(dispatches), printed)

    def test_a_change_is_seen(self):
        self.run_it(RUNNER, str(Path(KERNELS) / "atomic" / "compare_exchange.comp"), CAPTURE="captured", CAPTURE_NUMBERS=1)
        after = next(self.captured()[0].glob("*.after.bin"))
        data = bytearray(after.read_bytes())
        data[0] ^= 1
        after.write_bytes(data)
        self.assertIn("1 of ", self.run_it(RUNNER, str(self.captured()[0]), status=1))

    def test_checks_find_what_was_captured(self):
        for name, kind in (("memory/matrix_rows.comp", "memory: matrix-bounds"),
                           ("memory/called_twice.comp", "memory: buffer-bounds"),
                           ("race/tree_reduction.comp", "race: workgroup-memory")):
            with self.subTest(name):
                self.run_it(RUNNER, "--variant", "1", str(self.seed(name)), CAPTURE=name)
                printed = self.run_it(RUNNER, "--check", name.split("/", maxsplit=1)[0],
                                      str(self.path / name / "0001"), status=1)
                self.assertIn(kind, printed)
                self.assertRegex(printed, r"at seed\.comp:\d+, in ")

    def test_some_alone(self):
        file = self.seed("memory/matrix_rows.comp")
        self.run_it(RUNNER, str(file), CAPTURE="captured", CAPTURE_NUMBERS="2-3")
        self.assertEqual([folder.name for folder in self.captured()], ["0002"])
        self.run_it(RUNNER, str(file), CAPTURE="others", CAPTURE_PIPELINE="nothing")
        self.assertFalse((self.path / "others").exists())
        self.run_it(RUNNER, str(file), CAPTURE="others", CAPTURE_PIPELINE="main")
        self.assertEqual(len(list((self.path / "others").glob("*"))), 2)

    def test_what_cannot_be_written_ends_capturing(self):
        file = self.seed("memory/matrix_rows.comp")
        (self.path / "file").write_text("")
        for text, variables in (("file/0001 cannot be made", {"CAPTURE": "file"}),
                                ("dispatch 1: it would pass TESSERA_CAPTURE_LIMIT",
                                 {"CAPTURE": "captured", "CAPTURE_LIMIT": 100})):
            printed = self.run_it(RUNNER, str(file), **variables)
            self.assertEqual(printed.count("TESSERA_CAPTURE"), text.count("TESSERA_CAPTURE") + 1, printed)
            self.assertIn(text, printed)
            self.assertIn("; no more dispatches are captured", printed)
        self.assertEqual(self.captured(), [])
        self.run_it(RUNNER, str(file), CAPTURE="captured")
        self.assertIn("is there already; take an empty folder", self.run_it(RUNNER, str(file), CAPTURE="captured"))

    def test_wrong_variables(self):
        file = str(self.seed("memory/matrix_rows.comp"))
        for value in ("0", "x", "3-2", "1-", "-1"):
            self.assertIn(f"TESSERA_CAPTURE_NUMBERS={value} is not understood",
                          self.run_it(RUNNER, file, status=1, CAPTURE="captured", CAPTURE_NUMBERS=value))

    def test_memory_that_is_taken(self):
        self.run_it(RUNNER, "--variant", "0", str(self.seed("memory/address_before_start.comp")), CAPTURE="captured")
        kernel = self.captured()[0] / "dispatch.kernel"
        kernel.write_text(re.sub(r"address 0x\w+", "address 0x10000000000000", kernel.read_text()))
        self.assertIn("no memory can be had at 0x10000000000000", self.run_it(RUNNER, str(self.captured()[0]), status=1))

    @unittest.skipIf(not PROGRAM, "the program is not built")
    def test_a_program(self):
        self.run_it(*PROGRAM, "--seconds", "0", "37", "72", "45", CAPTURE="captured", CAPTURE_NUMBERS="1-8")
        printed = self.run_it(RUNNER, *map(str, self.captured()))
        self.assertGreater(len(self.captured()), 0)
        self.assertEqual(printed.count("\npassed "), len(self.captured()), printed)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
