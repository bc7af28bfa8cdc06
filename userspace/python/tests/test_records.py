# SPDX-License-Identifier: GPL-2.0
"""Records are written and read as the C library does it."""

import pathlib
import re
import unittest

from blinktree import _abi, _records

TOP = pathlib.Path(__file__).resolve().parents[3]
VECTORS = TOP / "userspace" / "lib" / "tests" / "vectors.inc"
VECTOR = re.compile(
    r'^VECTOR\((\w+), "(\w*)", "(\w*)", "(\w*)", (-?\d+), (\d+),\s*((?:"\w*"\s*)+)\)', re.M
)


class Vectors(unittest.TestCase):
    """One file of records for all languages."""

    def test_all(self):
        """Each is read, and those that are operations are written."""
        found = VECTOR.findall(VECTORS.read_text())
        self.assertEqual(len(found), VECTORS.read_text().count("\nVECTOR("))
        for name, key, value, old, result, flags, digits in found:
            stream = bytes.fromhex(digits.replace('"', ""))
            fields = (bytes.fromhex(field) for field in (key, value, old))
            record = _records.Record(getattr(_abi, name), *fields, int(result), int(flags))
            self.assertEqual(list(_records.unpack(stream * 2)), [record] * 2)
            if not record.result and not record.flags:
                self.assertEqual(_records.pack(record), stream)
