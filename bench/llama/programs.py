# SPDX-License-Identifier: Apache-2.0

"""llama.cpp's programs as scripts/peers fetched them, on this driver and on ggml's own CPU path."""

import json
import os
import re
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

DRIVER, CPU = "driver", "CPU"
# The driver's name is on the device; the other path must have none.
DEVICE = "Tessera"


class Failure(Exception):
    pass


@dataclass
class Done:
    output: str
    errors: str
    status: int
    seconds: float  # by the clock
    cpu_seconds: float  # of all its threads, from its start to its end
    others: float  # how many processors other processes, or other machines on this host, had meanwhile


@dataclass
class Speed:
    tokens: float  # a second
    cpu_seconds: float
    others: float


def busy_seconds():
    """That the processors of the machine have worked, all together, or were lent to another machine."""
    ticks = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, _idle, _wait, irq, softirq, steal = map(int, ticks)
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


class Programs:
    def __init__(self, peers, build, scratch):
        self.runner = peers / "run"
        if not self.runner.exists():
            raise Failure("llama.cpp is not there: scripts/peers models fetches it")
        manifest = next(build.glob("tessera_icd.*.json"), None)
        if manifest is None:
            raise Failure(f"no driver in {build}")
        self.folders = [peers / "usr/bin", *peers.glob("usr/libexec/*/llama.cpp-tests"),
                        *peers.glob("usr/libexec/*/llama/bin")]
        self.manifest = manifest.resolve()
        self.cache = scratch / "cache"  # of the driver: kernels of earlier processes of this run
        self.cache.mkdir(mode=0o700)
        self.backend = None  # the library of ggml's CPU backend that was loaded

    def environment(self, path, threads, cache=None):
        if path == CPU:
            # Without any device. Weights, and what multiplies them, are then as the loader chooses them.
            return {"LC_ALL": "C", "VK_LOADER_DRIVERS_DISABLE": "*"}
        return {"LC_ALL": "C", "VK_DRIVER_FILES": str(self.manifest), "GGML_VK_VISIBLE_DEVICES": "0",
                "TESSERA_DEVICE_TYPE": "integrated", "TESSERA_THREADS": str(threads),
                "TESSERA_CACHE": str(cache or self.cache)}

    def command(self, name, *arguments):
        program = next((folder / name for folder in self.folders if (folder / name).exists()), None)
        if program is None:
            raise Failure(f"llama.cpp has no {name} here: scripts/peers models --again fetches it anew")
        return [self.runner, program, *map(str, arguments)]

    def run(self, environment, name, *arguments):
        command = self.command(name, *arguments)
        before, begin, busy = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), busy_seconds()
        process = subprocess.run(command, env=os.environ | environment, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, errors="replace")
        seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        others = max(busy_seconds() - busy - used, 0) / seconds
        return Done(process.stdout, process.stderr, process.returncode, seconds, used, others)

    def version(self):
        done = self.run(self.environment(CPU, 1), "llama-bench", "--version")
        found = re.search(r"version: (.*)", done.output + done.errors)
        return found[1] if found else "unknown"

    def quantize(self, source, target, kind, threads):
        done = self.run(self.environment(CPU, threads), "llama-quantize", source, target, kind, threads)
        if done.status != 0:
            raise Failure(f"llama-quantize {source} {kind}:\n{done.errors[-2000:]}")

    def bench(self, path, model, threads, *arguments, cache=None):
        """Runs llama-bench: each of its results, and how it was done."""
        where = ["-ngl", 99] if path == DRIVER else ["-ngl", 0, "-dev", "none"]
        done = self.run(self.environment(path, threads, cache), "llama-bench", "-m", model, "-t", threads, *where,
                        "-o", "jsonl", *arguments)
        results = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
        if done.status != 0 or not results:
            raise Failure(f"llama-bench with {model} on the {path} path, status {done.status}:\n{done.errors[-2000:]}")
        if any((DEVICE in result["gpu_info"]) != (path == DRIVER) for result in results):
            raise Failure(f"llama-bench ran on '{results[0]['gpu_info']}', which is not the {path} path")
        if path == CPU:
            found = re.search(r"loaded CPU backend from \S*/(\S+)", done.errors)
            self.backend = found[1] if found else "unknown"
        return results, done

    def speed(self, path, model, threads, test):
        """Of one run, after one that warms up."""
        results, done = self.bench(path, model, threads, *test, "-r", 1)
        return Speed(results[0]["avg_ts"], done.cpu_seconds, done.others)
