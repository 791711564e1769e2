# SPDX-License-Identifier: Apache-2.0

"""Samples where a command and the processes that it starts are, through Linux's perf events, and
keeps the code that they ran from memory that belongs to no file: that of kernels."""

import ctypes
import mmap
import os
import struct
import subprocess
import time
from collections import Counter, defaultdict

PERF_EVENT_OPEN = 298  # x86-64
SOFTWARE, CPU_CLOCK = 1, 0
SAMPLE_IP, SAMPLE_TID = 1, 2
RECORD_SAMPLE = 9
# Bits of perf_event_attr: the processes that a process starts too, and user code only, which needs
# no privilege.
INHERIT, EXCLUDE_KERNEL, EXCLUDE_HYPERVISOR, BY_FREQUENCY = 1 << 1, 1 << 5, 1 << 6, 1 << 10
PAGE = 4096
DATA_PAGES = 64  # of the ring for each processor, a power of 2
HEAD, TAIL = 1024, 1032  # in its first page
PER_SECOND = 997
POLL_SECONDS = 0.05


class SamplingError(Exception):
    pass


class Ring:
    """The samples of this process and its children on one processor."""

    def __init__(self, cpu):
        attributes = struct.pack("=IIQQQQQ", SOFTWARE, 128, CPU_CLOCK, PER_SECOND,
                                 SAMPLE_IP | SAMPLE_TID, 0,
                                 INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR | BY_FREQUENCY)
        attributes = attributes.ljust(128, b"\0")
        libc = ctypes.CDLL(None, use_errno=True)
        self.file = libc.syscall(PERF_EVENT_OPEN, attributes, 0, cpu, -1, 8)  # close on exec
        if self.file < 0:
            raise SamplingError(f"no perf events: {os.strerror(ctypes.get_errno())}")
        try:
            self.memory = mmap.mmap(self.file, (1 + DATA_PAGES) * PAGE, mmap.MAP_SHARED,
                                    mmap.PROT_READ | mmap.PROT_WRITE)
        except OSError as error:
            raise SamplingError(f"no memory for perf events: {error}") from error

    def take(self):
        """Process and address of each sample since the last call."""
        head, tail = (struct.unpack_from("=Q", self.memory, place)[0] for place in (HEAD, TAIL))
        size = DATA_PAGES * PAGE

        def read(at, count):
            at %= size
            first = self.memory[PAGE + at:PAGE + min(at + count, size)]
            return first + self.memory[PAGE:PAGE + count - len(first)]

        samples = []
        while tail < head:
            kind, _, length = struct.unpack("=IHH", read(tail, 8))
            if kind == RECORD_SAMPLE:
                address, process, _ = struct.unpack("=QII", read(tail + 8, 16))
                samples.append((process, address))
            tail += length
        struct.pack_into("=Q", self.memory, TAIL, head)
        return samples

    def close(self):
        self.memory.close()
        os.close(self.file)


class Process:
    """Its memory's regions and the code in those without a file, as they were when seen."""

    def __init__(self, number):
        self.number = number
        self.regions = []
        self.pages = {}

    def region_of(self, address):
        for attempt in range(2):
            for first, last, file in self.regions:
                if first <= address < last:
                    return file
            if attempt == 0:
                self.read_regions()
        return None

    def read_regions(self):
        self.regions = []
        try:
            with open(f"/proc/{self.number}/maps") as file:
                for line in file:
                    words = line.split(maxsplit=5)
                    first, last = (int(part, 16) for part in words[0].split("-"))
                    if "x" in words[1]:
                        self.regions.append((first, last, words[5].strip() if words[5:] else ""))
        except OSError:
            pass  # it has ended

    def keep_code(self, address):
        """The whole region: functions go on over the sampled page's end."""
        region = next((r for r in self.regions if r[0] <= address < r[1]), None)
        if region is None or region[0] in self.pages:
            return
        try:
            with open(f"/proc/{self.number}/mem", "rb") as memory:
                memory.seek(region[0])
                self.pages[region[0]] = memory.read(region[1] - region[0])
        except OSError:
            pass


class Samples:
    """Of a command: by file how many, and in kernels' code how many at each address."""

    def __init__(self):
        self.files = Counter()
        self.code = []  # (first address, bytes, Counter of addresses), of each process and region

    @property
    def total(self):
        return sum(self.files.values())


def sample(command, environment):
    """Runs the command; returns its exit status and the samples."""
    rings = [Ring(cpu) for cpu in sorted(os.sched_getaffinity(0))]
    processes, addresses = {}, defaultdict(Counter)
    result = Samples()

    def drain():
        for ring in rings:
            for number, address in ring.take():
                if number == os.getpid():
                    continue
                process = processes.setdefault(number, Process(number))
                file = process.region_of(address)
                if file is None:
                    continue
                result.files[file or "kernels"] += 1
                if not file:
                    process.keep_code(address)
                    addresses[number][address] += 1

    running = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    while running.poll() is None:
        time.sleep(POLL_SECONDS)
        drain()
    drain()
    for ring in rings:
        ring.close()
    for number, process in processes.items():
        for first, code in process.pages.items():
            inside = Counter({a: n for a, n in addresses[number].items()
                              if first <= a < first + len(code)})
            result.code.append((first, code, inside))
    return running.returncode, result
