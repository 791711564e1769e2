#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the runner (run) with programs that print what a layer and GoogleTest would."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

RUN = Path(__file__).resolve().parent / "run"
ENABLED = "Validation Information: [ CURRENT ] |\nvkCreateInstance():\n  - Synchronization\n\n"
ERROR = "Validation Error: [ VUID-some-thing ] |\nvkCmdDispatch(): because\n\n"


class RunnerTest(unittest.TestCase):
    def run_printing(self, text, ending="", version="1.4.363"):
        with tempfile.TemporaryDirectory() as folder:
            manifest = Path(folder) / "layer.json"
            if version:
                manifest.write_text(json.dumps({"layer": {"api_version": version}}))
            program = f"print({text!r}, end='', flush=True)\n{ending}"
            process = subprocess.run(
                [sys.executable, RUN, "--layer", manifest, sys.executable, "-c", program],
                capture_output=True,
                text=True,
            )
        self.output = process.stdout
        return process.returncode

    def test_clean_program(self):
        self.assertEqual(self.run_printing(ENABLED + "[ RUN      ] A.B\n"), 0)

    def test_environment(self):
        variables = "VK_INSTANCE_LAYERS", "VK_LAYER_PATH", "VK_LAYER_SETTINGS_PATH"
        ending = f"import os\nfor v in {variables}: print(v, os.environ[v])"
        self.assertEqual(self.run_printing(ENABLED, ending), 0)
        self.assertIn("VK_INSTANCE_LAYERS VK_LAYER_KHRONOS_validation\n", self.output)
        self.assertIn("tests/validation/vk_layer_settings.txt\n", self.output)

    def test_error_is_put_down_to_its_test(self):
        text = "[ RUN      ] A.B\n" + ENABLED + "[       OK ] A.B (1 ms)\n"
        text += "[ RUN      ] A.C\n" + ERROR + "[       OK ] A.C (1 ms)\n" + ERROR
        self.assertEqual(self.run_printing(text), 1)
        self.assertIn(
            "in A.C: Validation Error: [ VUID-some-thing ] |\n  vkCmdDispatch(): because\n"
            "in no test: Validation Error:",
            self.output,
        )
        self.assertIn("2 errors of the layer", self.output)

    def test_failure_and_crash_of_the_program(self):
        self.assertEqual(self.run_printing(ENABLED, "raise SystemExit(3)"), 1)
        ending = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"
        self.assertEqual(self.run_printing(ENABLED + "[ RUN      ] A.B\n", ending), 1)
        self.assertIn("ended by SIGSEGV in A.B", self.output)

    def test_layer_that_was_not_loaded(self):
        self.assertEqual(self.run_printing("[ RUN      ] A.B\n"), 1)
        self.assertIn("did not say that it checks synchronization", self.output)
        # Somebody else's line.
        self.assertEqual(self.run_printing("  - Synchronization\n"), 1)

    def test_skips_are_counted(self):
        skip = "../a_test.cpp:7: Skipped\nunder validation: misuse of the API\n"
        self.assertEqual(self.run_printing(ENABLED + skip + skip), 0)
        self.assertIn("   2 skipped: under validation: misuse of the API\n", self.output)

    def test_without_a_layer_that_suits(self):
        self.assertEqual(self.run_printing(ENABLED, version=None), 77)
        self.assertEqual(self.run_printing(ENABLED, version="1.3.239"), 77)
        self.assertIn("before cooperative matrices", self.output)
        self.assertEqual(self.run_printing(ENABLED, version="1.3.255"), 0)


unittest.main()
