# SPDX-License-Identifier: Apache-2.0

"""Which builds of a driver the Vulkan loader is told to take."""

import json
import os
import struct
from pathlib import Path

# The loader's variables that name manifests, or folders of them; the first that is set counts.
_VARIABLES = ("VK_DRIVER_FILES", "VK_ICD_FILENAMES")

_PT_NOTE = 4
_NT_GNU_BUILD_ID = 3
_ELF64_LITTLE = b"\x7fELF\x02\x01"


def drivers():
    """Of each driver that the environment names: the library and its build id."""
    named = next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")
    found = []
    for word in filter(None, named.split(os.pathsep)):
        path = Path(word)
        for manifest in sorted(path.glob("*.json")) if path.is_dir() else [path]:
            library = _library(manifest)
            if library:
                found.append({"library": library.name, "build_id": build_id(library)})
    return found


def build_id(path):
    """The build id in an ELF file's notes, in hexadecimal; "" if it has none."""
    try:
        content = path.read_bytes()
        return _build_id(content) if content.startswith(_ELF64_LITTLE) else ""
    except (OSError, struct.error):
        return ""


def _library(manifest):
    try:
        written = json.loads(manifest.read_text())["ICD"]["library_path"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    # A bare name is looked for where libraries are, as the loader does; here it stays unknown.
    return manifest.parent / written if "/" in written else Path(written)


def _build_id(content):
    headers, = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for index in range(count):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", content, headers + index * size)
        if kind != _PT_NOTE:
            continue
        end = offset + length
        while offset + 12 <= end:
            name, described, note = struct.unpack_from("<III", content, offset)
            start = offset + 12 + _padded(name)
            if note == _NT_GNU_BUILD_ID and content[offset + 12 : offset + 16] == b"GNU\0":
                return content[start : start + described].hex()
            offset = start + _padded(described)
    return ""


def _padded(size):
    return (size + 3) & ~3
