#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work of a few kinds in random spellings, each a kernel file, run and held against its model.

    random_spellings.py RUNNER [--of kernels|epilogues] [--seed N] [--count N] [--keep FOLDER]

RUNNER is tessera-run; what the kinds are, kernels.py and epilogues.py say. Environment variables choose the driver and how it works. Kernel `seed + n` is the
same one in every run; a failure names its file, which --keep keeps. Prints what failed or was skipped, and exits with 1
if anything was.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from epilogues import Epilogue
from kernels import Kernel

KINDS = {"kernels": Kernel, "epilogues": Epilogue.any}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("--of", choices=KINDS, default="kernels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for seed in range(options.seed, options.seed + options.count):
            files.append(folder / f"spelling_{seed}.comp")
            files[-1].write_text(KINDS[options.of](random.Random(seed)).file())
        run = subprocess.run([options.runner, *files], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = run.stdout.splitlines()
    print("\n".join(line for line in lines if not line.startswith("passed")))
    passed = sum(line.startswith("passed") for line in lines)
    print(f"{passed} of {len(files)} passed")
    return 0 if run.returncode == 0 and passed == len(files) else 1


if __name__ == "__main__":
    sys.exit(main())
