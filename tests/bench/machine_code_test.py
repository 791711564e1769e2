#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of what bench/explain counts, on a disassembly as llvm-objdump prints it."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from reports.machine_code import Instruction, Mix, locate, read_functions

DISASSEMBLY = """
kernel.o:	file format elf64-x86-64

Disassembly of section .text:

0000000000000000 <block>:
       0:      	subq	$88, %rsp
       4:      	vmovups	%zmm1, 64(%rsp)
       c:      	vmovups	(%rsi,%rax), %zmm2
      12:      	vbroadcastss	4(%rdi), %zmm3
      1a:      	vfmadd231ps	%zmm2, %zmm3, %zmm0
      20:      	vfmadd231ps	(%rdi){1to16}, %zmm2, %zmm1
      26:      	vmovups	64(%rsp), %zmm4
      2e:      	jne	0x1a <block+0x1a>
      30:      	vmovups	%zmm0, (%rdx) {%k1}
      36:      	jb	0xc <block+0xc>
      38:      	retq

0000000000000040 <other>:
      40:      	callq	0x0 <block>
      45:      	retq
"""


class ReadTest(unittest.TestCase):
    def test_functions_and_sizes(self):
        block, other = read_functions(DISASSEMBLY)
        self.assertEqual([block.name, other.name], ["block", "other"])
        self.assertEqual([i.size for i in block.instructions[:4]], [4, 8, 6, 8])
        self.assertEqual(other.loops(), [])

    def test_only_the_innermost_loop_counts(self):
        loops = read_functions(DISASSEMBLY)[0].loops()
        self.assertEqual([(loop[0].address, loop[-1].address) for loop in loops], [(0x1A, 0x2E)])
        mix = Mix(loops[0])
        self.assertEqual((mix.instructions, mix.bytes, mix.multiply_adds), (4, 0x30 - 0x1A, 2))
        self.assertEqual((mix.loads, mix.folded_broadcasts, mix.stores), (2, 1, 0))
        self.assertEqual((mix.stack_loads, mix.stack_stores), (1, 0))


class LocateTest(unittest.TestCase):
    text = bytes(k * k % 251 for k in range(1000))

    def test_linked_code_differs_in_a_few_places(self):
        linked = bytearray(self.text)
        linked[10:14] = linked[500:504] = b"\0\0\0\0"
        self.assertEqual(locate(self.text, b"\xcc" * 64 + linked + b"\xcc" * 64), 64)

    def test_other_code_is_not_taken_for_it(self):
        self.assertIsNone(locate(self.text, bytes(4096)))
        # The same start, as of another kernel with the same function in front.
        self.assertIsNone(locate(self.text, self.text[:200] + bytes(4096)))


class InstructionTest(unittest.TestCase):
    def check(self, text, load, store, kind):
        mnemonic, _, operands = text.partition(" ")
        instruction = Instruction(0, mnemonic, operands)
        self.assertEqual((*instruction.accesses(), instruction.kind()), (load, store, kind), text)

    def test_kinds_and_accesses(self):
        move = "vector move or broadcast load"
        self.check("vmovups %zmm0, (%rdx) {%k1}", False, True, move)
        self.check("vmovups (%rdx), %zmm0 {%k1} {z}", True, False, move)
        self.check("vbroadcastss 4(%rdi), %zmm3", True, False, move)
        self.check("vbroadcastss %xmm1, %zmm3", False, False, "shuffle")
        self.check("vdpbf16ps (%rdi){1to16}, %zmm2, %zmm1", True, False, "multiply-add")
        self.check("vpdpbusd %zmm1, %zmm2, %zmm3", False, False, "multiply-add")
        self.check("vcvtph2ps (%rsi), %zmm0", True, False, "conversion")
        self.check("vpmovzxbw (%rsi), %zmm0", True, False, "conversion")
        self.check("vcvtps2ph $4, %zmm0, (%rsi)", False, True, "conversion")
        self.check("vpermt2w %zmm1, %zmm2, %zmm3", False, False, "shuffle")
        self.check("vgatherdps (%rax,%zmm1,4), %zmm0 {%k1}", True, False, "gather or scatter")
        self.check("vscatterdps %zmm0, (%rax,%zmm1,4) {%k1}", False, True, "gather or scatter")
        self.check("vaddps (%rax), %zmm1, %zmm2", True, False, "other vector")
        self.check("leaq 64(%rsp), %rax", False, False, "scalar")
        self.check("nopw %cs:(%rax,%rax)", False, False, "scalar")
        self.check("cmpq $1, 8(%rsp)", True, False, "scalar")
        self.check("incq (%rax)", True, True, "scalar")
        self.check("addq $1, (%rax)", True, True, "scalar")
        self.check("movq %rax, 8(%rsp)", False, True, "scalar")
        self.check("pushq 8(%rax)", True, False, "scalar")


if __name__ == "__main__":
    unittest.main()
