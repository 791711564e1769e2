# SPDX-License-Identifier: Apache-2.0
"""TESSERA_TRACE: the file is trace events as Chrome's format has them, at any moment.

    trace_test.py RUNNER        RUNNER: tessera-run

Source: "Trace Event Format" (Chromium's document): phases X (complete), i (instant), M (metadata), s and f (flow).
"""

import collections
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import harness
from harness import expect

NEEDED = {"X": {"name", "cat", "ts", "dur", "pid", "tid"}, "i": {"name", "cat", "ts", "s", "pid", "tid"},
          "M": {"name", "pid", "args"}, "s": {"name", "cat", "id", "ts", "pid", "tid"},
          "f": {"name", "cat", "id", "bp", "ts", "pid", "tid"}}
STAGES = {"reading the module", "emission", "optimization", "scheduling of matrix products", "code generation", "linking"}
# Microseconds since the machine has started, of which a float has six places. Spans end a nanosecond early.
SLACK = 0.0001


def events_of(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def check_format(events):
    for event in events:
        missing = NEEDED[event["ph"]] - event.keys()
        expect(not missing, f"{event} has no {missing}")
        for time_of in {"ts", "dur"} & event.keys():
            expect(isinstance(event[time_of], (int, float)) and event[time_of] >= 0, f"{event}: {time_of}")
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    used = {(e["pid"], e["tid"]) for e in events if "tid" in e}
    expect(named == used, f"tracks without a name: {used - named}")
    expect({e["pid"] for e in events if e["name"] == "process_name"} == {e["pid"] for e in events},
           "a process without a name")
    arrows = collections.Counter((e["ph"], e["id"]) for e in events if e["ph"] in "sf")
    expect(all(count == 1 for count in arrows.values()), "an arrow's end is there twice")
    expect({i for p, i in arrows if p == "f"} <= {i for p, i in arrows if p == "s"}, "an arrow without a beginning")
    check_nesting([e for e in events if e["ph"] == "X"])


def check_nesting(spans):
    """Of a track, each two follow each other, or one is inside of the other."""
    tracks = collections.defaultdict(list)
    for span in spans:
        tracks[span["pid"], span["tid"]].append((span["ts"], span["ts"] + span["dur"], span["name"]))
    for track in tracks.values():
        open_spans = []
        for begin, end, name in sorted(track, key=lambda span: (span[0], -span[1])):
            while open_spans and open_spans[-1][0] < begin:
                open_spans.pop()
            expect(not open_spans or end <= open_spans[-1][0] + SLACK, f"{name} leaves {open_spans and open_spans[-1]}")
            open_spans.append((end, name))


def names_of_threads(events):
    return {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}


def check_content(runner, folder):
    path = folder / "content.json"
    harness.run(runner, "sums.comp", "--time", "3", TESSERA_TRACE=path, TESSERA_THREADS=4)
    events = events_of(path)
    check_format(events)
    spans = [e for e in events if e["ph"] == "X"]
    dispatches = [e for e in spans if e["cat"] == "dispatch"]
    expect(len(dispatches) == 4, f"{len(dispatches)} dispatches, not 4")
    shares = [e for e in spans if e["cat"] == "workgroups"]
    expect(sum(e["args"]["workgroups"] for e in shares) == 4 * 1024, "workgroups of shares")
    for dispatch in dispatches:
        expect(dispatch["args"]["workgroups"] == [1024, 1, 1], f"{dispatch}: workgroups")
        expect(dispatch["args"]["workgroup size"] == [64, 1, 1], f"{dispatch}: workgroup size")
    threads = names_of_threads(events)
    expect({threads[e["tid"]] for e in dispatches} == {"queue 1"}, "dispatches are on the queue's track")
    for share in shares:
        expect(threads[share["tid"]].startswith(("queue ", "worker ")), f"{share} is on {threads[share['tid']]}")
    submitting = [e for e in spans if e["name"] == "vkQueueSubmit"]
    expect(submitting and all(threads[e["tid"]] == "application: tessera-run" for e in submitting), "vkQueueSubmit")
    expect(any(e["cat"] == "wait" and e["name"] == "vkWaitForFences" for e in spans), "no wait")
    compiled = [e for e in spans if e["cat"] == "compile"]
    expect(STAGES <= {e["name"] for e in compiled}, f"stages: {STAGES - {e['name'] for e in compiled}}")
    whole = [e for e in compiled if "args" in e]
    expect([e["args"]["outcome"] for e in whole] == ["compiled"], f"compilations: {whole}")
    expect(threads[whole[0]["tid"]] == "compiler 1", "the compiler's track")


def check_processes(runner, folder):
    """At the same time they share the file; the next one after them begins anew."""
    path = folder / "shared.json"
    several = [subprocess.Popen(harness.command(runner, "sums.comp", "--time", "20"), stdout=subprocess.DEVNULL,
                                env=harness.environment(TESSERA_TRACE=path)) for _ in range(3)]
    while any(process.poll() is None for process in several):
        if path.exists() and path.stat().st_size != 0:
            # Between two writes of one process another may be in the midst of its own.
            pathlib.Path(path).read_bytes()
        time.sleep(0.01)
    events = events_of(path)
    check_format(events)
    expect({e["pid"] for e in events} == {process.pid for process in several}, "processes that share a file")
    harness.run(runner, "sums.comp", TESSERA_TRACE=path)
    expect(len({e["pid"] for e in events_of(path)}) == 1, "a later process begins anew")


def check_killed(runner, folder):
    path = folder / "killed.json"
    process = subprocess.Popen(harness.command(runner, "sums.comp", "--time", "100000"), stdout=subprocess.DEVNULL,
                               env=harness.environment(TESSERA_TRACE=path))
    for _ in range(1000):
        if path.exists() and path.stat().st_size > 20000:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    check_format(events_of(path))
    expect(any(e["ph"] == "X" and e["cat"] == "dispatch" for e in events_of(path)), "nothing before the end")


def check_size(runner, folder):
    path = folder / "full.json"
    text = harness.run(runner, "sums.comp", "--time", "50", TESSERA_TRACE=path, TESSERA_TRACE_SIZE="8K")
    expect(path.stat().st_size <= 8192, f"{path.stat().st_size} bytes, not 8192 at most")
    expect(text.count("is full: its timeline ends at TESSERA_TRACE_SIZE, 8.0 KiB") == 1, f"full: {text}")
    events_of(path)


def check_unwritable(runner, folder):
    for path, why in ((folder / "nowhere" / "file", "No such file or directory"), (folder, "Is a directory"),
                      ("/dev/full", "No space left on device")):
        text = harness.run(runner, "sums.comp", status=1, TESSERA_TRACE=path)
        # tessera-run asks once more for a device with fewer features.
        expect(f"vkCreateDevice: TESSERA_TRACE={path} cannot be written: {why}\n" in text, f"{path}: {text}")
    harness.run(runner, "sums.comp", TESSERA_TRACE="/dev/null")


def main():
    with tempfile.TemporaryDirectory() as name:
        for check in (check_content, check_processes, check_killed, check_size, check_unwritable):
            check(sys.argv[1], pathlib.Path(name))
    harness.finish()


main()
