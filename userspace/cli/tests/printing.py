#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What commands print: each kind of document in text and in JSON, in TAP.

    printing.py BLINKTREE

BLINKTREE is the command with tests/fake/device.c in place of the device.
"""

import errno
import itertools
import json

from errors import run_all
from texts import Texts, hexed

ATTRIBUTES = {"name": "tree", "id": 1, "uid": 7, "gid": 0, "mode": "0646", "max_entries": 0,
              "max_bytes": 0, "replication": "none", "locking": "plain", "placement": "local",
              "key": "u64", "value": "u64", "compress": "no"}


class Printing(Texts):
    """A command that prints a document."""

    def prints(self, words, text, document, **variables):
        """The command must print this text, and this document as JSON with any line breaks."""
        for options in "", "--json", "--pretty":
            done = self.command(f"{words} {options}", **variables)
            shown = done.stdout.decode()
            if options:
                self.check(json.loads(shown) == document, f"{words} {options}: {shown}")
                one = shown.index("\n") == len(shown) - 1
                self.check(one == (options == "--json" or not document), f"{options}: {shown}")
            else:
                self.check(shown == text, f"{words}: {shown}")


def objects(case):
    """An object, and a row of its own."""
    lines = "".join(f"{name}: {value}\n" for name, value in ATTRIBUTES.items())
    case.prints("attr tree", lines, ATTRIBUTES)
    case.prints("get-or-insert tree 1 2", "1 2\n", {"key": 1, "value": 2})
    case.prints("get-or-insert tree 1 2 -x", "0x1 0x2\n", {"key": "0x1", "value": "0x2"})
    case.end("an object and a row")


def rows(case):
    """Rows with numbers, and without a value."""
    most = 2**64 - 1
    case.prints(f"get tree 1 {most}", f"1 2\n{most} 2\n",
                [{"key": 1, "value": 2}, {"key": most, "value": 2}])
    case.prints("floor tree 1", "1 - -\n", [{"key": 1, "found": None, "value": None}],
                RESULT=f"1 {errno.ENOENT}")
    case.kinds = "u128", "u64"
    for options, text in ("", "0x20000000000000000000000000000009"), \
            ("--key-form uuid", "20000000-0000-0000-0000-000000000009"), \
            ("--key-form ipv6", "2000::9"):
        case.prints(f"get tree 2000::9 {options}", f"{text} 2\n", [{"key": text, "value": 2}])
    case.takes("load tree file", b"")
    case.prints("scan tree", "", [])
    case.end("rows")


def strings(case):
    """Keys and values that are strings; those that are not UTF-8 are in base64."""
    case.kinds = "bytes", "bytes"
    case.loads(b"k a\\x20\\x22b\\\\/\n\\& \\&\n\\xff \\x00\\xff\nk " + hexed(4096 * b"\0"),
               (b"k", b'a "b\\/'), (b"", b""), (b"\xff", b"\0\xff"), (b"k", 4096 * b"\0"))
    case.prints("scan tree",
                "k a\\x20\\x22b\\\\/\n\\& \\&\n\\xff \\x00\\xff\nk " + 4096 * "\\x00" + "\n",
                [{"key": "k", "value": 'a "b\\/'}, {"key": "", "value": ""},
                 {"key": {"base64": "/w=="}, "value": {"base64": "AP8="}},
                 {"key": "k", "value": {"base64": 5461 * "A" + "A=="}}])
    case.kinds = "u64", "u64"
    case.end("strings as keys and as values")


def tables(case):
    """A table, and an object with a table and another object."""
    entry = {"name": "tree", "id": 1, "uid": 0, "gid": 0, "mode": "0600", "entries": 0,
             "max_entries": 0, "bytes": 0, "max_bytes": 0, "key": "u64", "value": "u64"}
    case.prints("list", "name  id  uid  gid  mode  entries  max_entries  bytes  max_bytes  key  "
                        "value\ntree   1    0    0  0600        0            0      0          0  "
                        "u64  u64\n", [entry])
    case.prints("list --names", "tree\n", [{"name": "tree"}])
    shown = case.command("stat tree").stdout.decode()
    for part in ("tree: tree\nentries: 3\n", "\nbytes_per_key: 0.0\n", "\nfill_percent: -\n",
                 "\ncompress: no\n\nlevels:\nlevel  numa_node  nodes  bytes  used  slots  "
                 "fill_percent\n    0          0      0      0     0      0             -\n\n"
                 "counters:\ninserts: 0\n"):
        case.check(part in shown, f"{part} {shown}")
    stat = json.loads(case.command("stat tree -p").stdout)
    case.check(stat["fill_percent"] is None and stat["counters"]["splits"] == 0, f"{stat}")
    case.check([level["level"] for level in stat["levels"]] == [0], f"{stat}")
    case.end("a table, and an object of several parts")


def documents(case):
    """JSON is JSON, without numbers of more than 64 bits, whatever the form of keys."""

    def number(text):
        case.check(int(text) < 1 << 64, text)

    for case.kinds, keys in (("u64", "u64"), "1 30001"), (("u128", "u64"), "::1 2001:db8::"):
        case.takes("load tree file", keys.replace(" ", " 1\n").encode() + b" 1")
        (case.work / "script").write_text("get 1\nput 2 3\n")
        for words in ("info", "list", "list --names", "scan tree -n 3", "scan tree -n 0",
                      f"get tree {keys}", "floor tree 5", "count tree", "stat tree",
                      "verify tree", "batch tree script", "attr tree"):
            for options in itertools.product(("-j", "-p"), ("hex", "uuid", "ipv6")):
                done = case.command("{} {} --key-form {}".format(words, *options))
                try:
                    json.loads(done.stdout, parse_int=number)
                except ValueError as error:
                    case.check(False, f"{words} {options}: {error}: {done}")
    case.kinds = "u64", "u64"
    case.end("JSON is JSON")


def given_up(case):
    """The list of a command that ends with a mistake is well-formed."""
    (case.work / "file").write_text("get 1\nget x\n")
    done = case.command("batch tree file -j")
    case.check(done.returncode == 2 and len(json.loads(done.stdout)) == 1, f"{done}")
    case.end("a list that was given up is well-formed")


if __name__ == "__main__":
    run_all(Printing, objects, rows, strings, tables, documents, given_up)
