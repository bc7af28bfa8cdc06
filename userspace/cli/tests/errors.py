#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Each error inside each command, on a device that fails on request, in TAP.

    errors.py BLINKTREE

BLINKTREE is the command with tests/fake/device.c in place of the device. Each of its
ioctls fails in turn, each of its operations has a bad result in turn, and its output
cannot be written: it must exit with an error and a message, and leave no temporary file,
no temporary tree and no damaged file.
"""

import errno
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ERRORS = [errno.ENOMEM, errno.ENOSPC, errno.EDQUOT, errno.EFAULT, errno.EINTR, errno.EIO]

# Each command. FILE is a file that it writes; the others exist.
QUIET = [
    "create new",
    "attr tree --mode 600 --name new",
    "rm tree",
    "put tree 1 2",
    "put tree 1 2 --insert-only",
    "put tree 1 2 --replace-only",
    "del tree 1 2",
    "cas tree 1 2 3",
    "cad tree 1 2",
    "dump tree FILE",
    "dump tree FILE --format binary",
]
TELLING = [
    "info",
    "list",
    "list --names",
    "attr tree",
    "get tree 1 2",
    "get-or-insert tree 1 2",
    "add tree 1",
    "pop-min tree",
    "pop-max tree",
    "floor tree 1 2",
    "ceil tree 1",
    "scan tree",
    "scan tree --reverse",
    "count tree",
    "count tree 1",
    "erase-range tree 1 2",
    "stat tree",
    "top --count 1 --interval 1 --leaves 2",
    "watch tree --all --limit 5",
    "metrics",
    "load tree entries",
    "load tree entries --batch 1",
    "load tree entries --sorted",
    "dump tree",
    "dump tree --format csv",
    "save tree",
    "save tree FILE",
    "restore snapshot new",
    "restore snapshot tree",
    "restore snapshot tree --replace",
    "batch tree script",
    "verify tree",
]
# The commands that begin operations on entries.
OPERATIONS = re.compile(r"^(put|get|del|cas|cad|get-or|pop|floor|ceil|load|restore|batch)")


class Case:
    """A case of TAP: notes what is not as it should be."""

    def __init__(self, blinktree, work):
        self.blinktree = blinktree
        self.work = work
        self.number = 0
        self.failed = 0
        self.wrong = []

    def check(self, good, what):
        """Note something that is not good."""
        if not good:
            self.wrong.append(what)

    def end(self, name, skipped=""):
        """Report the case."""
        self.number += 1
        name += f" # SKIP {skipped}" if skipped else ""
        for what in self.wrong:
            print(f"# {what}")
        print(f"{'not ' if self.wrong else ''}ok {self.number} - {name}")
        self.failed += bool(self.wrong)
        self.wrong = []

    def run(self, words, closed=(), output=subprocess.PIPE, cwd=None, user=None, **variables):
        """Run the command with some of its descriptors closed."""

        def close():
            for descriptor in closed:
                os.close(descriptor)

        log = self.work / "log"
        log.write_text("")
        log.chmod(0o666)
        (self.work / "FILE").write_text("old")
        environment = dict(os.environ, FAKE_LOG=str(log))
        environment.update({f"FAKE_{name}": value for name, value in variables.items()})
        words = words.split() if isinstance(words, str) else words
        return subprocess.run(
            [self.blinktree, "--device", "/dev/null", *words],
            cwd=cwd or self.work,
            user=user,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            preexec_fn=close if closed else None,
            check=False,
            timeout=60,
        )

    def log(self, word):
        """What the device has told under a word, last."""
        text = (self.work / "log").read_text()
        return re.findall(f"^{word} (.*)$", text, re.MULTILINE)[-1:]

    def count(self, word):
        """A number of the device."""
        return int(self.log(word)[0])

    def failing(self, words, what, **options):
        """The command must fail, say so, and leave nothing."""
        done = self.run(words, **options)
        what = f"{words}: {what}: status {done.returncode}"
        self.check(0 < done.returncode < 128, what)
        self.check(done.stderr.startswith(b"blinktree: "), f"{what}: {done.stderr}")
        left = [path.name for path in self.work.glob(".blinktree-*")]
        self.check(not left, f"{what}: {left} is left")
        return done


def seconds_out(text):
    """Output without times."""
    return re.sub(rb"seconds: .*", b"", text)


def each_call(case):
    """Each ioctl of a command fails in turn."""
    for words in QUIET + TELLING:
        good = case.run(words)
        case.check(not good.returncode, f"{words}: {good}")
        for at in range(1, case.count("calls") + 1):
            # The interval of top takes a second.
            for error in ERRORS[:1] if words.startswith("top") else ERRORS:
                case.failing(words, f"ioctl {at}: {error}", CALL=f"{at} {error}")
                case.check(
                    (case.work / "FILE").read_text() == "old",
                    f"{words}: the file has changed",
                )
                if words == "restore snapshot new" and at > 3:
                    name = case.log("unlink")
                    case.check(name, f"ioctl {at}: the tree is left")
                    case.check(not case.log("name"), f"ioctl {at}: the tree has its name")
        case.end(f"calls of {words}")


def each_result(case):
    """Each operation of a command has a bad result in turn."""
    for words in filter(OPERATIONS.match, QUIET + TELLING):
        case.run(words)
        for at in range(1, case.count("operations") + 1):
            for error in ERRORS:
                what = f"operation {at}: {error}"
                if words.startswith("batch"):
                    done = case.run(words, RESULT=f"{at} {error}")
                    case.check(done.returncode == 3, f"{what}: {done}")
                    name = errno.errorcode[error].encode()
                    case.check(done.stdout.count(name) == 1, f"{what}: {done}")
                else:
                    case.failing(words, what, RESULT=f"{at} {error}")
        case.check(case.count("operations"), f"{words}: no operation")
        case.end(f"results of {words}")


def counted_results(case):
    """A restore counts the entries of a chunk on both sides of one that fails."""
    for at in 1, 2, 3:
        done = case.failing("restore snapshot tree", f"entry {at}", RESULT=f"{at} {errno.ENOSPC}")
        case.check(b"\nadded: 2\n" in done.stdout, f"entry {at}: {done}")
    case.end("the count of a restore of which one entry fails")


def short_calls(case):
    """Calls that a signal ends early change nothing."""
    for words in QUIET + TELLING:
        good = case.run(words)
        before = (case.work / "FILE").read_bytes(), case.count("operations")
        done = case.run(words, SHORT="1")
        after = (case.work / "FILE").read_bytes(), case.count("operations")
        case.check(done.returncode == good.returncode, f"{words}: {done}")
        case.check(seconds_out(done.stdout) == seconds_out(good.stdout), f"{words}: {done}")
        case.check(words.startswith("save") or before == after, f"{words}: {before} {after}")
    case.end("calls that end early")


def cut_erase(case):
    """The erase of a key ends, although another program adds values to the key."""
    for words, key in ("del tree 1 2", 1), ("batch tree script", 3):
        case.run(words, KINDS="2 0")
        calls = case.count("calls")
        done = case.run(words, KINDS="2 0", MORE="y")
        case.check(not done.returncode and not done.stderr, f"{words}: {done}")
        # The call ends with the erase that is not complete, and another has what is behind.
        case.check(case.count("calls") <= calls + 2, f"{words}: {case.count('calls')} calls")
        case.check(case.log("range") == [f"{key:016x} {key:016x}"], f"{words}: {case.log('range')}")
        done = case.run(words, KINDS="2 0", MORE="y", CALL=f"{calls + 1} {errno.EINTR}")
        case.check(done.returncode == 3 and b"Interrupted" in done.stderr, f"{words}: {done}")
    case.end("an erase that a signal ended")


def full_output(case):
    """Standard output on a full disk, or closed."""
    for words in TELLING:
        with open("/dev/full", "wb") as full:
            done = case.failing(words, "/dev/full", output=full)
        case.check(done.returncode == 3 and b"No space left" in done.stderr, f"{words}: {done}")
        case.failing(words, "closed output", closed=[1])
        case.failing(words, "all closed but errors", closed=[0, 1])
    for words in QUIET:
        done = case.run(words, closed=[0, 1, 2])
        case.check(not done.returncode, f"{words}: {done}")
    case.end("standard output that cannot be written")


def closed_output(case):
    """A snapshot is whole whatever descriptors are closed."""
    case.run("save tree FILE")
    good = (case.work / "FILE").read_bytes()
    for closed in [0], [1], [2], [0, 1], [1, 2], [0, 1, 2]:
        done = case.run("save tree FILE", closed=closed)
        case.check((case.work / "FILE").read_bytes() == good, f"{closed}: {done}")
        case.check(bool(done.returncode) == (1 in closed), f"{closed}: {done}")
    case.end("a snapshot with closed descriptors")


def shared_output(case):
    """A snapshot in the file that is standard output too has nothing else in it."""
    case.run("save tree FILE")
    good = (case.work / "FILE").read_bytes()
    for name in "/dev/fd/1", "/proc/self/fd/1", "/dev/stdout", "-":
        with open(case.work / "shared", "wb") as shared:
            done = case.run(f"save tree {name}", output=shared)
        case.check(not done.returncode, f"{name}: {done}")
        case.check((case.work / "shared").read_bytes() == good, f"{name}: {done}")
    case.end("a snapshot in the file of standard output")


def closed_input(case):
    """Commands that read standard input, which is closed."""
    for words in "load tree", "batch tree", "restore - new":
        case.failing(words, "closed input", closed=[0])
    case.end("standard input that is closed")


def unreadable_input(case):
    """A file that cannot be read is an error of the system, in each format."""
    (case.work / "folder").mkdir()
    for words in (*(f"load tree folder -F {form}" for form in ("text", "csv", "binary")),
                  "batch tree folder", "commit tree folder", "restore folder new"):
        done = case.failing(words, "a folder")
        case.check(done.returncode == 3 and b"Is a directory" in done.stderr, f"{words}: {done}")
    case.end("input that cannot be read")


def owners(case):
    """A tree and a snapshot of user 7, which other users must not have."""
    names = "save tree FILE", "dump tree FILE", "load tree entries", "stat tree"
    for words in *names, "watch tree --all --limit 5", "restore snapshot tree":
        done = case.run(f"{words} --owner 7")
        case.check(not done.returncode, f"{words}: {done}")
        done = case.failing(f"{words} --owner 8", "another owner")
        case.check(b" belong" in done.stderr, f"{words}: {done}")
        done = case.run(f"{words} --owner no-user")
        case.check(b"no such user" in done.stderr, f"{words}: {done}")
        case.check(done.returncode == 2, f"{words}: {done}")
        if not words.startswith("restore"):
            done = case.run(words, CALL=f"2 {errno.EINVAL}")
            case.check(done.returncode == 2, f"a name that no tree has: {words}: {done}")
    case.failing("restore snapshot new --owner 8", "another owner")
    if os.geteuid() == 0:
        case.run("restore snapshot new --owner 7")
        case.check(case.log("payer") == ["7"], f"payer {case.log('payer')}")
        case.run("restore snapshot new")
        case.check(case.log("payer") == ["0"], f"payer {case.log('payer')}")
    case.end("the owner of a tree")


def start_unit(case, name, owner, **variables):
    """Run what the unit for snapshots runs when it starts, as systemd does."""
    unit = pathlib.Path(__file__).resolve().parent.parent / "blinktree-snapshot@.service"
    text = unit.read_text(encoding="utf-8").replace("\\\n", " ")
    start = re.search("^ExecStart=(.*)$", text, re.MULTILINE)[1]
    words = [
        word.replace("%S/blinktree/%i.snapshot", f"{name}.snapshot")
        .replace("%i", name)
        .replace("${OWNER}", owner)
        .replace("$$", "$")
        for word in shlex.split(start)
    ]
    program = case.work / "blinktree"
    program.write_text(f'#!/bin/sh\nexec "{case.blinktree}" --device /dev/null "$@"\n')
    program.chmod(0o755)
    log = case.work / "log"
    log.write_text("")
    environment = dict(os.environ, PATH=f"{case.work}:{os.environ['PATH']}", FAKE_LOG=str(log))
    environment.update({f"FAKE_{name}": value for name, value in variables.items()})
    return subprocess.run(
        words, cwd=case.work, env=environment, capture_output=True, check=False, timeout=60
    )


def unit(case):
    """The unit for snapshots starts only if it can save the tree later."""
    for name, owner, calls, message in (
        ("tree", "7", {}, b""),
        ("new", "7", {}, b""),
        ("tree", "8", {}, b"does not belong to 8"),
        ("new", "no-user", {}, b"no such user"),
        ("new", "7", {"CALL": f"1 {errno.ENODEV}"}, b"the module is not loaded"),
        ("tree", "7", {"CALL": f"2 {errno.EIO}"}, b"Input/output error"),
    ):
        done = start_unit(case, name, owner, **calls)
        case.check(bool(done.returncode) == bool(message), f"{name}: {done}")
        case.check(message in done.stderr and bool(done.stderr) == bool(message), f"{done}")
        case.check(not case.log("name"), f"{name}: {owner}: a tree is restored")
    shutil.copy(case.work / "snapshot", case.work / "new.snapshot")
    done = start_unit(case, "new", "7")
    case.check(not done.returncode, f"restored: {done}")
    case.check(case.log("name") == ["new"], f"not restored: {done}")
    case.end("the start of the unit for snapshots")


def modes(case):
    """The mode of a restored tree: the saved one is 646."""
    os.umask(0o027)
    for options, mode, group in (
        ("", ["640"], []),
        ("--mode 666", ["666"], []),
        ("--keep", ["646"], ["saved"]),
        ("--keep --mode 600", ["600"], ["saved"]),
    ):
        done = case.run(f"restore snapshot new {options}")
        real = case.log("mode"), case.log("group")
        case.check(not done.returncode and real == (mode, group), f"{options}: {real} {done}")
    for options in "--keep", "--mode 600":
        case.failing(f"restore snapshot tree {options}", "a tree that exists")
    case.end("the mode of a restored tree")


def run_all(kind, *tests):
    """Run cases of a kind in a directory of their own; the exit status tells of failures."""
    work = pathlib.Path(tempfile.mkdtemp(dir="/dev/shm"))
    work.chmod(0o755)
    case = kind(os.path.abspath(sys.argv[1]), work)
    try:
        print("TAP version 13")
        for test in tests:
            test(case)
        print(f"1..{case.number}")
    finally:
        shutil.rmtree(work)
    sys.exit(case.failed > 0)


def prepare(case):
    """Files for the commands."""
    (case.work / "entries").write_text("1 1\n2 2\n3 3\n")
    (case.work / "script").write_text("put 1 1\nget 2\ndel 3\n")
    case.run("save tree FILE")
    shutil.copy(case.work / "FILE", case.work / "snapshot")


if __name__ == "__main__":
    run_all(Case, prepare, each_call, each_result, counted_results, short_calls, cut_erase,
            full_output, closed_output, shared_output, closed_input, unreadable_input, owners,
            unit, modes)
