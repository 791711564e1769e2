# SPDX-License-Identifier: Apache-2.0

"""A model in several processes: servers of ggml's RPC backend on this machine, each with this driver, and beside them
one process that has the model by itself.
"""

import json
import os
import socket
import statistics
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod
from pathlib import Path

from llama.gguf import F32, read_head
from llama.models import PROMPT, SIZES, TOKENS, Model
from llama.programs import CPU, DEVICE, DRIVER, Failure

MODEL = Model("llama-text", "f16")
SERVERS = 2
TEXT = "Each process has some of the layers, and hands on what comes out of the last of them."
PATIENCE = 60  # seconds until a server takes connections
BUSY = 0.25  # of the processor time of all servers, at least, for each one


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Server:
    """Lives as long as the `with` block. What it says is in a file of `folder`."""

    def __init__(self, programs, threads, folder):
        self.address = f"127.0.0.1:{free_port()}"
        self.output = folder / f"server-{self.address.split(':')[1]}.txt"
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                programs.command("ggml-rpc-server", "-d", "Vulkan0", "-p", self.address.split(":")[1]),
                env=os.environ | programs.environment(DRIVER, threads), stdout=output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def said(self):
        return self.output.read_text(errors="replace")

    def wait(self):
        end = time.monotonic() + PATIENCE
        host, port = self.address.split(":")
        while self.process.poll() is None and time.monotonic() < end:
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
            except OSError:
                time.sleep(0.05)
                continue
            if DEVICE not in self.said():
                raise Failure(f"ggml-rpc-server has no device of the driver:\n{self.said()[-2000:]}")
            return
        raise Failure(f"ggml-rpc-server takes no connections:\n{self.said()[-2000:]}")

    def cpu_seconds(self):
        """That all its threads have had (man 5 proc_pid_stat: utime and stime, after the name in parentheses)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Where:
    """A process that has all of the model on this driver, or one that hands it to servers and has no device itself."""

    environment: dict
    arguments: list


def here(programs, threads):
    return Where(programs.environment(DRIVER, threads), ["-t", threads, "-ngl", 99, "-dev", "Vulkan0"])


def on(programs, servers, separator):
    """The device list's separator differs: llama-bench's commas separate what it tries one after the other."""
    names = separator.join(f"RPC{k}" for k in range(len(servers)))
    shares = separator.join("1" for _ in servers)
    # The servers before the devices, which are theirs.
    return Where(programs.environment(CPU, 1), ["--rpc", ",".join(server.address for server in servers), "-t", 1,
                                                "-ngl", 99, "-dev", names, "-ts", shares])


def logits(programs, where, model, file):
    """The bytes of the logits that llama-results computes after each token of TEXT, and how many there are."""
    done = programs.run(where.environment, "llama-results", "-m", model, "-p", TEXT, "-o", file, "-fit", "off",
                        *where.arguments)
    if done.status != 0:
        raise Failure(f"llama-results, status {done.status}:\n{done.errors[-2000:]}")
    shape, code, offset = read_head(file)[1]["logits"]
    if code != F32.code:
        raise Failure(f"llama-results has written logits of type {code}, not f32")
    with open(file, "rb") as written:
        written.seek(offset)
        return written.read(prod(shape) * F32.size), prod(shape)


def speeds(programs, where, model):
    """Tokens a second by what was done, of one run."""
    done = programs.run(where.environment, "llama-bench", "-m", model, "-p", SIZES[PROMPT], "-n", SIZES[TOKENS],
                        "-r", 1, "-o", "jsonl", *where.arguments)
    results = [json.loads(line) for line in done.output.splitlines() if line.startswith("{")]
    if done.status != 0 or len(results) != 2:
        raise Failure(f"llama-bench, status {done.status}:\n{done.errors[-2000:]}")
    return {PROMPT if result["n_prompt"] else TOKENS: result["avg_ts"] for result in results}


@dataclass
class Result:
    logits: int
    equal: bool  # to the bit, those of the servers and those of one process
    one: dict  # tokens a second by what was done, medians
    several: dict
    cpu_seconds: list  # of each server while that was done, medians

    @property
    def least_share(self):
        return min(self.cpu_seconds) / max(sum(self.cpu_seconds), 1e-9)

    @property
    def busy(self):
        return self.least_share >= BUSY


def medians(runs):
    return {test: statistics.median(run[test] for run in runs) for test in (PROMPT, TOKENS)}


def compare(programs, model, threads, turns, folder):
    with ExitStack() as stack:
        servers = [stack.enter_context(Server(programs, threads, folder)) for _ in range(SERVERS)]
        for server in servers:
            server.wait()
        expected, count = logits(programs, here(programs, threads), model, folder / "one.gguf")
        found, _ = logits(programs, on(programs, servers, ","), model, folder / "several.gguf")
        places = here(programs, threads), on(programs, servers, "/")
        for place in places:  # whatever has to be compiled
            speeds(programs, place, model)
        one, several, used = [], [], []
        for _ in range(turns):
            one.append(speeds(programs, places[0], model))
            before = [server.cpu_seconds() for server in servers]
            several.append(speeds(programs, places[1], model))
            used.append([server.cpu_seconds() - begin for server, begin in zip(servers, before)])
        return Result(count, found == expected, medians(one), medians(several),
                      [statistics.median(seconds) for seconds in zip(*used)])
