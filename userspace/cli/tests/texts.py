#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""What the command reads and writes: command lines, keys, values, scripts and files, in TAP.

    texts.py BLINKTREE

BLINKTREE is the command with tests/fake/device.c in place of the device, which keeps each
operation as the command sends it, and returns it from a scan.
"""

import json
import os
import pathlib
import random
import re
import shutil
import struct
import sys

from errors import Case, run_all

KEYS = ["u64", "u128", "multi", "bytes"]
OPERATIONS = "get insert put replace del cas cad floor ceil get-or-insert pop-min pop-max".split()
OPERATIONS += "expect absent add add-saturate".split()
STORE = OPERATIONS.index("put")
HUGE = 2**64 - 1
UUID = "550e8400-e29b-41d4-a716-446655440000"
WIDE = 0x550E8400E29B41D4A716446655440000

# Texts that are numbers, and others: blinktree-nats reads its options by the same.
NUMBERS, NOT_NUMBERS = json.loads(
    pathlib.Path(__file__).with_name("numbers.json").read_text(encoding="utf-8")).values()
NOT_WIDE = ["", "-", UUID[:-1], UUID + "0", UUID.replace("-", "", 1), UUID[:-1] + "g",
            "550e8400-e29b41d4--a716-446655440000", "550e8400e-29b-41d4-a716-446655440000",
            "2001:db8::1/32", "2001:db8:::1", "2001:db8::1::", "1:2:3:4:5:6:7:8:9", ":",
            "1.2.3.4", "2001:0db8:0000:0000:0000:0000:0000:0001:0000:0000:0000:0000",
            "deadbeef", str(2**128), "0x1" + 32 * "0"]
NOT_STRINGS = ["\\", "a\\", "\\q", "\\x1", "\\xg0", "\\0"]

# Characters that a terminal obeys or hides, and others.
HIDE = [0x01, 0x07, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x9F, 0xA0, 0xAD, 0x34F, 0x61C, 0x115F, 0x1160,
        0x180E, 0x2003, *range(0x200B, 0x2010), *range(0x2028, 0x2030), 0x2060, 0x2064,
        *range(0x2066, 0x206A), 0x206F, 0x3000, 0x3164, 0xFE0F, 0xFEFF, 0xFFF9, 0xFFFB, 0xFFA0,
        0xE0001, 0xE0041, 0xE007F, 0xE01EF]
SHOW = [*map(ord, "!~"), 0xA1, 0xAC, 0xAE, 0xF6, 0x301, 0x5D0, 0x61B, 0x628, 0x905, 0x1161,
        0x2010, 0x2027, 0x2030, 0x205E, 0x20AC, 0x65E5, 0xAC00, 0xFE10, 0xFEFE, 0xFFFD, 0x1F600,
        0x20000]


def number(value, size=8):
    """A key of the kind u64, or with 16 bytes u128."""
    return value.to_bytes(size, "big")


def hexed(data):
    """The text of a string in which each byte is an escape."""
    return b"".join(b"\\x%02x" % byte for byte in data) or b"\\&"


class Texts(Case):
    """A tree of any kind, with the operations that it got."""

    kinds = ("u64", "u64")

    def command(self, words, **variables):
        """Run the command on the tree."""
        key, value = self.kinds
        flags = 2 * (value == "bytes")
        return self.run(words, KINDS=f"{KEYS.index(key)} {flags}",
                        STORE=str(self.work / "store"), **variables)

    def operations(self):
        """Opcode, key, value and old value of each operation."""
        data, at, found = (self.work / "store").read_bytes(), 0, []
        while at < len(data):
            size, opcode, _, _, *lengths, _, _, _ = struct.unpack_from("=IHHiHHHHHH", data, at)
            parts, part = [], at + 24
            for length in lengths:
                parts.append(data[part : part + length])
                part += -(-length // 8) * 8
            if self.kinds[1] == "u64":
                parts[1:] = [int.from_bytes(part, sys.byteorder) if part else None
                             for part in parts[1:]]
            found.append((opcode, *parts))
            at += size
        return found

    def takes(self, words, content, status=0):
        """The operations of a command that reads these bytes from a file."""
        (self.work / "store").write_bytes(b"")
        (self.work / "file").write_bytes(content)
        done = self.command(words)
        self.said, self.printed = done.stderr, done.stdout
        what = f"{words} {self.kinds}: {content[:80]}: {done}"
        self.check(done.returncode == status, what)
        self.check(bool(done.stderr) == bool(status), what)
        return self.operations()

    def loads(self, content, *entries, status=0, options=""):
        """The entries that a file has, up to a mistake."""
        if isinstance(content, str):
            content = content.encode()
        found = [entry[1:3] for entry in self.takes(f"load tree file {options}", content, status)]
        self.check(found == list(entries), f"{self.kinds}: {content[:80]}: {found[:5]}")

    def csv(self, content, *entries, status=0):
        """The same for CSV."""
        self.loads(content, *entries, status=status, options="-F csv")

    def shows(self, written, options=""):
        """What scan and dump print of the entries."""
        for verb in "scan", "dump":
            shown = self.command(f"{verb} tree {options}").stdout.decode().splitlines()
            self.check(shown == written, f"{self.kinds} {verb} {options}: {shown[:9]}")

    def refuses(self, texts, words=("put", "tree", "TEXT", "1")):
        """Each text is a mistake in place of TEXT."""
        for text in texts:
            done = self.command([text if word == "TEXT" else word for word in words])
            self.check(done.returncode == 2 and done.stderr, f"{self.kinds} '{text}': {done}")


def numbers(case):
    """Keys and values that are numbers."""
    for case.kinds in ("u64", "u64"), ("multi", "u64"):
        case.loads("\n".join(f"{text} {text}" for text in NUMBERS),
                   *((number(value), value) for value in NUMBERS.values()))
        case.shows([f"{value} {value}" for value in NUMBERS.values()])
        case.shows([f"{value:#x} {value:#x}" for value in NUMBERS.values()], "-x --key-form ipv6")
        case.refuses(NOT_NUMBERS)
        case.refuses([*NOT_NUMBERS, "\\&"], ("put", "tree", "1", "TEXT"))
    case.end("numbers have 64 bits")


def wide(case):
    """Keys of 128 bits."""
    good = {str(HUGE + 1): HUGE + 1, str(2**128 - 1): 2**128 - 1, "0x" + 32 * "f": 2**128 - 1,
            UUID.upper(): WIDE, "2001:db8::1": 0x20010DB8 << 96 | 1, "::": 0,
            "::ffff:1.2.3.4": 0xFFFF01020304, "0x0102": 258}
    case.kinds = "u128", "u64"
    case.loads("\n".join(f"{text} 1" for text in good),
               *((number(value, 16), 1) for value in good.values()))
    case.shows([f"{value:#x} 1" for value in good.values()])
    uuids = [re.sub("^(.{8})(.{4})(.{4})(.{4})", r"\1-\2-\3-\4-", f"{value:032x}")
             for value in good.values()]
    case.shows([f"{uuid} 1" for uuid in uuids], "--key-form uuid")
    most = ":".join(8 * ["ffff"])
    case.shows([f"{text} 0x1" for text in ("0:0:0:1::", most, most,
                                         "550e:8400:e29b:41d4:a716:4466:5544:0", "2001:db8::1",
                                         "::", "::ffff:1.2.3.4", "::102")], "-x --key-form ipv6")
    case.refuses(NOT_WIDE)
    case.end("keys of 128 bits are numbers, UUIDs and IPv6 addresses")


def zeros(case):
    """A zero byte is a part of a string, and of nothing else."""
    for key, texts in ("u64", "7 0x7"), ("multi", "7"), ("u128", f"7 0x7 {UUID} ::7 ::0.0.0.7"):
        case.kinds = key, "u64"
        for text in texts.split():
            for wrong in f"{text}\0", f"{text}\0garbage", f"\0{text}", f"{text[:-1]}\0{text[-1]}":
                case.loads(f"{wrong} 5", status=2)
                case.csv(f"{wrong},5", status=2)
                found = case.takes("batch tree file", f"get {wrong}".encode(), 2)
                case.check(not found, f"{key} {wrong!r}: {found}")
        for wrong in "5\0", "5\0garbage", "\0" "5":
            case.loads(f"7 {wrong}", status=2)
            case.csv(f"7,{wrong}", status=2)
            found = case.takes("batch tree file", f"put 7 {wrong}".encode(), 2)
            case.check(not found, f"{key} {wrong!r}: {found}")
    case.takes("batch tree file", b"get\0 7", 2)
    case.takes("commit tree file", b"get 7 +empty\0", 2)
    case.csv("key\0,value\n7,5\n", status=2)
    case.kinds = "bytes", "bytes"
    case.loads("a\0b \0c\0", (b"a\0b", b"\0c\0"))
    case.csv("a\0b,\0c\0", (b"a\0b", b"\0c\0"))
    found = case.takes("batch tree file", b"put a\0b \0c\0")
    case.check(found == [(STORE, b"a\0b", b"\0c\0", b"")], f"{found}")
    case.end("a zero byte ends no key, no value and no word")


def prefixes(case):
    """A prefix is the range of the keys that begin with it."""
    for key, text, first, last in (
        ("u64", "0xff", "ff" + 14 * "0", 16 * "f"),
        ("multi", "1", "1" + 15 * "0", "1" + 15 * "f"),
        ("u64", "0x0123456789abcdef", "0123456789abcdef", "0123456789abcdef"),
        ("u128", "20010db8", "20010db8" + 24 * "0", "20010db8" + 24 * "f"),
        ("u128", "550e8400-e29b-4", "550e8400e29b4" + 19 * "0", "550e8400e29b4" + 19 * "f"),
        ("u128", UUID, f"{WIDE:x}", f"{WIDE:x}"),
        ("u128", "2001:db8::/32", "20010db8" + 24 * "0", "20010db8" + 24 * "f"),
        ("u128", "2001:db8::1/29", "20010db8" + 24 * "0", "20010dbf" + 24 * "f"),
        ("u128", "::/0", 32 * "0", 32 * "f"),
        ("u128", "::7/128", 31 * "0" + "7", 31 * "0" + "7"),
    ):
        case.kinds = key, "u64"
        (case.work / "store").write_bytes(b"")
        done = case.command(f"count tree --prefix {text}")
        case.check(case.log("range") == [f"{first} {last}"], f"{text}: {case.log('range')} {done}")
    words = "count", "tree", "--prefix", "TEXT"
    case.kinds = "u64", "u64"
    case.refuses(["0x0123456789abcdef0", "", "0x", "g", "2001::/16"], words)
    case.kinds = "u128", "u64"
    case.refuses(["::/129", "::/", "::", "::/-1", 33 * "0"], words)
    case.end("a prefix is the range of the keys that begin with it")


def strings(case):
    """Strings, with escapes."""
    good = [
        ("\\&", b"", "\\&"),
        ("a\\&b", b"ab", "ab"),
        ("/usr/bin", b"/usr/bin", "/usr/bin"),
        (str(HUGE + 1), b"18446744073709551616", str(HUGE + 1)),
        # The text of a field without a value is -.
        ("-", b"-", "\\x2d"),
        ("\\x2d", b"-", "\\x2d"),
        ("--", b"--", "--"),
        ("-a", b"-a", "-a"),
        ("\\\\x", b"\\x", "\\\\x"),
        ("\\x00\\xFf\\x7f", b"\0\xff\x7f", "\\x00\\xff\\x7f"),
        ("\\t\\n\\r", b"\t\n\r", "\\t\\n\\r"),
        ('a\\x20b,"c', b'a b,"c', "a\\x20b\\x2c\\x22c"),
        ("\\x23a#", b"#a#", "\\x23a#"),
        ("\\x1b[2J", b"\033[2J", "\\x1b[2J"),
        # The least and the greatest characters of each length.
        *((text, text.encode(), text) for text in ("\u00a1\u07ff", "\u0800\ud7ff\ue000",
                                                   "\U00010000\U0010ffff")),
        # What is no character of UTF-8, or only a part of one.
        *((text, bytes.fromhex(text.replace("\\x", "")), text)
          for text in ("\\xc2\\x9b", "\\xc0\\x80", "\\xed\\xa0\\x80", "\\xf4\\x90\\x80\\x80",
                       "\\xc3", "\\xe2\\x82", "\\xe2\\x80", "\\xae", "\\x80")),
    ]
    case.kinds = "bytes", "bytes"
    case.loads("\n".join(f"{text} {text}" for text, _, _ in good),
               *((data, data) for _, data, _ in good))
    for options in "", "-x":
        case.shows([f"{text} {text}" for _, _, text in good], options)
    case.refuses(NOT_STRINGS)
    case.refuses(NOT_STRINGS, ("put", "tree", "1", "TEXT"))
    case.refuses([1025 * "a"])
    case.refuses([4097 * "a"], ("put", "tree", "1", "TEXT"))
    case.loads(1024 * "a" + " " + 4096 * "b", (1024 * b"a", 4096 * b"b"))
    case.takes(["put", "tree", "", ""], b"")
    case.check(case.operations() == [(STORE, b"", b"", b"")], f"{case.operations()}")
    case.end("strings have escapes")


def hidden(case):
    """Characters that a terminal obeys or hides have escapes, all of their bytes."""
    case.kinds = "bytes", "u64"
    codes = [0, *HIDE, *SHOW]
    texts = [f"a{chr(code)}z".encode() for code in codes]
    case.loads(b"\n".join(hexed(text) + b" 1" for text in texts), *((text, 1) for text in texts))
    shown = case.command("scan tree").stdout.splitlines()
    listed = case.command("scan tree -p").stdout.decode()
    strings_ = re.findall('"key":("|{)', listed)
    for code, text, line, string in zip(codes, texts, shown, strings_, strict=True):
        show = code in SHOW
        escaped = hexed(text[1:-1]) if code > 0x20 or code in (0x1B, 7) else line[1:-3]
        case.check(line == b"a" + (text[1:-1] if show else escaped) + b"z 1", f"{code:#x} {line}")
        case.check((string == '"') == show, f"JSON of {code:#x}")
    case.end("characters that a terminal obeys or hides have escapes")


def lines(case):
    """Lines of text, in trees of each kind."""
    one = number(1), 2
    case.kinds = "u64", "u64"
    case.loads("1 2\n\t 0x10 \t 20\t\r\n\n  \r\n# 1 2\n3 4", one, (number(16), 20), (number(3), 4))
    case.loads("1 2\n3 4\n# well\n\n5 6 7\n8 9\n", one, (number(3), 4), status=2)
    case.check(b"file:5: more than KEY VALUE: 5 6 7" in case.said, f"{case.said}")
    case.check(b"read: 2" in case.printed, f"{case.printed}")
    for line in "1", "1 2 3", "1,2", "a 2", "1 b", f"1 {HUGE + 1}", "1 \0002":
        case.loads(f"1 2\n{line}\n3 4\n", one, status=2)
    seven = number(7)
    for key, value, line, *entry in (
        ("bytes", "u64", "vfs_read 7", b"vfs_read", 7),
        ("bytes", "u64", "  12 \t 0x10\r", b"  12 ", 16),
        ("bytes", "u64", "a file\t5", b"a file", 5),
        ("bytes", "u64", "a\tb\t5", b"a\tb", 5),
        ("bytes", "u64", "\\& 1", b"", 1),
        ("bytes", "u64", "a file 5"),
        ("bytes", "u64", "a\t5 6"),
        ("bytes", "u64", "a\t"),
        ("bytes", "u64", "a"),
        ("bytes", "u64", "\\q 1"),
        ("u64", "bytes", "7 seven", seven, b"seven"),
        ("u64", "bytes", " 7  \\&\r", seven, b""),
        ("u64", "bytes", "7\ta b\r", seven, b"a b"),
        ("u64", "bytes", "7\t a\tb ", seven, b" a\tb "),
        ("bytes", "bytes", "a b\tc d", b"a b", b"c d"),
        ("bytes", "bytes", "a\tb\tc", b"a", b"b\tc"),
        ("bytes", "bytes", "a b", b"a", b"b"),
        *(("u64", "bytes", line) for line in ("7 a b", "7", "7\t", "7\t\r", "x\ta", "7 8\ta", "7 \\q")),
    ):
        case.kinds = key, value
        case.loads(line, *([tuple(entry)] if entry else []), status=0 if entry else 2)
    case.end("lines of text")


def csv(case):
    """CSV, with numbers and with strings."""
    one = number(1), 2
    case.kinds = "u64", "u64"
    case.csv("1,2", one)
    case.csv(b'\xef\xbb\xbfKey,VALUE\r\n"0x10"," 20"\r\n\r\n', (number(16), 20))
    case.csv("\nkey,value\n1,2\n", one)
    case.csv("sep=;\n1;2\n", one)
    case.csv('sep=\t\r\n"1"\t 2 \r\n', one)
    case.csv("")
    case.csv("\n\r\n")
    # Not the first line: a record whose key is no number.
    for content in ("key,value\nsep=;\n1;2\n", "key,value\nkey,value\n", "name,value\n1,2\n", "1 2",
                    "1,2,3", "1,", ",2", '"1,2"', "1,2,", "1e3,1", "+5,1", "1;2", '1,"2,000"'):
        case.csv(content, status=2)
    case.csv("1,2\nkey,value\n", one, status=2)
    case.kinds = "bytes", "u64"
    case.csv("key,value")
    case.kinds = "bytes", "bytes"
    for content, *entry in (
        ("a,b", b"a", b"b"),
        (" a b , c ", b" a b ", b" c "),
        ('"say ""hi""","a,b"\n', b'say "hi"', b"a,b"),
        ('"two\nlines","and\r\nmore\r"\r\n', b"two\nlines", b"and\r\nmore\r"),
        ("C:\\temp\\x,#\t'", b"C:\\temp\\x", b"#\t'"),
        ('"",""', b"", b""),
        (",", b"", b""),
        ('"key","b"', b"key", b"b"),
    ):
        case.csv(content, tuple(entry))
    for content in '"a,b\n', 'a,"b', '"a"b,c', 'a"b,c', ' "a",b', '"a" ,b', "a,b\rc,d":
        case.csv(content, status=2)
    case.csv(1024 * "x" + ",x", (1024 * b"x", b"x"))
    case.csv("x," + 4096 * "x", (b"x", 4096 * b"x"))
    # A quote that is not closed does not read the rest of a large file.
    for content in 1025 * "x" + ",x", "x," + 4097 * "x", 9000 * "x", '"' + 20000 * "\n":
        case.csv(content, status=2)
    case.check(b"may be missing" in case.command("load tree file -F csv").stderr, "all is read")
    # Numbers with blanks before them, so that only the length is wrong.
    case.kinds = "u64", "u64"
    case.csv(f"{7:5000},{2:49}", (number(7), 2))
    case.csv(f"{7:5001},{2:49}", status=2)
    case.csv("1," + 4000000 * "1", status=2)
    case.end("CSV")


def binary(case):
    """Pairs of numbers."""
    data = bytes.fromhex("0807060504030201ff00000000000080") + 8 * b"\1"
    for key in "u64", "multi":
        case.kinds = key, "u64"
        entry = number(0x0102030405060708), 0x80000000000000FF
        case.loads(data[:16], entry, options="-F binary")
        case.check(case.command("dump tree -F binary").stdout == data[:16], "dump")
        case.loads(data[:17], entry, status=2, options="-F binary")
        case.check(b"at byte 16: 1 bytes are left" in case.said, f"{case.said}")
        case.loads(b"", options="-F binary")
    case.kinds = "u128", "u64"
    case.loads(data, (data[:16], 0x0101010101010101), options="-F binary")
    case.check(case.command("dump tree -F binary").stdout == data, "dump")
    for case.kinds in ("bytes", "u64"), ("u64", "bytes"):
        for words in "load tree file -F binary", "dump tree -F binary":
            found = case.takes(words, data, status=2)
            case.check(b"no strings" in case.said and not found, f"{case.kinds}: {case.said}")
    case.end("binary pairs: numbers least significant byte first, bytes as they are")


def round_trips(case):
    """Entries of all kinds are the same after they were written and read in each format."""
    source = random.Random(1)
    nasty = [b"", b"\0", b"\n\r #,\"", b"#\\\t\xff", b"key", b'""', source.randbytes(1024),
             *(bytes([i, 97, i, i]) for i in range(256)), *map(source.randbytes, range(60))]
    for case.kinds in (("u64", "u64"), ("multi", "u64"), ("u128", "u64"), ("bytes", "u64"),
                       ("u64", "bytes"), ("u128", "bytes"), ("bytes", "bytes")):
        key, value = case.kinds
        if key == "bytes":
            keys = [hexed(data) for data in nasty]
        else:
            keys = [b"0x%x" % i for i in (0, 1, 0x0A0D20232C22, HUGE)]
        values = [hexed(data) for data in (*nasty, 4096 * b"\0")]
        values = values if value == "bytes" else [b"0", b"%d" % HUGE, b"10", b"1"]
        nr = max(len(keys), len(values))
        content = b"\n".join(keys[i % len(keys)] + b" " + values[i % len(values)]
                             for i in range(nr))
        before = case.takes("load tree file", content)
        case.check(len(before) == nr, f"{case.kinds}: {len(before)} of {nr}")
        shutil.copy(case.work / "store", case.work / "kept")
        for form in ("text", "csv", "binary")[: 2 + ("bytes" not in case.kinds)]:
            for options in ("", "-x", "--key-form uuid", "--key-form ipv6")[: 4 if key == "u128" else 2]:
                shutil.copy(case.work / "kept", case.work / "store")
                done = case.command(f"dump tree dumped -F {form} {options}")
                case.check(not done.returncode, f"{done}")
                dumped = (case.work / "dumped").read_bytes()
                again = case.takes(f"load tree file -F {form}", dumped)
                case.check(again == before, f"{case.kinds}: {form} {options}")
    for verb in "dump", "load":
        done = case.command(f"{verb} tree /nonexistent/file")
        case.check(done.returncode == 3, f"no file: {done}")
    case.end("an entry is the same after it was written and read, in every format")


def scripts(case):
    """Scripts of operations."""
    case.kinds = "u64", "u64"
    for line, value, old in (
        ("get 1", None, None), ("insert 1 2", 2, None), (" put\t0x1  2 \r", 2, None),
        ("replace 1 2", 2, None), ("del 1", None, None), ("cas 1 2 3", 3, 2), ("cad 1 2", None, 2),
        ("floor 1", None, None), ("ceil 1", None, None), ("get-or-insert 1 2", 2, None),
        ("pop-min 1", None, None), ("pop-max 1", None, None), ("add 1 2", 2, None),
        ("add 1 -2", 2**64 - 2, None), ("add-saturate 1 -2", 2**64 - 2, None),
    ):
        found = case.takes("batch tree file", line.encode())
        opcode = OPERATIONS.index(line.split()[0])
        case.check(found == [(opcode, number(1), value, old)], f"{line}: {found}")
    case.check(not case.takes("batch tree file", b"\n \t\r\n# get 1\n#\n"), "blank lines")
    for line in ("get", "get 1 2", "put 1", "put 1 2 3", "cas 1 2", "cas 1 2 3 4", "cas 1 2 3 4 5",
                 "add 1", "add 1 --2", "add 1 -", "add-saturate 1 0x8000000000000000",
                 "ge 1", "gett 1", "GET 1", "get x", "put 1 y", "1 2", "get 1 # no"):
        found = case.takes("batch tree file", f"del 1\n{line}\ndel 2\n".encode(), 2)
        case.check(len(found) == 1, f"{line}: {found}")
    key = 0x20010DB8 << 96 | 1
    for case.kinds, value, old in ((("u128", "u64"), 3, 2), (("u128", "bytes"), b"3", b"2")):
        found = case.takes("batch tree file", b"cas 2001:db8::1 2 3")
        case.check(found == [(5, number(key, 16), value, old)], f"{found}")
    case.kinds = "multi", "u64"
    case.takes("batch tree file", b"cas 2001:db8::1 2 3", 2)
    case.end("scripts")


def pops(case):
    """Without a key, an operation begins at the end of all keys."""
    for key, least, greatest in (("u64", 8, 8), ("u128", 16, 16), ("multi", 8, 8),
                                 ("bytes", 0, 1024)):
        case.kinds = key, "u64"
        for verb, end in ("pop-min", bytes(least)), ("pop-max", greatest * b"\xff"):
            found = [operation[:2] for operation in case.takes(f"{verb} tree", b"")]
            case.check(found == [(OPERATIONS.index(verb), end)], f"{key} {verb}: {found}")
    case.end("a pop without a key begins at the end of all keys")


# Command lines that are right, so that only the device is missing.
RIGHT = """
get tree 1 0x2 -j
cas tree x y z
load tree -
-x scan --from 0x5 t -rn7 --to=9
-p list
load t --form csv -J 8
bench
bench --index rbtree,xarray --workload 50/50 --lab none
bench -t 3 -k 1000 -n 7 -b 1 -r 9 -R full -L cohort
"""
WRONG = """
get
get tree
put tree 1
cas tree 1 2
put tree 1 2 3
info tree
load tree file file
rm
-r scan t
scan t --nothing
scan t -Z
scan t --reverse=1
scan t --from
scan t -f
scan t --prefix 1 --to 2
scan t --key-form bytes
create t --key u32
create t --key u128 --compress
create t --key bytes --compress
create t --value u128
create t --value bytes --compress
create t --value bytes --key multi
bench --value bytes
load t -J 0
load t --sorted --fill 0
load t --sorted --fill 101
load t -J 257
load t -F json
create t -R
create t -R inne
create t -L inner
create t --compress=1
put t 1 2 -ir
dump t -j
bench t
bench --index rbtre
bench --index rbtree,
bench --workload lookup,50-50
bench -k 999
bench -n 0
bench -b 65
bench -r 0
bench -r 100
figure olfit-8

-j
nothing
"""


def command_lines(case):
    """Command lines that are right, and wrong."""
    for line in RIGHT.strip().splitlines():
        done = case.run(f"--device /nonexistent {line}")
        case.check(done.returncode == 3, f"{line}: {done}")
    for line in WRONG[1:].splitlines():
        done = case.run(line)
        case.check(done.returncode == 2 and not done.stdout, f"{line}: {done}")
        case.check(b"--help'" in done.stderr and not case.log("calls"), f"{line}: {done}")
    case.end("command lines that are right, and wrong")


def creation(case):
    """Words have the numbers of the UAPI header, and modes are octal."""
    for options, created in (
        ("", "600 0 0 0 0 0"),
        ("-m 0644", "644 0 0 0 0 0"),
        ("-m 0777", "777 0 0 0 0 0"),
        ("-m 0 --compress", "0 1 0 0 0 0"),
        ("--replication none --locking plain --placement local", "600 0 0 0 0 0"),
        ("--replication inner", "600 0 1 0 0 0"),
        ("--replication full --locking cohort --placement interleave", "600 0 2 1 1 0"),
        *((f"--key {word} --value u64", f"600 0 0 0 0 {i}") for i, word in enumerate(KEYS)),
        ("--value bytes", "600 2 0 0 0 0"),
    ):
        done = case.run(f"create new {options}")
        case.check(case.log("create") == [f"{created} 0 0"], f"{options}: {done}")
    for mode in "1000", "1777", "8", "77777777777777777", "0x1", "":
        done = case.run(["create", "new", "-m", mode])
        case.check(done.returncode == 2 and not case.log("create"), f"{mode}: {done}")
    done = case.run("create -- -n")
    case.check(case.log("create"), f"{done}")
    case.end("the options of a tree have the numbers of the UAPI header")


def tables(case):
    """No command has a name or a letter twice, and only its last operand can be missing."""
    text = case.run("--help").stdout.decode()
    names = re.findall(r"^  ([a-z-]+) .*\.$", text, re.MULTILINE)
    case.check(len(set(names)) == len(names) > 25, f"{names}")
    for name in names:
        text = case.run(f"{name} --help").stdout.decode()
        options = re.findall(r"^  (?:-(\w).| {3}) --([a-z-]+)", text, re.MULTILINE)
        for words in zip(*options):
            words = [word for word in words if word]
            case.check(len(set(words)) == len(words), f"{name}: {sorted(words)}")
        operands = re.match(r"Usage: .*\[OPTIONS\](.*)", text)[1].split()
        case.check(not any(re.search(r"\[|\.\.", word) for word in operands[:-1]), f"{operands}")
        case.check(operands[1:].count("TREE") == 0, f"{operands}")
    case.end("no name or letter is in the tables twice")


if __name__ == "__main__":
    os.umask(0)
    run_all(Texts, numbers, wide, zeros, prefixes, strings, hidden, lines, csv, binary, round_trips,
            scripts, pops, command_lines, creation, tables)
