#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/report: verdicts, comparison beyond the noise, the plot."""

import json
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.dont_write_bytecode = True
BENCH = Path(__file__).resolve().parents[2] / "bench"


def product(size, value, **more):
    return {"name": f"4x4 tiles f32 {size}", "form": "4x4 tiles", "type": "f32", "size": size,
            "value": value, "unit": "of peak", "noise": 0.01, **more}


class ReportTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, rows, **more):
        path = self.folder / name
        path.write_text(json.dumps({"program": "gemm_bench", "rows": rows, **more}))
        return path

    def report(self, *arguments, status=0):
        done = subprocess.run([sys.executable, BENCH / "report", *arguments], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def line(self, text, start):
        return next(line for line in text.splitlines() if line.startswith(start))

    def test_verdicts(self):
        record = self.write("a.json", [
            product("1024x1024x1024", 0.9, target=0.88, held=0.9, met=True,
                    peers={"oneDNN": {"value": 0.95}}),
            product("4096x4096x4096", 0.7, target=0.82, held=0.7, met=False),
            product("2048x2048x2048", 0.7),
            {"name": "wrong one", "wrong": "largest error 5"},
            {"name": "absent one", "missing": "no matrices of f64"},
        ], threads=2, scaling=1.9, scaling_target=1.93)
        text = self.report(record)
        self.assertRegex(self.line(text, "4x4 tiles f32 1024"), r"met +oneDNN 0.950$")
        self.assertIn("MISSED", self.line(text, "4x4 tiles f32 4096"))
        self.assertNotIn("2048", text)
        self.assertRegex(self.line(text, "wrong one"), "WRONG +largest error 5")
        self.assertRegex(self.line(text, "absent one"), "not run +no matrices of f64")
        self.assertIn("MISSED", self.line(text, "2 cores against 1"))
        self.assertIn("1 of 5 targets met, 1 WRONG, 1 not run", text)

    def test_comparison_tells_what_exceeds_the_noise(self):
        def latency(value):
            return {"name": "barrier", "value": value, "held": value, "unit": "ns",
                    "at_most": True, "target": 40, "noise": 0.05}

        old = self.write("old.json", [product("1x1x1", 0.80, peers={"oneDNN": {"value": 0.5}}),
                                      product("2x2x2", 0.80),
                                      product("3x3x3", 0.80), latency(50)])
        new = self.write("new.json", [product("1x1x1", 0.81, peers={"oneDNN": {"value": 0.55}}),
                                      product("2x2x2", 0.70),
                                      product("4x4x4", 0.80), latency(30)])
        text = self.report(new, "--compare", old)
        self.assertRegex(text, r"4x4 tiles f32 1x1x1 +0.800 +0.810 +1.012 +0.920\n")
        self.assertRegex(text, r"4x4 tiles f32 2x2x2 +0.800 +0.700 +0.875 +WORSE\n")
        self.assertRegex(text, r"barrier +50.000 +30.000 +1.667 +better\n")
        self.assertIn("3 rows in both: 1 better, 1 worse", text)
        self.assertIn("1 rows of the earlier record were not measured again", text)

    def test_a_busy_machine_is_told(self):
        quiet = self.write("quiet.json", [product("1x1x1", 0.8)], load=0.5)
        busy = self.write("busy.json", [product("1x1x1", 0.8)], load=4.2)
        self.assertNotIn("load average", self.report(quiet))
        self.assertIn("load average up to 4.2", self.report(busy))
        self.assertIn("load average up to 4.2", self.report(quiet, "--compare", busy))

    def test_plot(self):
        record = self.write("a.json", [
            product("512x512x512", 0.8, peers={"<peer>": {"value": 0.5}}),
            product("1000x1016x1040", 0.9), product("1024x1024x1024", 1.1)])
        self.report(record, "--svg", self.folder / "a.svg")
        root = xml.parse(self.folder / "a.svg").getroot()
        names = {"svg": "http://www.w3.org/2000/svg"}
        texts = [text.text for text in root.findall("svg:text", names)]
        for expected in ("512", "1000x1016x1040", "1024", "4x4 tiles", "<peer>"):
            self.assertIn(expected, texts)
        lines = [line.get("points").split() for line in root.findall("svg:polyline", names)]
        self.assertEqual(sorted(len(points) for points in lines), [1, 3])
        # The larger the share, the higher.
        heights = [float(p.split(",")[1]) for p in max(lines, key=len)]
        self.assertEqual(heights, sorted(heights, reverse=True))

    def test_what_is_no_record(self):
        (self.folder / "a.json").write_text("{")
        self.assertIn("bench/report:", self.report(self.folder / "a.json", status=2))
        self.assertIn("bench/report:", self.report(self.folder / "none.json", status=2))


if __name__ == "__main__":
    unittest.main()
