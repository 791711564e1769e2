#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/test and its ctest_report.py, with a cmake and a ctest that stand for the real ones: what is
said at the end, and that a Ctrl-C leaves nothing behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"

# Ends well, with a JUnit file and the lines that the real one prints; with sanitizers a test fails.
GOOD_CTEST = r"""#!/usr/bin/env python3
import sys
sample = "sanitized-sample" in sys.argv
junit = sys.argv[sys.argv.index("--output-junit") + 1]
open(f"build/{'asan-ubsan' if sample else 'release'}/{junit}", "w").write('''<?xml version="1.0"?>
<testsuite>
<testcase name="a.one" time="60" status="run"><system-out>fine</system-out></testcase>
<testcase name="a.two" time="30" status="notrun"><skipped/><system-out>x.cpp:3: Skipped
no such machine
</system-out></testcase>
<testcase name="b.one" time="120" status="run"><system-out/></testcase>
<testcase name="alone" time="6" status="run"><system-out/></testcase>
</testsuite>''')
if sample:
    print('''    Start 1: a.one
1/4 Test #1: a.one ............................***Failed   60.00 sec

75% tests passed, 1 tests failed out of 4

Label Time Summary:
a    =  90.00 sec*proc (2 tests)

Total Test time (real) =  90.00 sec''')
    sys.exit(8)
print('''    Start 1: a.one
1/4 Test #1: a.one ............................   Passed   60.00 sec

100% tests passed, 0 tests failed out of 4

Label Time Summary:
a    =  90.00 sec*proc (2 tests)
b    = 120.00 sec*proc (1 test)

Total Test time (real) =  70.00 sec

The following tests did not run:
	  2 - a.two (Skipped)''')
"""

# Is in the middle of things: of its processes one has a session of its own, one does not heed requests,
# and one has lost its parent.
BUSY_CTEST = r"""#!/usr/bin/env python3
import os, signal, subprocess, sys, time
def start(code, **how):
    return subprocess.Popen([sys.executable, "-c", code], **how)
sleep = "import time; time.sleep(1000)"
deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(1000)"
parent = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'], start_new_session=True, stdout=subprocess.DEVNULL).pid, flush=True)"
children = [start(sleep), start(sleep, start_new_session=True), start(deaf)]
orphan = subprocess.run([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True, close_fds=True)
time.sleep(0.5)
with open("processes", "w") as file:
    print(os.getpid(), *(child.pid for child in children), orphan.stdout.strip(), file=file)
print('''    Start 1: a.one
    Start 2: a.two
1/7 Test #1: a.one ............................   Passed    0.22 sec
    Start 3: b.bad
2/7 Test #3: b.bad ............................***Failed    0.01 sec
what it printed
    Start 4: b.skipped
3/7 Test #4: b.skipped ........................***Skipped   0.01 sec
    Start 5: b.crash
4/7 Test #5: b.crash ..........................***Exception: SegFault  0.55 sec''', flush=True)
time.sleep(1000)
"""

# The build goes on for ever.
BUSY_CMAKE = r"""#!/usr/bin/env python3
import os, sys, time
if sys.argv[1] == "--build":
    with open("processes", "w") as file:
        print(os.getpid(), file=file)
    time.sleep(1000)
"""


def is_there(process):
    """Whether it runs; what has ended and only waits to be asked for its status does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class TestScript(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp(prefix="tessera_scripts_"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "scripts").mkdir()
        for build in ("release", "asan-ubsan"):
            (self.root / "build" / build).mkdir(parents=True)
        (self.root / "bin").mkdir()
        for name in ("test", "help.sh", "ctest_report.py"):
            shutil.copy(SCRIPTS / name, self.root / "scripts" / name)
        self.program("scripts/setup", "#!/bin/sh\n")
        self.program("bin/cmake", "#!/bin/sh\n")

    def program(self, path, text):
        (self.root / path).write_text(text)
        (self.root / path).chmod(0o755)

    def start(self, *arguments):
        return subprocess.Popen(
            [self.root / "scripts/test", *arguments],
            env=dict(os.environ, PATH=f"{self.root / 'bin'}:{os.environ['PATH']}"),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def stop(self, number, whole_group):
        """Starts the script, waits until it is in the midst of it, sends the signal; what it printed, and
        its status. The signal goes to one process, or to all of its group as a terminal has it."""
        script = self.start()
        file = self.root / "processes"
        while not file.exists() or not file.read_text().endswith("\n"):
            self.assertIsNone(script.poll(), "it has ended")
            time.sleep(0.05)
        time.sleep(0.5)  # for the lines
        processes = file.read_text().split()
        if whole_group:
            os.killpg(script.pid, number)
        else:
            os.kill(script.pid, number)
        try:
            output, _ = script.communicate(timeout=600)
            left = [process for process in processes if is_there(process)]
            self.assertEqual(left, [], output)
        finally:
            for process in processes:
                if is_there(process):
                    os.kill(int(process), signal.SIGKILL)
        return output, script.returncode

    def test_says_what_parts_have_cost_and_why_tests_were_skipped(self):
        self.program("bin/ctest", GOOD_CTEST)
        script = self.start("release")
        output, _ = script.communicate(timeout=600)
        self.assertEqual(script.returncode, 0, output)
        for row in (
            "1 tests were skipped",
            "    1  no such machine",
            "minutes  tests  part",
            "     2.00      1  b\n     1.50      2  a\n     0.10      1  all others\n",
            "  setup\n",
            "  build\n",
        ):
            self.assertIn(row, output)
        self.check_sum(output, 4)
        self.assertNotIn("Label", output)
        self.assertTrue(output.endswith("2 - a.two (Skipped)\n"), output)

    def test_a_sample_runs_with_sanitizers_and_its_failures_count(self):
        self.program("bin/ctest", GOOD_CTEST)
        script = self.start()
        output, _ = script.communicate(timeout=600)
        self.assertEqual(script.returncode, 8, output)
        for row in (
            "2 tests were skipped",
            "     2.10      2  sanitized all others\n     2.00      1  b\n     1.50      2  sanitized a\n",
            "  sanitized build\n",
            "100% tests passed, 0 tests failed out of 4\n",
            "\n\nsanitized:\n75% tests passed, 1 tests failed out of 4\n",
        ):
            self.assertIn(row, output)
        self.check_sum(output, 8)
        self.assertTrue(output.rstrip().endswith("(real) =  90.00 sec"), output)

    def test_strict_makes_warnings_errors_in_both_builds(self):
        self.program("bin/ctest", GOOD_CTEST)
        for arguments, builds in (((), 0), (("--strict",), 2), (("--strict", "release"), 1)):
            self.program("bin/cmake", '#!/bin/sh\necho "cmake $*"\n')
            output, _ = self.start(*arguments).communicate(timeout=600)
            configured = [line for line in output.splitlines() if line.startswith("cmake --preset")]
            strict = [line for line in configured if "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON" in line]
            self.assertEqual(len(strict), builds, output)
            self.assertNotIn("--strict", output)

    def check_sum(self, output, tests):
        """The last row of the table is the sum of those before: setup and build take what they take."""
        table = output[output.index("minutes  tests  part"):]
        rows = re.findall(r"^ +(\d+\.\d\d) +(\d*)  ?.*$", table, re.MULTILINE)
        *parts, (minutes, number) = rows[:1 + next(k for k, row in enumerate(table.splitlines()[1:]) if row.endswith(" sum"))]
        self.assertEqual(int(number), tests, output)
        self.assertEqual(sum(int(count) for _, count in parts if count), tests, output)
        self.assertAlmostEqual(float(minutes), sum(float(m) for m, _ in parts), delta=0.005 * len(rows), msg=output)

    def check_stopped(self, output):
        self.assertIn("4 of 7 tests had ended: ", output)
        self.assertIn("1 Passed", output)
        self.assertIn("failed:\n  b.bad (Failed)\n  b.crash (Exception: SegFault)\n", output)
        self.assertIn("running:\n  a.two\n", output)
        self.assertNotIn("Traceback", output)

    def test_ctrl_c_tells_what_is_known_and_leaves_no_process(self):
        self.program("bin/ctest", BUSY_CTEST)
        output, status = self.stop(signal.SIGINT, whole_group=True)
        self.check_stopped(output)
        self.assertIn("stopped by SIGINT", output)
        self.assertEqual(status, 130)

    def test_so_does_a_signal_to_the_script_alone(self):
        self.program("bin/ctest", BUSY_CTEST)
        output, status = self.stop(signal.SIGTERM, whole_group=False)
        self.check_stopped(output)
        self.assertEqual(status, 143)

    def test_ctrl_c_during_the_build(self):
        self.program("bin/cmake", BUSY_CMAKE)
        output, status = self.stop(signal.SIGINT, whole_group=True)
        self.assertNotEqual(status, 0, output)


if __name__ == "__main__":
    unittest.main()
