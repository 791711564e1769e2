# SPDX-License-Identifier: Apache-2.0

"""Records of benchmarks: what their --json writes."""

import json
from dataclasses import dataclass, field
from pathlib import Path

# In the order of summaries.
PROGRAMS = ["peak_bench", "gemm_bench", "compute_bench", "suite_bench", "startup_bench", "check_bench",
            "models"]


@dataclass
class Row:
    program: str
    name: str
    figures: dict = field(repr=False)

    @property
    def value(self):
        return self.figures.get("value")

    @property
    def target(self):
        return self.figures.get("target")

    @property
    def lower_is_better(self):
        return self.figures.get("at_most", self.figures.get("unit") in ("ms", "us", "ns"))

    @property
    def peers(self):
        return self.figures.get("peers", {})


class RecordError(Exception):
    pass


def read_records(path):
    """The records of a folder, or the one of a file, by their program's name."""
    path = Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    records = {}
    for file in files:
        try:
            record = json.loads(file.read_text())
        except (OSError, ValueError) as error:
            raise RecordError(f"{file}: {error}") from error
        # Google Benchmark's files lie in the same folder.
        if isinstance(record, dict) and "program" in record and "rows" in record:
            records[record["program"]] = record
    if not records:
        raise RecordError(f"{path}: no record of a benchmark")
    return dict(sorted(records.items(), key=lambda item: (PROGRAMS + [item[0]]).index(item[0])))


def busy(records):
    """A warning about records that were taken beside other work; nothing when none was."""
    loads = [record["load"] for record in records.values() if record.get("load", 0) > 1]
    return [f"load average up to {max(loads):.1f} at a program's start: shares vary by more than the "
            "noise of their pairs, and times by the clock tell little"] if loads else []


def rows_of(records):
    return [Row(program, figures["name"], figures)
            for program, record in records.items() for figures in record["rows"]]
