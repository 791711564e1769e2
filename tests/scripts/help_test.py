# SPDX-License-Identifier: Apache-2.0
"""Each script of the tree tells with --help what it is for, and does nothing else."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["scripts", "bench", "cts-runs", "packaging", "tools", "tests/validation"]

# Programs that change something, or are started to do so: what calls one of them leaves a trace.
TOUCHING = ["apt-get", "cargo", "clang-format", "clang-format-22", "clang-tidy-22", "cmake", "ctest", "curl",
            "dpkg", "git", "mkdir", "ninja", "rm", "sudo", "touch", "wget"]


def scripts():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).iterdir()):
            if path.is_file() and (path.suffix == ".py" or os.access(path, os.X_OK)):
                yield path
    yield ROOT / ".ci/run"


class HelpTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.home = Path(self.folder.name) / "home"
        self.home.mkdir()
        programs = Path(self.folder.name) / "bin"
        programs.mkdir()
        self.trace = Path(self.folder.name) / "trace"
        for name in TOUCHING:
            (programs / name).write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.trace}"\n')
            (programs / name).chmod(0o755)
        self.environment = dict(os.environ, HOME=str(self.home), XDG_CACHE_HOME=str(self.home),
                                PATH=f"{programs}:{os.environ['PATH']}", PYTHONDONTWRITEBYTECODE="1")

    def run_script(self, path, *arguments):
        command = [sys.executable, path] if path.suffix == ".py" else [path]
        return subprocess.run([*command, *arguments], cwd=self.home, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)

    def touched(self):
        return self.trace.read_text() if self.trace.exists() else ""

    def test_says_what_it_is_for_and_does_nothing(self):
        found = list(scripts())
        self.assertGreater(len(found), 10)
        for path in found:
            for option in ("--help", "-h"):
                with self.subTest(script=str(path.relative_to(ROOT)), option=option):
                    done = self.run_script(path, option)
                    self.assertEqual(done.returncode, 0, done.stdout)
                    self.assertGreater(len(done.stdout.splitlines()), 2)
                    self.assertNotIn("SPDX", done.stdout)
                    self.assertNotIn("Traceback", done.stdout)
                    self.assertEqual(self.touched(), "")
                    self.assertEqual(list(self.home.iterdir()), [])

    def test_an_unknown_option_does_nothing_either(self):
        for name in ("format", "peers", "setup", "tidy"):
            with self.subTest(script=name):
                done = self.run_script(ROOT / "scripts" / name, "--halp")
                self.assertEqual(done.returncode, 2, done.stdout)
                self.assertIn("--halp", done.stdout)
                self.assertEqual(self.touched(), "")
                self.assertEqual(list(self.home.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
