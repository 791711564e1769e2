# SPDX-License-Identifier: Apache-2.0
"""What the tests of this folder share: running a kernel file, and saying what is wrong."""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
FOLDER = pathlib.Path(__file__).parent
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}")


def command(runner, kernel, *arguments):
    return [runner, *arguments, str(FOLDER / kernel)]


def environment(**variables):
    return {**os.environ, **{name: str(value) for name, value in variables.items()}}


def run(runner, kernel, *arguments, status=0, **variables):
    """Runs a kernel file; what it printed, both streams."""
    done = subprocess.run(command(runner, kernel, *arguments), env=environment(**variables), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    expect(done.returncode == status, f"{kernel}: status {done.returncode}, not {status}: {done.stdout}")
    return done.stdout


def finish():
    sys.exit(1 if failures else 0)
