#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of parts of cts-runs/run by themselves."""

import json
import os
import struct
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import harness  # it says where the parts are

from runner import build_id, record
from runner.batch import batches
from runner.case_log import CaseLog


class LogTest(unittest.TestCase):
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


class BatchesTest(unittest.TestCase):
    def test_they_get_smaller_towards_the_end(self):
        names = list(range(1000))
        for jobs, most in ((1, 400), (2, 400), (16, 400), (16, 1)):
            parts = batches(names, most, jobs)
            self.assertEqual([name for part in parts for name in part], names)
            self.assertLessEqual(len(parts[0]), most)
            self.assertLessEqual(len(parts[-1]), 20 if jobs > 1 else most)


class RecordTest(unittest.TestCase):
    def test_a_command_without_this_machines_folders(self):
        words = ["--deqp", "/a/b/deqp-vk", "-j", "2", "--json", "/c/d.json", "--record=e.json",
                 "--resume", "--against", "x", "--argument=--z=/q/y", "dEQP-VK.a.*"]
        with mock.patch.dict(os.environ, {"TESSERA_THREADS": "1"}, clear=True):
            self.assertEqual(
                record.command_line("cts-runs/run", words),
                "TESSERA_THREADS=1 cts-runs/run --deqp deqp-vk -j 2 --argument=--z=y 'dEQP-VK.a.*'",
            )


def elf(notes):
    """The least of an ELF file that has these notes."""
    start = 64 + 56
    header = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64)
    header = header.ljust(54, b"\0") + struct.pack("<HH", 56, 1)
    segment = struct.pack("<IIQQQQQQ", 4, 4, start, 0, 0, len(notes), len(notes), 4)
    return header.ljust(64, b"\0") + segment + notes


class BuildIdTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        other = struct.pack("<III", 4, 5, 1) + b"XYZ\0" + b"hello\0\0\0"
        note = struct.pack("<III", 4, 6, 3) + b"GNU\0" + bytes.fromhex("0123456789ab") + b"\0\0"
        (self.folder / "libx.so").write_bytes(elf(other + note))
        manifest = {"ICD": {"library_path": "./libx.so"}}
        (self.folder / "x.json").write_text(json.dumps(manifest))

    def drivers(self, **environment):
        with mock.patch.dict(os.environ, environment, clear=True):
            return build_id.drivers()

    def test_the_driver_that_the_environment_names(self):
        expected = [{"library": "libx.so", "build_id": "0123456789ab"}]
        manifest = str(self.folder / "x.json")
        self.assertEqual(self.drivers(VK_DRIVER_FILES=manifest), expected)
        self.assertEqual(self.drivers(VK_ICD_FILENAMES=manifest), expected)
        self.assertEqual(self.drivers(VK_DRIVER_FILES=str(self.folder)), expected)
        self.assertEqual(self.drivers(VK_DRIVER_FILES=f"{manifest}:/none.json"), expected)

    def test_what_is_no_driver_has_none(self):
        self.assertEqual(self.drivers(), [])
        self.assertEqual(self.drivers(VK_DRIVER_FILES="/none.json"), [])
        (self.folder / "x.json").write_text('{"ICD": {"library_path": "libbare.so"}}')
        self.assertEqual(self.drivers(VK_DRIVER_FILES=str(self.folder / "x.json")),
                         [{"library": "libbare.so", "build_id": ""}])
        for content in (b"", b"\x7fELF\x02\x01", b"text", elf(b"\xff" * 30)):
            path = self.folder / "libx.so"
            path.write_bytes(content)
            self.assertEqual(build_id.build_id(path), "")


if __name__ == "__main__":
    unittest.main()
