# SPDX-License-Identifier: Apache-2.0

"""Functions, loops and kinds of instructions in a disassembly by llvm-objdump (AT&T syntax)."""

import re
from collections import Counter
from dataclasses import dataclass

MULTIPLY_ADD = re.compile(r"vfn?m(add|sub)|vdpbf16ps|vdpphps|vpdp|vpmadd|tdp|tcmm|tmm")
GATHER = re.compile(r"v?p?(gather|scatter)")
CONVERT = re.compile(r"v?cvt|v?pmov(us|s|z)?[sz]?x?[bwdq]{2}$")
SHUFFLE = re.compile(r"v?p?(perm|shuf|unpck|align|insert|extract|pack|blend|broadcast)")
MOVE = re.compile(r"v?p?mov|kmov|tileload|tilestore")
VECTOR = re.compile(r"%[xyz]mm|%tmm|%k[0-7]")
MEMORY = re.compile(r"\([^)]*%[^)]*\)")  # every address here has a register in it
NO_ACCESS = re.compile(r"lea|nop|prefetch|data16|endbr")
# Instructions whose last operand is memory that they only read, or only write; others do both.
READS_LAST = re.compile(r"cmp|test|bt[lqw]?$|vptest|vu?comi|push|jmp|call|mul|i?div|imul")
WRITES_LAST = re.compile(r"v?p?mov|set|pop|v?p?extract|v?pextr|vcvtps2ph|v?p?scatter|vp?compress"
                         r"|tilestore")


@dataclass
class Instruction:
    address: int
    mnemonic: str
    operands: str
    size: int = 0

    def __post_init__(self):
        self.operands = self.operands.split("#")[0].strip()

    @property
    def text(self):
        return f"{self.mnemonic} {self.operands}".strip()

    def target(self):
        """Where a jump goes; None of other instructions and of indirect jumps."""
        if not self.mnemonic.startswith("j"):
            return None
        found = re.match(r"0x([0-9a-f]+)", self.operands)
        return int(found.group(1), 16) if found else None

    def accesses(self):
        """Whether memory is loaded, whether it is stored."""
        memory = list(MEMORY.finditer(self.operands))
        if not memory or NO_ACCESS.match(self.mnemonic):
            return False, False
        # A write mask may follow: vmovups %zmm0, (%rax) {%k1}
        after = re.sub(r"\{[^}]*\}", "", self.operands[memory[-1].end():]).strip()
        if after or READS_LAST.match(self.mnemonic):
            return True, False
        return not WRITES_LAST.match(self.mnemonic), True

    def kind(self):
        name = self.mnemonic
        if MULTIPLY_ADD.match(name):
            return "multiply-add"
        if GATHER.match(name):
            return "gather or scatter"
        if not VECTOR.search(self.operands):
            return "scalar"
        if CONVERT.match(name):
            return "conversion"
        # What is loaded and broadcast takes no unit but the load's.
        if MOVE.match(name) or (self.accesses()[0] and "broadcast" in name):
            return "vector move or broadcast load"
        if SHUFFLE.match(name):
            return "shuffle"
        return "other vector"


class Mix:
    """What a sequence of instructions consists of."""

    def __init__(self, instructions):
        self.instructions = len(instructions)
        self.bytes = sum(i.size for i in instructions)
        self.kinds = Counter(i.kind() for i in instructions)
        self.loads = self.stores = self.folded_broadcasts = 0
        self.stack_loads = self.stack_stores = 0
        for instruction in instructions:
            load, store = instruction.accesses()
            self.loads += load
            self.stores += store
            self.folded_broadcasts += "{1to" in instruction.operands
            if "(%rsp" in instruction.operands:
                self.stack_loads += load
                self.stack_stores += store

    @property
    def multiply_adds(self):
        return self.kinds["multiply-add"]


@dataclass
class Function:
    name: str
    instructions: list

    def loops(self):
        """Instructions of each innermost loop: from a jump's target back to the jump, without
        another such range inside."""
        ranges = set()
        for instruction in self.instructions:
            target = instruction.target()
            if target is not None and self.instructions[0].address <= target <= instruction.address:
                ranges.add((target, instruction.address))
        # Several jumps back to one header are one loop.
        by_header = {}
        for first, last in ranges:
            by_header[first] = max(last, by_header.get(first, last))
        loops = sorted(by_header.items())
        innermost = [
            (first, last) for first, last in loops
            if not any(first <= f and l <= last and (f, l) != (first, last) for f, l in loops)
        ]
        return [[i for i in self.instructions if first <= i.address <= last]
                for first, last in innermost]


def locate(text, memory):
    """Where the code of an object lies in memory, None if it is not there. Linking changes a few
    addresses in it, another assembler aligns loops with other instructions, and functions may begin
    alike: the place that agrees most is taken."""
    needle = 48
    places = set()
    for start in range(0, max(1, len(text) - needle), needle):
        found = memory.find(text[start:start + needle], start)
        while found >= 0:
            places.add(found - start)
            found = memory.find(text[start:start + needle], found + 1)
    same = {place: sum(map(int.__eq__, text, memory[place:place + len(text)])) for place in places}
    best = max(same, key=same.get, default=None)
    return best if best is not None and same[best] >= 0.8 * len(text) else None


def read_functions(disassembly):
    """The functions of `llvm-objdump -d --no-show-raw-insn`."""
    functions = []
    for line in disassembly.splitlines():
        start = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if start:
            functions.append(Function(start.group(1), []))
            continue
        found = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)$", line)
        if not found or not functions or found.group(2).startswith("R_X86"):
            continue
        instruction = Instruction(int(found.group(1), 16), found.group(2), found.group(3))
        instructions = functions[-1].instructions
        if instructions:
            instructions[-1].size = instruction.address - instructions[-1].address
        instructions.append(instruction)
    return [f for f in functions if f.instructions]
