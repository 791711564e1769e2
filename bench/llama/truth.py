# SPDX-License-Identifier: Apache-2.0

"""llama.cpp's and ggml's own tests on this driver: how many pass."""

import re
from dataclasses import dataclass

from llama.programs import DEVICE, DRIVER, Failure

TYPES = "f32|f16|bf16|q8_0|q4_0|q4_K|q6_K|mxfp4"
# Of operations that have many cases, those whose parameters match.
OPERATIONS = [
    ("MUL_MAT", rf"type_a=({TYPES}),type_b=f32,.*bs=\[1,1\],nr=\[1,1\],per=\[0,1,2,3\],"),
    ("MUL_MAT_ID", f"type_a=({TYPES}),.*n_mats=8,n_used=4,b=0,"),
    ("FLASH_ATTN_EXT", r"hsk=128,.*nr23=\[4,1\],kv=512,"),
    ("ROPE", ""),
    ("GET_ROWS", ""),
    ("SOFT_MAX", ""),
    ("RMS_NORM", ""),
    ("NORM", ""),
    ("SWIGLU", ""),
    ("TOPK_MOE", ""),
]
COLOURS = re.compile(r"\x1b\[[\d;]*m")


@dataclass
class Count:
    name: str
    passed: int
    failed: int
    left_out: int
    done: object  # how the program ran

    @property
    def good(self):
        return self.passed > 0 and self.failed == 0 and self.done.status == 0


def architectures(programs, threads):
    done = programs.run(programs.environment(DRIVER, threads), "test-llama-archs", "-b", "Vulkan0")
    # A row for each architecture: its name, the device, dense or of experts, and then results.
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")]
            for line in COLOURS.sub("", done.output).splitlines() if line.startswith("|")]
    results = [row[3:] for row in rows if len(row) > 3 and DEVICE in row[1]]
    left_out = sum(all(cell.startswith("SKIP") for cell in row) for row in results)
    failed = sum(any(not cell.startswith(("OK", "SKIP")) for cell in row) for row in results)
    return Count("test-llama-archs", len(results) - left_out - failed, failed, left_out, done)


def title(name, parameters):
    return f"test-backend-ops {name}{', some' if parameters else ''}"


def operation(programs, threads, name, parameters):
    arguments = ["-p", parameters] if parameters else []
    done = programs.run(programs.environment(DRIVER, threads), "test-backend-ops", "test", "-b", "Vulkan0", "-o", name,
                        *arguments)
    output = COLOURS.sub("", done.output)
    if f"Device description: {DEVICE}" not in output:
        raise Failure(f"test-backend-ops has no device of the driver:\n{done.errors[-2000:]}")
    total = re.search(r"(\d+)/(\d+) tests passed", output)
    passed, run = (int(total[1]), int(total[2])) if total else (len(re.findall(r": OK$", output, re.MULTILINE)), 0)
    return Count(title(name, parameters), passed, max(run - passed, 0), len(re.findall(r": not supported", output)), done)


def counts(programs, threads, only):
    """One after the other."""
    if only("test-llama-archs"):
        yield architectures(programs, threads)
    for name, parameters in OPERATIONS:
        if only(title(name, parameters)):
            yield operation(programs, threads, name, parameters)
