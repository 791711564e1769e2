# SPDX-License-Identifier: Apache-2.0
"""The workgroups that threads run, as a shader's entry function says by two variables: `tessera`, the state of the
stream that runs, and `tessera_streams`, all of the workgroup's (jit/emit/debug_frame.h). A stream has the invocations
of a subgroup, or of all of the workgroup. A workgroup's streams take turns on one thread: each runs up to a barrier,
then the next.
"""

import struct

import gdb

RUNS, HAS_ENDED, HAS_NOT_BEGUN = 0, -1, -2
MOST_FRAMES = 200  # between where a thread is and the shader's entry function


def ranges(numbers):
    """0, 1, 2, 5 as '0-2, 5'."""
    runs = []
    for n in numbers:
        if runs and n == runs[-1][1] + 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs) or "none"


def plural(what, numbers):
    return what + ("s " if len(numbers) != 1 else " ") + ranges(numbers)


def triple(numbers):
    return "(" + ", ".join(str(n) for n in numbers) + ")"


class Stream:
    """The invocations that run together, and where they are."""

    def __init__(self, shader, number, frame, at):
        self.shader, self.number, self.at = shader, number, at
        self.pointer = int(frame)
        self.frame = frame.dereference()

    def field(self, name):
        return int(self.frame[name])

    def subgroups(self):
        """The number of each, and its first lane in the stream."""
        size = self.shader.subgroup_size
        return [((self.number * self.shader.lanes + first) // size, first) for first in range(0, self.lanes(), size)]

    def lanes(self):
        """How many invocations there are; the last stream of a workgroup may have less than others."""
        x, y, z = self.shader.size
        return min(self.shader.lanes, x * y * z - self.number * self.shader.lanes)

    def live(self):
        """Lanes that run the current code, or wait."""
        first, width, words = self.field("first"), self.field("width"), self.frame["live"]
        bits = 0
        for k in range((width + 63) // 64):
            bits |= int(words[k]) << 64 * k
        return [first + lane for lane in range(width) if bits >> lane & 1]

    def look_at(self, lane):
        gdb.selected_inferior().write_memory(int(self.frame["lane"].address), struct.pack("=I", lane))

    def invocation(self, lane):
        return self.shader.global_id(self.number * self.shader.lanes + lane)

    def describe(self, lane):
        size = self.shader.subgroup_size
        subgroup, first = self.subgroups()[lane // size]
        return (f"invocation {triple(self.invocation(lane))}: lane {lane - first} of subgroup {subgroup},"
                f" workgroup {triple(self.shader.workgroup)}")


class Shader:
    """A workgroup that a thread runs."""

    moved = {}  # addresses of `tessera` that lead to a subgroup that waits, and what belongs there

    def __init__(self, frame, symbol):
        self.value = symbol.value(frame)
        self.slot = int(self.value.address)
        state = self.value.dereference()
        self.workgroup = self.three(state["workgroup"])
        self.size = self.three(state["workgroup_size"])
        self.lanes, self.subgroup_size = int(state["lanes"]), int(state["subgroup_size"])
        owner = int(state["stream"])
        self.streams = self.read_streams(frame, owner)
        has_begun = owner < len(self.streams) and self.streams[owner].at != HAS_NOT_BEGUN
        self.looked_at = self.streams[owner] if has_begun else None
        names = [field.name for field in state.type.fields()]
        self.count = self.three(state["workgroup_count"]) if "workgroup_count" in names else None
        self.has_quads = "quads" in names and int(state["quads"]) != 0

    def read_streams(self, frame, owner):
        try:
            streams = frame.read_var("tessera_streams")
        except ValueError:
            # Without barriers one frame is all streams', one after the other.
            x, y, z = self.size
            count = (x * y * z + self.lanes - 1) // self.lanes if self.lanes else 0
            states = [HAS_ENDED] * owner + [RUNS] + [HAS_NOT_BEGUN] * (count - owner)
            return [Stream(self, k, self.value, states[k]) for k in range(count)]
        count = streams.type.range()[1] + 1
        return [Stream(self, k, streams[k]["frame"], int(streams[k]["at"])) for k in range(count)]

    @staticmethod
    def three(value):
        return tuple(int(value[c]) for c in range(3))

    def running(self):
        """The stream that the thread is in."""
        return next((s for s in self.streams if s.at == RUNS), None)

    def show(self, stream):
        """Variables are those of the stream."""
        running = self.running()
        if running is not None and stream is not running:
            Shader.moved[self.slot] = running.pointer
        gdb.selected_inferior().write_memory(self.slot, struct.pack("=Q", stream.pointer))
        self.looked_at = stream

    @classmethod
    def put_back(cls):
        for slot, pointer in cls.moved.items():
            gdb.selected_inferior().write_memory(slot, struct.pack("=Q", pointer))
        cls.moved.clear()

    def local_id(self, index):
        """Of an invocation, by its number in the workgroup."""
        x, y, _ = self.size
        if not self.has_quads:
            return index % x, index // x % y, index // (x * y)
        block = index >> 2
        row = block // (x // 2)
        return block % (x // 2) * 2 + (index & 1), row % (y // 2) * 2 + (index >> 1 & 1), index // (x * y)

    def global_id(self, index):
        return tuple(w * s + i for w, s, i in zip(self.workgroup, self.size, self.local_id(index)))

    def find(self, invocation):
        """The stream and the lane of a global id; none: it is in another workgroup."""
        if tuple(i // s for i, s in zip(invocation, self.size)) != self.workgroup:
            return None
        for index in range(self.size[0] * self.size[1] * self.size[2]):
            if self.global_id(index) == invocation:
                return self.streams[index // self.lanes], index % self.lanes
        return None


def own_symbol(frame):
    """`tessera`, where the frame is a shader's entry function's."""
    if gdb.solib_name(frame.pc()) is not None:
        return None  # whose symbols gdb need not read for this
    try:
        block = frame.block()
    except RuntimeError:
        return None
    while block is not None:
        for symbol in block:
            if symbol.name == "tessera" and symbol.type.code == gdb.TYPE_CODE_PTR:
                return symbol if symbol.type.target().name == "tessera_frame" else None
        if block.function is not None:
            return None
        block = block.superblock
    return None


def find_entry():
    """The frame of the shader that the selected thread runs, and its `tessera`; none: it runs none that is known."""
    try:
        frame = gdb.newest_frame()
        for _ in range(MOST_FRAMES):
            if frame is None or frame.type() not in (gdb.NORMAL_FRAME, gdb.INLINE_FRAME):
                return None
            symbol = own_symbol(frame)
            if symbol is not None:
                return frame, symbol
            frame = frame.older()
    except gdb.error:  # no thread, or one that is not stopped
        pass
    return None


def find_shader():
    """Of the selected thread; none: it runs no shader that is known, or one that has only begun."""
    entry = find_entry()
    try:
        shader = Shader(*entry) if entry is not None else None
    except gdb.error:
        return None
    return shader if shader is not None and shader.looked_at is not None else None


def shaders():
    """Of each thread that has one, with the thread."""
    before, found = gdb.selected_thread(), []
    if before is None:
        return found
    frame = gdb.selected_frame()
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda thread: thread.num):
        if thread.is_valid() and thread.is_stopped():
            thread.switch()
            shader = find_shader()
            if shader is not None:
                found.append((thread, shader))
    before.switch()
    frame.select()
    return found


def the_shader():
    """Of the selected thread; where there is none, says what to do."""
    if gdb.selected_thread() is None:
        raise gdb.GdbError("no program runs: `run`, with TESSERA_DEBUG=1 in its environment, and a breakpoint in a"
                           " shader (`break blur.comp:36`) that is made before (`set breakpoint pending on`)")
    shader = find_shader()
    if shader is not None:
        return shader
    if find_entry() is not None:
        raise gdb.GdbError("the shader has only begun, and has no variables yet: `next`")
    others = [thread.num for thread, _ in shaders()]
    if others:
        raise gdb.GdbError(f"thread {gdb.selected_thread().num} runs no shader, but {plural('thread', others)}:"
                           f" `thread {others[0]}`")
    raise gdb.GdbError("no thread runs a shader that was compiled for debuggers: the program needs TESSERA_DEBUG=1, the"
                       " shader debug information (glslangValidator -gVS) and a breakpoint (`break blur.comp:36`)")
