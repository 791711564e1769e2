#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for a deqp-vk: the same options, the same log; what a case does stands in its name.

FAKE_DEQP in the environment makes it a bad one as a whole: `crash` dies before the first case, `hang`
sleeps there, `lie` ends in good order without results, `babble` has twice those of another case than it
was told to run; `no_device` finds none. All but the last answer the first question, about the device.
FAKE_DEQP_RUNS names a file that gets each case that is begun, FAKE_DEQP_STOP a case and a number: when
the case is begun for that time, it does not end before whoever started this is gone. FAKE_DEQP_VERSION
is that of the driver.
"""

import fnmatch
import os
import signal
import sys
import time
from pathlib import Path

CASES = [
    "dEQP-VK.info.device",
    "dEQP-VK.fake.pass.one",
    "dEQP-VK.fake.pass.two",
    "dEQP-VK.fake.pass.three",
    "dEQP-VK.fake.warn",
    "dEQP-VK.fake.fail",
    "dEQP-VK.fake.unsupported.subgroups",
    "dEQP-VK.fake.unsupported.images",
    "dEQP-VK.fake.crash",
    "dEQP-VK.fake.abort",
    "dEQP-VK.fake.hang",
    "dEQP-VK.fake.quit",
    "dEQP-VK.fake.poison",
    "dEQP-VK.fake.victim",
    "dEQP-VK.fake.crash_after",
    "dEQP-VK.fake.leave_after",
    "dEQP-VK.fake.flaky",
    "dEQP-VK.fake.hostile",
    "dEQP-VK.other.pass",
]
ENDINGS = {
    "unsupported.subgroups": ("NotSupported", "No &quot;quad&quot; &lt;subgroups&gt; at vktA.cpp:12"),
    "unsupported.images": ("NotSupported", "No images at vktB.cpp:99"),
    "warn": ("QualityWarning", "a little off"),
    "fail": ("Fail", "wrong\nin two lines"),
    "hostile": ("Fail", "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; ]]&gt; \x01\x1b[31m \"'&amp;"),
}


def option(name, default=""):
    prefix = f"--deqp-{name}="
    return next((a[len(prefix) :] for a in sys.argv[1:] if a.startswith(prefix)), default)


def outlive(parent):
    deadline = time.monotonic() + 60
    while os.getppid() == parent and time.monotonic() < deadline:
        time.sleep(0.02)
    os._exit(1)


def main():
    if option("runmode") == "txt-caselist":
        patterns = option("case").split(",")
        names = [c for c in CASES if any(fnmatch.fnmatchcase(c, p) for p in patterns)]
        path = option("caselist-export-file").replace("${packageName}", "dEQP-VK")
        Path(path).write_text("".join(f"GROUP: {n.rsplit('.', 1)[0]}\nTEST: {n}\n" for n in names))
        return 0
    wanted = Path(option("caselist-file")).read_text().split()
    manner = os.environ.get("FAKE_DEQP")
    print("dEQP Core fake-1.0 starting..", flush=True)
    if manner == "no_device":
        print("FATAL ERROR: no driver", file=sys.stderr)
        os.kill(os.getpid(), signal.SIGABRT)
    with open(option("log-filename"), "w") as log:
        if wanted != ["dEQP-VK.info.device"]:
            if manner == "crash":
                os.kill(os.getpid(), signal.SIGSEGV)
            if manner == "hang":
                time.sleep(60)
            if manner == "lie":
                return 0
            if manner == "babble":
                return run(["dEQP-VK.other.pass"] * 2, log)
        return run([name for name in CASES if name in wanted], log)


def run(names, log):
    parent = os.getppid()

    def write(text):
        log.write(text)
        log.flush()

    write("#sessionInfo releaseName fake-1.0\n#sessionInfo releaseId 0x0000002a\n")
    write('#sessionInfo deviceName "Fake Device"\n#beginSession\n')
    poisoned = False
    begun = os.environ.get("FAKE_DEQP_RUNS")
    for name in names:
        if begun:
            with open(begun, "a") as file:
                file.write(name + "\n")
            times = Path(begun).read_text().split().count(name)
            if os.environ.get("FAKE_DEQP_STOP") == f"{name} {times}":
                outlive(parent)
        what = name.removeprefix("dEQP-VK.fake.")
        print(f"\nTest case '{name}'..", flush=True)
        write(f"\n#beginTestCaseResult {name}\n<TestCaseResult>\n")
        if what == "crash" or (what == "victim" and poisoned):
            print("something bad happened", file=sys.stderr, flush=True)
            os.kill(os.getpid(), signal.SIGSEGV)
        if what == "abort":
            os.kill(os.getpid(), signal.SIGABRT)
        if what == "quit":
            os._exit(3)
        if what == "hang":
            time.sleep(60)
        poisoned |= what == "poison"
        if what == "info.device" or name.endswith("info.device"):
            version = os.environ.get("FAKE_DEQP_VERSION", "0x1")
            write(f"<Text>apiVersion: 1.3.0\ndriverVersion: {version}\n</Text>\n")
        status, message = ENDINGS.get(what, ("Pass", "Pass"))
        if what == "flaky":
            seen = Path(os.environ["FAKE_DEQP_STATE"])
            status = "Fail" if seen.exists() else "Pass"
            seen.touch()
        write('<Text>&lt;Result StatusCode="Fail"&gt;</Text>\n')
        write('<Number Name="TestDuration" Unit="us">12000</Number>\n')
        # In pieces, as a reader may see them.
        write(f'<Result StatusCode="{status}">{message[:5]}')
        write(f"{message[5:]}</Result>\n</TestCaseResult>\n\n#endTestCase")
        write("Result\n")
        print(f"  {status} ({message})", flush=True)
        if what == "crash_after":
            os.kill(os.getpid(), signal.SIGSEGV)
        if what == "leave_after":
            return 1
    write("\n#endSession\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
