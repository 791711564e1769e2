# SPDX-License-Identifier: Apache-2.0
"""Runs the programs of cts-runs/ against a deqp-vk that crashes and hangs as told (fake_deqp.py)."""

import contextlib
import io
import json
import os
import runpy
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
RUNS = HERE.parents[1] / "cts-runs"
FAKE = HERE / "fake_deqp.py"
CASE = "dEQP-VK.fake."
sys.path.insert(0, str(RUNS))


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {
            **os.environ,
            "FAKE_DEQP_STATE": str(self.folder / "seen"),
            "TMPDIR": str(self.folder),  # of what is killed nothing stays
        }
        for name in ("VK_DRIVER_FILES", "VK_ICD_FILENAMES", "CI_NODE_INDEX", "CI_NODE_TOTAL"):
            self.environment.pop(name, None)

    def call(self, program, *arguments, status=None):
        """Runs one of the programs, in this process; its output is in self.process."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        words = [program, *map(str, arguments)]
        with mock.patch.object(sys, "argv", words), mock.patch.dict(
            os.environ, self.environment, clear=True
        ), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_path(str(RUNS / program), run_name="__main__")
            except SystemExit as ended:
                returned = ended.code or 0
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        self.process = SimpleNamespace(returncode=returned, stdout=texts[0], stderr=texts[1])
        if status is not None:
            self.assertEqual(returned, status, "".join(texts))
        return self.process

    def run_command(self, *cases, options=(), waivers="", json="all.json"):
        """Arguments of `run`, for cases by short names."""
        path = self.folder / "waivers.txt"
        path.write_text(waivers)
        names = [c if "dEQP" in c or c.startswith("/") else CASE + c for c in cases]
        return ["--deqp", FAKE, "--case-limit", "60", "--waivers", path,
                "--json", self.folder / json, *options, *names]

    def run_cases(self, *cases, options=(), waivers="", status=None, json="all.json"):
        """Runs by short names; returns the JSON, its cases by short names."""
        self.call("run", *self.run_command(*cases, options=options, waivers=waivers, json=json))
        said = self.process.stdout + self.process.stderr
        self.assertIn(self.process.returncode, (0, 1) if status is None else (status,), said)
        written = self.read(json)
        self.cases = {name.removeprefix(CASE): c for name, c in written["cases"].items()}
        return written

    def statuses(self):
        return {name: case["status"] for name, case in self.cases.items()}

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def refused(self, words, program, *arguments, status=2):
        """Expects one line that says all of `words`."""
        self.call(program, *arguments, status=status)
        said = self.process.stderr.strip()
        last = said.splitlines()[-1]  # argparse puts its usage before
        for word in words:
            self.assertIn(word, last)
        self.assertEqual(self.process.stdout, "")
