# SPDX-License-Identifier: Apache-2.0
"""TESSERA_PERF=jitdump: Linux perf names kernels and the lines of their shaders.

    perf_test.py RUNNER        RUNNER: tessera-run

Says why, and exits with 77, where there is no perf, or the system lets nobody sample.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import harness
from harness import expect

# Of sums.comp.
KERNEL, LINE = 'entry point "main"', "sums.comp:10"


def skip(why):
    print(f"not run: {why}")
    sys.exit(harness.SKIPPED)


def run_perf(*arguments, check=True, **variables):
    done = subprocess.run(["perf", *map(str, arguments)], env=harness.environment(**variables), text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    expect(not check or done.returncode == 0, f"perf {arguments[0]}: {done.stdout}")
    return done


def check_report(runner, folder, cache):
    samples, injected = folder / "samples", folder / "injected"
    run_perf("record", "-k", "1", "-e", "cpu-clock", "-o", samples, "--",
             *harness.command(runner, "sums.comp", "--time", "20"), TESSERA_PERF="jitdump", JITDUMPDIR=folder,
             TESSERA_CACHE=cache)
    run_perf("inject", "--jit", "-i", samples, "-o", injected, "-f")
    report = run_perf("report", "-i", injected, "-f", "--stdio", "--sort", "symbol", HOME=folder).stdout
    expect(KERNEL in report, f"the kernel is not in\n{report}")
    annotated = run_perf("annotate", "-i", injected, "-f", "--stdio", "-l", KERNEL, HOME=folder).stdout
    expect("sqrtps" in annotated and LINE in annotated, f"{LINE} is not in\n{annotated}")


def check_refusal(runner, folder):
    nowhere = folder / "file"
    nowhere.write_text("no folder", encoding="utf-8")
    text = harness.run(runner, "sums.comp", status=1, TESSERA_PERF="jitdump", JITDUMPDIR=nowhere)
    expect("vkCreateDevice: TESSERA_PERF=jitdump: could not create" in text, text)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_refusal(sys.argv[1], folder)
        if harness.failures:
            harness.finish()
        if shutil.which("perf") is None:
            skip("there is no perf")
        trial = run_perf("record", "-e", "cpu-clock", "-o", folder / "trial", "true", check=False)
        if trial.returncode != 0:
            skip(f"perf may not sample: {trial.stdout.strip()}")
        # The second time from the cache on disk.
        for _ in range(2):
            check_report(sys.argv[1], folder, folder / "cache")
    harness.finish()


main()
