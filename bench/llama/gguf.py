# SPDX-License-Identifier: Apache-2.0

"""Files of models in GGUF, version 3 (ggml's docs/gguf.md), with random weights: writes them, and reads their
heads. What is here is what such a model needs: metadata of five types and arrays of them, tensors of f32 and f16.
"""

import random
import struct
from dataclasses import dataclass

MAGIC, VERSION, ALIGNMENT = b"GGUF", 3, 32
CHUNK = 1 << 20  # elements that are made at a time


@dataclass(frozen=True)
class Float:
    code: int  # as ggml numbers its types
    size: int  # bytes
    mantissa: int  # bits
    bias: int  # of the exponent


F32, F16 = Float(0, 4, 23, 127), Float(1, 2, 10, 15)
FLOATS = {kind.code: kind for kind in (F32, F16)}

# Types of metadata, as GGUF numbers them: the format of struct.
U32, I32, FLOAT32, BOOL, STRING, ARRAY = 4, 5, 6, 7, 8, 9
SCALARS = {U32: "<I", I32: "<i", FLOAT32: "<f", BOOL: "<?"}


@dataclass(frozen=True)
class Array:
    code: int  # type of its elements
    elements: tuple


@dataclass(frozen=True)
class Tensor:
    name: str
    shape: tuple  # the dimension that is contiguous first
    kind: Float
    # None: random signs, and magnitudes evenly from 2**exponent to twice that. A number: all are that.
    fill: float = None
    exponent: int = 0

    @property
    def count(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def bytes(self):
        return self.count * self.kind.size


def padding(size):
    return -size % ALIGNMENT


def string(text):
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def value(thing):
    """With its type before it."""
    if isinstance(thing, str):
        return struct.pack("<I", STRING) + string(thing)
    if isinstance(thing, Array):
        parts = [string(element) if thing.code == STRING else struct.pack(SCALARS[thing.code], element)
                 for element in thing.elements]
        return struct.pack("<IIQ", ARRAY, thing.code, len(parts)) + b"".join(parts)
    code = BOOL if isinstance(thing, bool) else U32 if isinstance(thing, int) else FLOAT32
    return struct.pack("<I", code) + struct.pack(SCALARS[code], thing)


def head(metadata, tensors):
    """All that comes before the weights."""
    parts = [MAGIC, struct.pack("<IQQ", VERSION, len(tensors), len(metadata))]
    parts += [string(key) + value(thing) for key, thing in metadata.items()]
    offset = 0
    for tensor in tensors:
        parts.append(string(tensor.name) + struct.pack("<I", len(tensor.shape)))
        parts.append(struct.pack(f"<{len(tensor.shape)}Q", *tensor.shape))
        parts.append(struct.pack("<IQ", tensor.kind.code, offset))
        offset += tensor.bytes + padding(tensor.bytes)
    data = b"".join(parts)
    return data + bytes(padding(len(data)))


def weights(tensor, generator):
    """The tensor's bytes, in chunks."""
    kind, bits = tensor.kind, 8 * tensor.kind.size
    left = tensor.count
    while left:
        count = min(left, CHUNK)
        left -= count
        if tensor.fill is not None:
            yield struct.pack("<f" if kind is F32 else "<e", tensor.fill) * count
            continue

        def repeated(pattern):
            return int.from_bytes(pattern.to_bytes(kind.size, "little") * count, "little")

        # All elements at once, as one number: their signs and mantissas are random, their exponent is set.
        random_bits = repeated(1 << (bits - 1) | (1 << kind.mantissa) - 1)
        exponents = repeated((tensor.exponent + kind.bias) << kind.mantissa)
        noise = int.from_bytes(generator.randbytes(count * kind.size), "little")
        yield (noise & random_bits | exponents).to_bytes(count * kind.size, "little")


def write(path, metadata, tensors, seed=1):
    generator = random.Random(seed)
    with open(path, "wb") as file:
        file.write(head(metadata, tensors))
        for tensor in tensors:
            for chunk in weights(tensor, generator):
                file.write(chunk)
            file.write(bytes(padding(tensor.bytes)))


class Reader:
    def __init__(self, file):
        self.file = file

    def number(self, form):
        return struct.unpack(form, self.file.read(struct.calcsize(form)))[0]

    def string(self):
        return self.file.read(self.number("<Q")).decode()

    def value(self):
        code = self.number("<I")
        if code != ARRAY:
            return self.of_type(code)
        code, count = self.number("<I"), self.number("<Q")
        return Array(code, tuple(self.of_type(code) for _ in range(count)))

    def of_type(self, code):
        if code == STRING:
            return self.string()
        if code not in SCALARS:
            raise ValueError(f"metadata of type {code}, which this reader does not have")
        return self.number(SCALARS[code])


def read_head(path):
    """Metadata; tensors by their names, each as its shape, the code of its type and where in the file it begins."""
    with open(path, "rb") as file:
        reader = Reader(file)
        if file.read(len(MAGIC)) != MAGIC or reader.number("<I") != VERSION:
            raise ValueError(f"{path} is no GGUF file of version {VERSION}")
        count, pairs = reader.number("<Q"), reader.number("<Q")
        metadata = {}
        for _ in range(pairs):
            key = reader.string()
            metadata[key] = reader.value()
        tensors = {}
        for _ in range(count):
            name = reader.string()
            shape = tuple(reader.number("<Q") for _ in range(reader.number("<I")))
            tensors[name] = shape, reader.number("<I"), reader.number("<Q")
        begin = file.tell() + padding(file.tell())
    return metadata, {name: (shape, code, begin + offset) for name, (shape, code, offset) in tensors.items()}
