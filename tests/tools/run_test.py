#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tessera-run as its user sees it: shaders without directives, files of all kinds, pictures, another driver, and
what it says of mistakes.

usage: run_test.py RUNNER MANIFEST
"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

RUNNER, MANIFEST = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
SHADER = """#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) buffer B { float b[]; };
void main() { b[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x] * 2 - 3; }
"""
ADDRESS = """#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(binding = 0) buffer A { uint64_t a[]; };
layout(push_constant) uniform Push { uint64_t at; };
void main() { a[0] = 7; a[1] = at; }
"""
WITH = ["--with", "buffer a f32[64] binding 0 = i", "--with", "buffer b f32[64] binding 1", "--with", "dispatch 1"]


def chunks(png):
    """The chunks of a PNG file, with their check sums looked at."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, {}
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        data, (checked,) = png[at + 8:at + 8 + length], struct.unpack(">I", png[at + 8 + length:at + 12 + length])
        assert zlib.crc32(name + data) == checked, name
        found[name] = data
        at += 12 + length
    return found


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        (self.path / "s.comp").write_text(SHADER)

    def tearDown(self):
        self.folder.cleanup()

    def run_it(self, *arguments, status=0):
        """What it prints."""
        environment = {**os.environ, "VK_DRIVER_FILES": MANIFEST, "TESSERA_CACHE": "off"}
        process = subprocess.run([RUNNER, *arguments], cwd=self.path, env=environment, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(process.returncode, status, process.stdout)
        return process.stdout

    def say(self, text, *arguments):
        """Wrong usage has one line, and the status 2."""
        printed = self.run_it(*arguments, status=2)
        self.assertIn(text, printed)
        self.assertEqual(printed.count("\n"), 1, printed)

    def test_shader_without_directives(self):
        printed = self.run_it("s.comp", *WITH, "--dump=b")
        self.assertIn("ran      s.comp", printed)
        self.assertIn("0: -3 -1 1 3", printed)

    def test_results_as_files(self):
        printed = self.run_it("s.comp", *WITH, "--save", "b:8x8=b.npy", "--save", "b=b.bin", "--save", "b:2x3=b.txt",
                              "--save", "b-a=d.npy")
        self.assertIn("b.txt: 2 rows of 3", printed)
        self.assertEqual((self.path / "b.txt").read_text(), "-3 -1  1\n 3  5  7\n")
        numbers = struct.unpack("<64f", (self.path / "b.bin").read_bytes())
        self.assertEqual(list(numbers), [2 * i - 3 for i in range(64)])
        npy = (self.path / "b.npy").read_bytes()
        self.assertIn(b"'descr': '<f4', 'fortran_order': False, 'shape': (8,8,)", npy)
        self.assertEqual(npy[-256:], (self.path / "b.bin").read_bytes())
        npy = (self.path / "d.npy").read_bytes()
        self.assertIn(b"'descr': '<f8', 'fortran_order': False, 'shape': (64,)", npy)
        self.assertEqual(list(struct.unpack("<64d", npy[-512:])), [i - 3 for i in range(64)])

    def test_files_as_values(self):
        self.run_it("s.comp", *WITH, "--save", "b=b.npy", "--save", "a=a.bin", "--spirv", "s.spv")
        (self.path / "again.kernel").write_text('module "s.spv"\nbuffer a f32[] binding 0 = file "a.bin"\n'
                                                'buffer b f32[64] binding 1\ndispatch 1\nexpect b = file "b.npy"\n')
        self.assertIn("passed   again.kernel", self.run_it("again.kernel"))
        self.assertIn("ran      s.spv", self.run_it("s.spv", *WITH))
        (self.path / "again.kernel").write_text((self.path / "again.kernel").read_text().replace("b.npy", "a.bin"))
        self.assertIn("63 of 64 elements are wrong", self.run_it("again.kernel", status=1))

    def test_pictures(self):
        printed = self.run_it("s.comp", *WITH, "--save", "b:4x16=b.png", "--save", "a=a.png")
        self.assertIn("b.png: 4 rows of 16, from -123 (blue) over 0 (white) to 123 (red)", printed)
        self.assertIn("a.png: 8 rows of 8, from 0 (black) to 63 (white)", printed)
        png = chunks((self.path / "b.png").read_bytes())
        self.assertEqual(struct.unpack(">IIBBBBB", png[b"IHDR"]), (256, 64, 8, 2, 0, 0, 0))
        rows = zlib.decompress(png[b"IDAT"])
        self.assertEqual(len(rows), 64 * (1 + 3 * 256))
        self.assertEqual(rows[-3:], bytes([255, 0, 0]))
        png = chunks((self.path / "a.png").read_bytes())
        self.assertEqual(zlib.decompress(png[b"IDAT"])[-3:], b"\xff\xff\xff")

    def test_numbers_that_are_none(self):
        special = ["--with", "buffer a f32[4] binding 0 = { nan, inf, -inf, 1.5 }", "--with",
                   "buffer b f32[64] binding 1", "--with", "dispatch 1"]
        self.run_it("s.comp", *special, "--save", "a:2x2=a.png")
        rows = zlib.decompress(chunks((self.path / "a.png").read_bytes())[b"IDAT"])
        self.assertEqual((rows[1:4], rows[1 + 3 * 255:4 + 3 * 255]), (b"\xff\x00\xff", b"\xff\xdc\x00"))

    def test_beside_another_driver(self):
        printed = self.run_it("s.comp", *WITH, "--compare", MANIFEST, "--save", "b-compared=d.npy")
        self.assertIn("all results are the same", printed)
        self.assertEqual((self.path / "d.npy").read_bytes()[-512:], bytes(512))

    def test_differences_are_shown(self):
        # Both devices are this driver's, with memory of their own: addresses differ.
        (self.path / "s.comp").write_text(ADDRESS)
        addresses = ["--with", "buffer a u64[2] binding 0", "--with", "push u64 &a", "--with", "dispatch 1"]
        printed = self.run_it("s.comp", *addresses, "--compare", MANIFEST, status=1)
        self.assertRegex(printed, r"a: 1 of 2 elements differ, a\[1\] first: \d+ here, \d+ there; at most \d")
        self.run_it("s.comp", *addresses, "--compare", MANIFEST, "--within", "1e30 abs")

    def test_mistakes_have_one_line(self):
        self.say("no file to run")
        self.say("gone.comp: cannot be read", "gone.comp")
        self.say("no dispatch", "s.comp")
        self.say("no directive 'bufer'", "s.comp", "--with", "bufer a f32[1]")
        self.say("no buffer 'c'; there are a, b", "s.comp", *WITH, "--save", "c=c.npy")
        self.say("has 64 elements, fewer than 100 rows of 3", "s.comp", *WITH, "--save", "b:100x3=c.npy")
        self.say("'b' has 64 elements and 'c' 8", "s.comp", *WITH, "--with", "buffer c f32[8]", "--save", "b-c=c.npy")
        self.say("ends in none of .npy, .bin, .txt and .png", "s.comp", *WITH, "--save", "b=c.jpg")
        self.say("expected NAME=PATH", "s.comp", *WITH, "--save", "b")
        self.say("'x' is no number of runs", "s.comp", *WITH, "--time", "x")
        self.say("run nothing", "s.comp", *WITH, "--list", "--time", "3")
        self.say("only one is done at a time", "s.comp", *WITH, "--list", "--matrices")
        self.say("needs --compare", "s.comp", *WITH, "--save", "b-compared=b.npy")
        self.say("which is not given", "s.comp", *WITH, "--within", "1e-5")
        self.say("no such file; it is the driver's manifest", "s.comp", *WITH, "--compare", "gone.json")
        self.say("no option --bogus", "s.comp", "--bogus")
        self.say("--save needs a value", "s.comp", "--save")
        self.say("--list takes no value", "s.comp", "--list=2")
        self.say("no variant 'x'; --list shows them", "s.comp", *WITH, "--variant", "x")

    def test_variables_of_the_driver(self):
        self.assertIn("(reference", self.run_it("s.comp", *WITH, "--isa", "reference"))
        late = ["--with", "buffer a f32[64] binding 0 = i", "--with", "buffer b f32[60] binding 1", "--with",
                "dispatch 1"]
        self.assertIn("memory: buffer-bounds", self.run_it("s.comp", *late, "--check", "memory", status=1))

    def test_debug(self):
        """Another program as gdb, that says what it was called with."""
        folder = self.path / "with gdb"
        folder.mkdir()
        (folder / "gdb").write_text(
            '#!/bin/sh\nprintf "%s\\n" "$@"; echo "debug $TESSERA_DEBUG threads $TESSERA_THREADS"\n')
        (folder / "gdb").chmod(0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{folder}:{path}"
        try:
            printed = self.run_it("--debug", "s.comp", *WITH, "--", "-x", "a file")
            self.assertIn(f'\ndirectory "{self.path.resolve()}"\n', printed)
            self.assertIn("\n".join(["-x", "a file", "--args", RUNNER, "s.comp", *WITH, "debug 1 threads 1"]), printed)
            self.assertRegex(printed, r"-x\n\S*/libvulkan_tessera\.so-gdb\.py\n-x\na file\n")
            self.assertIn("threads 3", self.run_it("--threads", "3", "--debug", "s.comp", *WITH))
            self.say("nothing to stop in", "--debug", "--list", "s.comp")
            self.say("behind --", "s.comp", "--", "-x")
            os.environ["PATH"] = str(self.path)
            self.say("--debug needs gdb", "--debug", "s.comp", *WITH)
        finally:
            os.environ["PATH"] = path


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
