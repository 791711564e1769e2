#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the files of models that bench/models writes."""

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from llama.architectures import ARCHITECTURES
from llama.gguf import ALIGNMENT, CHUNK, F16, F32, FLOAT32, I32, STRING, Array, Tensor, head, read_head, write

METADATA = {"general.architecture": "llama", "llama.block_count": 4, "llama.epsilon": 0.5, "llama.flag": True,
            "words": Array(STRING, ("a", "bcd")), "scores": Array(FLOAT32, (0.5, -1.0)), "types": Array(I32, (-2, 6))}


class GgufTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "a.gguf"

    def elements(self, name, form):
        shape, _, offset = read_head(self.path)[1][name]
        count = 1
        for extent in shape:
            count *= extent
        with self.path.open("rb") as file:
            file.seek(offset)
            return struct.unpack(f"<{count}{form}", file.read(count * struct.calcsize(form)))

    def test_the_head_as_the_specification_has_it(self):
        data = head({"a": 7}, [Tensor("w", (3, 2), F16)])
        expected = (b"GGUF" + struct.pack("<IQQ", 3, 1, 1) + struct.pack("<Q", 1) + b"a" + struct.pack("<II", 4, 7)
                    + struct.pack("<Q", 1) + b"w" + struct.pack("<IQQIQ", 2, 3, 2, 1, 0))
        self.assertEqual(data.rstrip(b"\0"), expected.rstrip(b"\0"))
        self.assertEqual(len(data) % ALIGNMENT, 0)
        self.assertLess(len(data) - len(expected), ALIGNMENT)

    def test_arrays_as_the_specification_has_them(self):
        data = head({"a": Array(STRING, ("xy", ""))}, [])
        expected = (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1) + b"a" + struct.pack("<IIQ", 9, 8, 2)
                    + struct.pack("<Q", 2) + b"xy" + struct.pack("<Q", 0))
        self.assertEqual(data.rstrip(b"\0"), expected.rstrip(b"\0"))

    def test_reads_back_what_it_wrote(self):
        tensors = [Tensor("a", (5, 3), F16), Tensor("b", (7,), F32, fill=1.0), Tensor("c", (2, 3, 4), F32)]
        write(self.path, METADATA, tensors)
        metadata, found = read_head(self.path)
        self.assertEqual(metadata, METADATA)
        self.assertIs(type(metadata["llama.flag"]), bool)
        self.assertEqual({name: (shape, code) for name, (shape, code, _) in found.items()},
                         {"a": ((5, 3), 1), "b": ((7,), 0), "c": ((2, 3, 4), 0)})
        self.assertTrue(all(offset % ALIGNMENT == 0 for _, _, offset in found.values()))
        self.assertEqual(self.path.stat().st_size, found["c"][2] + 4 * 24)  # 96 bytes, no padding behind them
        self.assertEqual(self.elements("b", "f"), (1.0,) * 7)

    def test_weights_are_random_and_of_their_magnitude(self):
        for kind, form in ((F16, "e"), (F32, "f")):
            count = CHUNK + 5
            write(self.path, METADATA, [Tensor("a", (count,), kind, exponent=-6)])
            values = self.elements("a", form)
            self.assertTrue(all(2**-6 <= abs(value) < 2**-5 for value in values))
            self.assertAlmostEqual(sum(value < 0 for value in values) / count, 0.5, delta=0.01)
            self.assertAlmostEqual(sum(map(abs, values)) / count, 1.5 * 2**-6, delta=1e-4)

    def test_the_same_seed_gives_the_same_file(self):
        tensors = [Tensor("a", (64, 64), F16)]
        files = []
        for seed in (1, 1, 2):
            write(self.path, METADATA, tensors, seed)
            files.append(self.path.read_bytes())
        self.assertEqual(files[0], files[1])
        self.assertNotEqual(files[0], files[2])

    def test_what_is_no_such_file(self):
        self.path.write_bytes(b"GGUF" + struct.pack("<I", 2))
        with self.assertRaises(ValueError):
            read_head(self.path)

    def test_architectures_are_whole(self):
        for name, (metadata, tensors) in ARCHITECTURES.items():
            with self.subTest(architecture=name):
                found = tensors(F16)
                names = [tensor.name for tensor in found]
                self.assertEqual(len(names), len(set(names)))
                self.assertEqual(metadata["general.architecture"], name.split("-")[0])
                layers = {text.split(".")[1] for text in names if text.startswith("blk.")}
                self.assertEqual(len(layers), metadata[name.split("-")[0] + ".block_count"])
                # Blocks of llama-quantize's types have up to 256 elements of a row.
                self.assertTrue(all(t.shape[0] % 256 == 0 for t in found if t.kind is F16))


if __name__ == "__main__":
    unittest.main()
