#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of bench/models on a stand-in for llama.cpp: what it runs and how, verdicts, failures."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Tokens a second: the driver 300, the CPU path 100.
RUNNER = r"""#!/usr/bin/env python3
import json, os, socket, struct, sys
if "STAT" in os.environ:
    with open(os.environ["STAT"]) as file:
        worked = int(file.read().split()[1])
    with open(os.environ["STAT"], "w") as file:
        print("cpu", worked + 100000, "0 0 0 0 0 0 0", file=file)
program, arguments = os.path.basename(sys.argv[1]), sys.argv[2:]
with open(os.environ["TRACE"], "a") as file:
    names = ("VK_DRIVER_FILES", "TESSERA_THREADS", "TESSERA_CACHE")
    print(json.dumps([program, arguments, {name: os.environ.get(name) for name in names}]), file=file)
if program == "llama-quantize":
    open(arguments[1], "w").write("quantized")
elif program == "llama-bench" and arguments == ["--version"]:
    print("version: 9.9")
elif program == "llama-bench":
    driver = "none" not in arguments
    print("load_backend: loaded CPU backend from /a/libggml-cpu-best.so", file=sys.stderr)
    device = "Tessera (AVX2)" if driver else os.environ.get("OTHER_DEVICE", "")
    result = {"gpu_info": device, "avg_ts": 300 if driver else 100, "n_prompt": 512}
    print(json.dumps(result))
    if "--rpc" in arguments:
        print(json.dumps(result | {"n_prompt": 0}))
    elif "-dev" in arguments and driver:
        print(json.dumps(result | {"n_prompt": 0, "avg_ts": 30}))
elif program == "llama-results":
    # A GGUF file of one tensor, of two numbers.
    def text(data):
        return struct.pack("<Q", len(data)) + data
    logits = (1.0, 3.0 if "--rpc" in arguments and "DIFFERENT" in os.environ else 2.0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 0) + text(b"logits") + struct.pack("<IQIQ", 1, 2, 0, 0)
    with open(arguments[arguments.index("-o") + 1], "wb") as file:
        file.write(head + bytes(-len(head) % 32) + struct.pack("<2f", *logits))
elif program == "ggml-rpc-server":
    print("Devices:\n  Vulkan0:", os.environ.get("SERVED", "Tessera (AVX2)"), flush=True)
    if "ENDS" in os.environ:
        sys.exit("cannot listen")
    server = socket.create_server(("127.0.0.1", int(arguments[arguments.index("-p") + 1])))
    server.setblocking("IDLE" in os.environ)
    while True:
        try:
            server.accept()
        except BlockingIOError:
            pass  # at work
elif program == "test-llama-archs":
    print("|llama|Tessera (AVX2)|Dense|\x1b[1;32mOK\x1b[0m (1e-7)|OK|OK|")
    print("|clip|Tessera (AVX2)|Dense|\x1b[1;33mSKIP\x1b[0m|SKIP|SKIP|")
    print("|gpt2|Tessera (AVX2)|Dense|%s (1e-7)|OK|OK|" % os.environ.get("GPT2", "OK"))
elif program == "test-backend-ops":
    print("  Device description: Tessera (AVX2)")
    print("  A: OK\n  B: not supported [Vulkan0]\n  1/1 tests passed")
"""
PROGRAMS = ["usr/bin/llama-bench", "usr/bin/llama-quantize", "usr/bin/llama-results",
            "usr/libexec/cpu/llama/bin/ggml-rpc-server", "usr/libexec/cpu/llama.cpp-tests/test-llama-archs",
            "usr/libexec/cpu/llama.cpp-tests/test-backend-ops"]


class ModelsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        # The script finds llama.cpp beside its own folder.
        (self.folder / "bench").mkdir()
        shutil.copy(ROOT / "bench/models", self.folder / "bench")
        for name in ("llama", "reports"):
            shutil.copytree(ROOT / "bench" / name, self.folder / "bench" / name)
        peers = self.folder / ".peers-models"
        for name in PROGRAMS:
            (peers / name).parent.mkdir(parents=True, exist_ok=True)
            (peers / name).touch()
        (peers / "run").write_text(RUNNER)
        (peers / "run").chmod(0o755)
        (self.folder / "tessera_icd.x86_64.json").touch()
        # What else this machine does is not tested.
        self.stat = self.folder / "stat"
        self.stat.write_text("cpu 0 0 0 0 0 0 0 0\n")
        programs = self.folder / "bench/llama/programs.py"
        programs.write_text(programs.read_text().replace("/proc/stat", str(self.stat)))

    def run_script(self, *arguments, status=0, **environment):
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("VK_", "TESSERA_"))}
        environment = ours | {"TRACE": str(self.folder / "trace"), "XDG_CACHE_HOME": str(self.folder)} | environment
        done = subprocess.run([sys.executable, self.folder / "bench/models", "--build", self.folder, *arguments],
                              env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def calls(self, program):
        calls = map(json.loads, (self.folder / "trace").read_text().splitlines())
        return [call for call in calls if call[0] == program and call[1] != ["--version"]]

    def small(self):
        """Models of one tensor in this copy, instead of 150 MB and more."""
        models = self.folder / "bench/llama/architectures.py"
        models.write_text(models.read_text() + "\nfor name, (metadata, _) in list(ARCHITECTURES.items()):\n"
                          "    ARCHITECTURES[name] = metadata, lambda kind: [Tensor('a', (256,), kind)]\n")

    def test_verdicts_and_the_record(self):
        self.small()
        record = self.folder / "record.json"
        text = self.run_script("--only", "gpt2 q8_0", "--only", "gpt2 f16", "--turns", "3", "--threads", "1",
                               "--threads", "2", "--json", record)
        lines = text.splitlines()
        line = next(line for line in lines if line.startswith("gpt2 f16, prompt 512, 1 thread "))
        self.assertRegex(line, r"300\.0 +100\.0 +3\.00 .* 4\.00 MISSED$")
        line = next(line for line in lines if line.startswith("gpt2 q8_0, tokens 32, 2 threads"))
        self.assertRegex(line, r" 0\.90 met$")
        self.assertIn("llama.cpp 9.9;", text)
        self.assertIn("libggml-cpu-best.so", text)
        self.assertIn("6 of 8 targets met", text)
        self.assertEqual(len(json.loads(record.read_text())["rows"]), 8)
        report = subprocess.run([sys.executable, ROOT / "bench/report", record], stdout=subprocess.PIPE, text=True)
        self.assertIn("6 of 8 targets met", report.stdout)
        # Once to fill the driver's cache, and then in turns.
        calls = self.calls("llama-bench")
        self.assertEqual(len(calls), 8 * (1 + 2 * 3))
        for _, arguments, environment in calls:
            ours = "none" not in arguments
            self.assertEqual(environment["VK_DRIVER_FILES"] is not None, ours)
            threads = arguments[arguments.index("-t") + 1]
            self.assertEqual(environment["TESSERA_THREADS"], threads if ours else None)
        self.assertEqual([("none" in arguments) for _, arguments, _ in calls[1:7]],
                         [False, True, True, False, False, True])
        # The quantized file is kept.
        self.assertEqual(len(self.calls("llama-quantize")), 1)

    def test_other_sizes_have_no_targets(self):
        self.small()
        text = self.run_script("--only", "gpt2 f16, prompt", "--prompt", "64", "--turns", "1", "--threads", "1")
        self.assertRegex(text, r"gpt2 f16, prompt 64, 1 thread +300\.0")
        self.assertNotIn("MISSED", text)

    def test_no_verdict_beside_other_work(self):
        self.small()
        text = self.run_script("--only", "gpt2 f16, prompt", "--turns", "1", STAT=str(self.stat))
        self.assertRegex(text, r"gpt2 f16, prompt 512, 1 thread .* 4\.00 others had [\d.]+ processors")
        self.assertNotIn("MISSED", text)

    def test_first_use_begins_with_nothing(self):
        self.small()
        text = self.run_script("--first-use", "--only", "gpt2 f16", "--turns", "2", "--threads", "1")
        self.assertIn("1 of 1 targets met", text)
        caches = [environment["TESSERA_CACHE"] for _, arguments, environment in self.calls("llama-bench")
                  if "none" not in arguments]
        self.assertEqual(caches[0::2], caches[1::2])
        self.assertEqual(len(set(caches)), 2)

    def test_truth_counts(self):
        text = self.run_script("--truth", "--threads", "2")
        self.assertRegex(text, r"test-llama-archs +2 +0 +1 ")
        self.assertRegex(text, r"test-backend-ops MUL_MAT, some +1 +0 +1 ")
        text = self.run_script("--truth", "--only", "archs", GPT2="FAIL", status=1)
        self.assertRegex(text, r"test-llama-archs +1 +1 +1 .* WRONG")

    def test_two_processes(self):
        self.small()
        record = self.folder / "record.json"
        text = self.run_script("--rpc", "--turns", "2", "--threads", "1", "--json", record)
        self.assertRegex(text, r"one process +300\.0 +30\.0\n")
        self.assertRegex(text, r"2 processes, by ggml's RPC +300\.0 +300\.0 +\d+\.\d\d +\d+\.\d\d\n")
        self.assertIn("2 logits: equal, bit by bit", text)
        self.assertEqual(len(json.loads(record.read_text())["rows"]), 2)
        servers = self.calls("ggml-rpc-server")
        self.assertEqual(len({arguments[arguments.index("-p") + 1] for _, arguments, _ in servers}), 2)
        for _, _, environment in servers:
            self.assertIsNotNone(environment["VK_DRIVER_FILES"])
            self.assertEqual(environment["TESSERA_THREADS"], "1")
        # Who hands the model to the servers has no device, and names both.
        asked = [call for call in self.calls("llama-bench") if "--rpc" in call[1]]
        self.assertEqual(len(asked), 1 + 2)
        for _, arguments, environment in asked:
            self.assertEqual(len(arguments[arguments.index("--rpc") + 1].split(",")), 2)
            self.assertIsNone(environment["VK_DRIVER_FILES"])
        # No server is left behind.
        for _, arguments, _ in servers:
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", int(arguments[arguments.index("-p") + 1])))

    def test_two_processes_that_differ_or_idle(self):
        self.small()
        short = ["--rpc", "--turns", "1", "--threads", "1"]
        self.assertIn("2 logits: WRONG: not equal", self.run_script(*short, status=1, DIFFERENT="1"))
        self.assertRegex(self.run_script(*short, status=1, IDLE="1"), r"share of a server: 0\.\d+ WRONG")
        self.assertIn("no device of the driver", self.run_script(*short, status=1, SERVED="Another"))
        self.assertIn("cannot listen", self.run_script(*short, status=1, ENDS="1"))

    def test_failures_say_why(self):
        self.small()
        text = self.run_script("--only", "gpt2 f16", "--turns", "1", OTHER_DEVICE="Tessera (AVX2)", status=1)
        self.assertIn("which is not the CPU path", text)
        shutil.rmtree(self.folder / ".peers-models")
        self.assertIn("scripts/peers models", self.run_script(status=1))


if __name__ == "__main__":
    unittest.main()
