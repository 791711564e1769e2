# SPDX-License-Identifier: Apache-2.0
"""How values are shown that gdb does not know: small floats, and cooperative matrices as tables."""

import struct
import sys

import gdb


def bits_of(value):
    """Of a float that gdb may not know."""
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_INT:
        return int(value)
    if value.address is not None:
        return struct.unpack("=H", bytes(gdb.selected_inferior().read_memory(int(value.address), 2)))[0]
    return struct.unpack("=I", struct.pack("=f", float(value)))[0] >> 16


def small_float(bits, exponent_bits, mantissa_bits, has_infinity):
    sign = -1.0 if bits >> (exponent_bits + mantissa_bits) else 1.0
    exponent, mantissa = bits >> mantissa_bits & (1 << exponent_bits) - 1, bits & (1 << mantissa_bits) - 1
    bias, most = (1 << exponent_bits - 1) - 1, (1 << exponent_bits) - 1
    if exponent == most and has_infinity:
        return sign * float("inf") if mantissa == 0 else float("nan")
    if exponent == most and mantissa == (1 << mantissa_bits) - 1:
        return float("nan")
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


SMALL_FLOATS = {"bfloat16_t": (8, 7, True), "floate4m3_t": (4, 3, False), "floate5m2_t": (5, 2, True)}


class SmallFloat:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"{small_float(bits_of(self.value), *SMALL_FLOATS[self.value.type.name]):.9g}"


class Matrix:
    """A cooperative matrix as its rows: for editors, which open them."""

    def __init__(self, value):
        self.name, self.rows = value.type.name, value.cast(value.type.strip_typedefs())
        self.count = self.rows.type.range()[1] + 1

    def to_string(self):
        return self.name

    def children(self):
        for row in range(self.count):
            yield f"row {row}", self.rows[row]


class MatrixTable:
    """A cooperative matrix as text: a line for each row, with `print elements` of its elements."""

    def __init__(self, value):
        self.name, self.rows = value.type.name, value.cast(value.type.strip_typedefs())

    def to_string(self):
        rows, columns = (array.range()[1] + 1 for array in (self.rows.type, self.rows.type.target()))
        most = gdb.parameter("print elements") or max(rows, columns)
        cells = [[self.rows[row][column].format_string() for column in range(min(columns, most))]
                 for row in range(min(rows, most))]
        width, number = max(len(cell) for row in cells for cell in row), len(str(rows - 1))
        lines = [f"{self.name}: {rows} rows, {columns} columns"]
        for k, row in enumerate(cells):
            lines.append(f"  {k:{number}}: " + " ".join(cell.rjust(width) for cell in row + ["..."] * (columns > most)))
        return "\n".join(lines + ["  ..."] * (rows > most))


class StridedArray:
    """Elements that do not lie side by side, of which gdb (16, too) copies more than there is of each, or less."""

    def __init__(self, value):
        self.value, self.count = value, value.type.range()[1] + 1

    def children(self):
        pointer, stride = self.value.type.target().pointer(), self.value.type.sizeof // self.count
        for k in range(self.count):
            if self.value.address is None:
                yield f"[{k}]", self.value[k]
            else:
                yield f"[{k}]", gdb.Value(int(self.value.address) + k * stride).cast(pointer).dereference()

    def display_hint(self):
        return "array"


class Byte:
    """A number, not a character."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return str(int(self.value))


def is_strided(array):
    return array.sizeof not in (0, (array.range()[1] + 1) * array.target().sizeof)


def allow_buffers():
    """gdb refuses to read what is larger than 64 KiB, of which it prints the beginning."""
    if gdb.parameter("max-value-size") == 65536:
        gdb.execute("set max-value-size 67108864")


def shows_children():
    """Whether gdb talks to an editor, which opens values in its own way: by GDB/MI or DAP."""
    if "gdb.dap" in sys.modules:
        return True
    with open("/proc/self/cmdline", encoding="utf-8", errors="replace") as file:
        words = file.read().split("\0")
    for word, following in zip(words, words[1:]):
        option, _, value = word.partition("=")
        if option.startswith("-") and option.lstrip("-") in ("i", "interpreter"):
            return (value or following).startswith("mi")
    return False


def printer(value):
    if value.type.code == gdb.TYPE_CODE_ARRAY and is_strided(value.type):
        return StridedArray(value)
    if value.type.code == gdb.TYPE_CODE_INT and value.type.name in ("int8_t", "uint8_t"):
        return Byte(value)
    if value.type.code != gdb.TYPE_CODE_TYPEDEF or value.type.name is None:
        return None
    if value.type.name in SMALL_FLOATS:
        return SmallFloat(value)
    if value.type.name.startswith("coopmat<"):
        return Matrix(value) if IS_FOR_EDITOR else MatrixTable(value)
    return None


IS_FOR_EDITOR = shows_children()
