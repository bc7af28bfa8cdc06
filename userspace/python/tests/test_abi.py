# SPDX-License-Identifier: GPL-2.0
"""The package's structures and numbers are those of <linux/blink_tree.h>."""

import ctypes
import pathlib
import subprocess
import tempfile
import unittest

from blinktree import _abi

TOP = pathlib.Path(__file__).resolve().parents[3]
HEADERS = TOP / "include" / "uapi"

# Of each structure, the description is its name in the header.
STRUCTS = [
    kind
    for kind in vars(_abi).values()
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and "_fields_" in vars(kind)
]

# Constants whose names in the header differ by more than a prefix.
NAMES = {
    "SCAN_DESC": "BLINK_TREE_RECORD_SCAN_DESC",
    "SCAN_COUNT": "BLINK_TREE_RECORD_SCAN_COUNT",
    "FIRST_OPEN": "BLINK_TREE_RECORD_SCAN_FIRST_OPEN",
    "LAST_OPEN": "BLINK_TREE_RECORD_ERASE_LAST_OPEN",
    "PREFIX": "BLINK_TREE_RECORD_ERASE_PREFIX",
    "DONE": "BLINK_TREE_RECORD_SCAN_DONE",
}
OPCODES = (
    "LOOKUP INSERT STORE REPLACE ERASE CMPXCHG CMPERASE FLOOR CEILING GET_OR_INSERT"
    " POP_MIN POP_MAX EXPECT ABSENT ADD ADD_SATURATE"
).split()
NAMES.update((name, f"BLINK_TREE_OP_{name}") for name in OPCODES)


def field_in_c(name):
    """The header's name of a field."""
    return f"__{name}" if name in ("reserved", "pad", "pad2") else name


def expected():
    """Pairs of an expression in C, and of its number here."""
    for struct in STRUCTS:
        name = struct.__doc__
        yield f"sizeof({name})", ctypes.sizeof(struct)
        for field in struct._fields_:
            at = getattr(struct, field[0])
            member = field_in_c(field[0])
            yield f"offsetof({name}, {member})", at.offset
            yield f"sizeof((({name} *)0)->{member})", at.size
        if hasattr(struct, "NUMBER"):
            ioctl = name.removeprefix("struct ").upper()
            yield ioctl, _abi.request(struct)
    for name, number in vars(_abi).items():
        if name.isupper() and isinstance(number, int):
            yield NAMES.get(name, f"BLINK_TREE_{name}"), number


class Abi(unittest.TestCase):
    """A compiler that reads the header says the same."""

    def test_header(self):
        """Sizes, offsets, numbers of ioctls, opcodes and flags."""
        pairs = dict(expected())
        self.assertGreater(len(pairs), 200)
        lines = [f'printf("%llu\\n", (unsigned long long)({expression}));' for expression in pairs]
        source = (
            "#include <stddef.h>\n#include <stdio.h>\n#include <linux/blink_tree.h>\n"
            "int main(void)\n{\n" + "\n".join(lines) + "\nreturn 0;\n}\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "abi")
            compiler = ["cc", "-x", "c", "-I", HEADERS, "-o", program, "-"]
            subprocess.run(compiler, input=source, text=True, check=True)
            output = subprocess.run([program], capture_output=True, text=True, check=True)
        numbers = map(int, output.stdout.split())
        self.assertEqual(dict(zip(pairs, numbers)), pairs)
