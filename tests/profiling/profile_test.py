# SPDX-License-Identifier: Apache-2.0
"""TESSERA_PROFILE: what it counts is what the shader does.

    profile_test.py RUNNER        RUNNER: tessera-run
"""

import pathlib
import re
import sys
import tempfile

import harness
from harness import expect

# Of product.comp: workgroups that multiply, and what each product is.
MULTIPLYING, PRODUCT, STEPS = 32, 16 * 16 * 16, 256 // 16
RUNS = 4
EXPECTED = {"loop": STEPS, "twice": 2 * STEPS, "single": 1}
NUMBER = r"(\d+(?:\.\d+)?)"


def unit(number):
    """Of the last digit that is printed: 0.1 of "12.3"."""
    return 10.0 ** -len(number.partition(".")[2])


def check_products(runner, isa):
    for form, products in EXPECTED.items():
        text = harness.run(runner, "product.comp", "--variant", form, "--time", str(RUNS - 1), TESSERA_PROFILE=1,
                           TESSERA_ISA=isa)
        # Of the baseline there is no instruction to measure.
        peak = r"; no peak is known of such products" if isa == "reference" else rf", {NUMBER} % of the peak \("
        found = re.search(rf"(\d+) multiply-adds of matrices, {NUMBER} GFLOP/s{peak}", text)
        expect(found, f"{form}: {text}")
        if not found:
            continue
        expected = RUNS * MULTIPLYING * products * PRODUCT
        expect(int(found[1]) == expected, f"{form} at {isa}: {found[1]} multiply-adds, not {expected}")
        if isa != "reference":
            expect(float(found[3]) < 150, f"{form} at {isa}: {found[3]} % of the peak")
        runs = re.search(rf"{RUNS} runs, {64 * RUNS} workgroups, {NUMBER} ms, {NUMBER} ms of CPU; a run {NUMBER} us", text)
        expect(runs, f"{form}: {text}")
        if runs:
            speed = 2 * expected / RUNS / (float(runs[3]) * 1e-6) * 1e-9
            # What is printed is rounded: half a unit of the rate's last digit, and of the time's.
            expect(abs(speed - float(found[2])) < unit(found[2]) / 2 + speed * unit(runs[3]) / float(runs[3]),
                   f"{form}: {found[2]} GFLOP/s, not {speed}")
        # 2 times 4096 halves, and 16384 floats.
        expect("80.0 KiB of buffers bound to a run; compiled in " in text, f"{form}: {text}")


def check_others(runner):
    text = harness.run(runner, "sums.comp", "--time", "2", TESSERA_PROFILE=1)
    expect("3 runs, 3072 workgroups" in text and "multiply-adds" not in text, text)
    expect("1 of 1 pipelines have run" in text, text)
    expect(re.search("no remarks|remarks: [0-9]+ [a-z]", text), text)
    # Not asked for, nothing is said.
    expect("profile" not in harness.run(runner, "sums.comp", TESSERA_PROFILE=0), "a profile that nobody wants")
    text = harness.run(runner, "sums.comp", status=1, TESSERA_PROFILE="yes")
    expect("TESSERA_PROFILE=yes is not understood; it takes 0, 1" in text, text)


def check_files(runner):
    """Where the log goes; and a kernel from the cache on disk counts like a new one."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for origin in ("compiled", "found in the cache folder"):
            log = folder / "log"
            log.unlink(missing_ok=True)
            text = harness.run(runner, "product.comp", "--variant", "loop", TESSERA_PROFILE=1, TESSERA_LOG_FILE=log,
                               TESSERA_CACHE=folder / "cache")
            expect("profile" not in text, f"it is in the file, and not in {text}")
            logged = log.read_text(encoding="utf-8")
            expect(origin in logged and f"{MULTIPLYING * STEPS * PRODUCT} multiply-adds" in logged, logged)


def main():
    for isa in ("", "avx2", "reference"):
        check_products(sys.argv[1], isa)
    check_others(sys.argv[1])
    check_files(sys.argv[1])
    harness.finish()


main()
