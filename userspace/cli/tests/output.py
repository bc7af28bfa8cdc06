#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Places that hinder the writer of a file, in TAP.

    output.py BLINKTREE

BLINKTREE is the command with tests/fake/device.c in place of the device. There are links of
other users, limits, full and forbidden directories, and each call that can fail. The old file
must be unchanged unless it was replaced, no temporary file may be left, and each failure is
reported.
"""

import errno
import os
import shutil
import subprocess

from errors import run_all
from snapshot import record
from texts import Texts

STRANGER = 12345
ROOT = os.geteuid() == 0
OLD = b"old"


class Outputs(Texts):
    """A snapshot that goes to a file of a folder."""

    def prepare(self):
        """Another user may be unable to reach the command. The snapshot is that of all cases."""
        self.blinktree = shutil.copy(self.blinktree, self.work / "command")
        self.new = self.run("save tree -").stdout

    def enter(self, name, mode=0o755):
        """Go on in a new folder."""
        self.folder = self.work / name
        self.folder.mkdir()
        self.folder.chmod(mode)

    def put(self, *paths):
        """Write files."""
        for path in paths:
            (self.folder / path).write_bytes(OLD)

    def save(self, path, user=None, cwd=None, **variables):
        """Whether a snapshot could be saved; a failure says why."""
        done = self.run(["save", "tree", str(path)], cwd=cwd or self.folder,
                        user=user if ROOT else None, **variables)
        self.check(bool(done.returncode) == bool(done.stderr), f"{path}: {done}")
        return not done.returncode

    def saves(self, *paths, to=None, **options):
        """Each can be saved, and the snapshot is there, or in another file."""
        for path in paths:
            self.check(self.save(path, **options), f"{path}: not saved")
            self.has(self.new, to or path)

    def refuses(self, *paths, **options):
        """None can be saved."""
        for path in paths:
            self.check(not self.save(path, **options), f"{path}: saved")

    def has(self, content, *paths):
        """All files have this content."""
        for path in paths:
            found = (self.folder / path).read_bytes()
            self.check(found == content, f"{path}: {found[:40]}")

    def clean(self, *folders):
        """No temporary file is left."""
        for folder in (".", *folders):
            left = list((self.folder / folder).glob(".blinktree-*"))
            self.check(not left, f"{left}")


def replaced(case):
    """A file is replaced, or created."""
    case.enter("replaced")
    case.put("file")
    case.saves("file", "./../replaced//other", 255 * "x")
    mode = (case.folder / "file").stat().st_mode
    case.check(mode & 0o777 == 0o600, f"{mode:o}")
    case.refuses("", ".", "..", "/", "file/", "none/file", "file/file")
    case.clean()
    case.end("a file is replaced, or created")


def links(case):
    """Links of the caller are followed, and stay."""
    case.enter("links")
    (case.folder / "directory").mkdir()
    for name, target in (("link", "directory/file"), ("twice", "../links/link"),
                         ("way", "directory"), ("loop", "loop"), ("dangling", "directory/none")):
        (case.folder / name).symlink_to(target)
    for path in "twice", "way/file":
        case.put("directory/file")
        case.saves(path, to="directory/file")
    case.saves("dangling", to="directory/none")
    case.refuses("loop", "loop/file")
    case.check(all((case.folder / name).is_symlink() for name in ("link", "twice", "way", "dangling")),
               "a link is gone")
    case.clean("directory")
    case.end("links of the caller are followed, and stay")


def exchanged(case):
    """The link that is followed is the one whose owner was seen."""
    case.enter("exchanged")
    case.put("good", "victim")
    (case.folder / "link").symlink_to("good")
    (case.folder / "evil").symlink_to("victim")
    case.saves("link", to="good", LINK="mv -T evil link")
    case.check(not (case.folder / "evil").is_symlink(), "it was not exchanged")
    case.has(OLD, "victim")
    case.clean()
    case.end("a link that is exchanged while it is followed")


def strangers(case):
    """A link or a pipe of another user, in a directory in which he can write."""
    name = "a link of another user is not followed"
    if not ROOT:
        case.end(name, "only root can create it")
        return
    for mode in 0o1777, 0o777:
        case.enter(f"strange-{mode:o}", mode)
        (case.folder / "../victim").mkdir(exist_ok=True)
        case.put("../victim/file", "file")
        (case.folder / "link").symlink_to("../victim/file")
        (case.folder / "way").symlink_to("../victim")
        os.mkfifo(case.folder / "pipe", 0o666)
        for path in "link", "way", "pipe":
            os.lchown(case.folder / path, STRANGER, STRANGER)
        case.refuses("link", *(("way/file", "pipe") if mode & 0o1000 else ()))
        case.has(OLD, "../victim/file")
        # A file of another user is replaced, and never written.
        os.link(case.folder / "file", case.folder / "same")
        os.chown(case.folder / "file", STRANGER, STRANGER)
        case.saves("file")
        case.has(OLD, "same")
        case.clean("../victim")
    case.end(name)


def directories(case):
    """Directories that are forbidden, cannot be read, or are closed."""
    case.enter("forbidden")
    case.put("file")
    case.folder.chmod(0o555)
    case.refuses("file", "other", user=STRANGER)
    case.has(OLD, "file")
    case.clean()
    case.end("a directory that is not the caller's stays")
    case.enter("unreadable", 0o777)
    case.folder.chmod(0o333)
    case.check(case.save("file", user=STRANGER), "not saved")
    case.folder.chmod(0o755)
    case.has(case.new, "file")
    case.clean()
    case.end("a directory need not be readable")
    case.enter("absolute", 0o777)
    closed = case.folder / "closed"
    closed.mkdir()
    if ROOT:
        closed.chmod(0)
    case.saves(case.folder / "file", user=STRANGER, cwd=closed)
    if ROOT:
        case.refuses("file", user=STRANGER, cwd=closed)
    case.end("an absolute path from a closed directory")


def too_big(case):
    """A file over the limit of the process."""
    case.enter("big")
    case.put("file")
    words = ["prlimit", "--fsize=0:", case.blinktree, "--device", "/dev/null", "save", "tree", "file"]
    done = subprocess.run(words, cwd=case.folder, capture_output=True, check=False)
    case.check(done.returncode == 3 and b"File too large" in done.stderr, f"{done}")
    case.has(OLD, "file")
    case.clean()
    case.end("a file over the limit of the process")


def long_entries(case):
    """Let the tree have entries that fill a file system."""
    case.kinds = "bytes", "bytes"
    entry = record(1024 * b'"', 4096 * b'"')
    (case.work / "store").write_bytes(20 * entry)


def full(case):
    """A file system for one file of a few pages, in a namespace of its own."""
    case.enter("full")
    long_entries(case)
    script = ("mount -t tmpfs -o size=16k none . && cd ../full && printf old > file && "
              '"$0" --device /dev/null dump tree file; echo $? $(cat file) $(ls -A)')
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, case.blinktree], cwd=case.folder, check=False,
        capture_output=True, env={**os.environ, "FAKE_KINDS": "3 2",
                                  "FAKE_STORE": str(case.work / "store")},
    )
    mounts = b"mount" not in done.stderr and b"unshare" not in done.stderr
    case.check(not mounts or done.stdout == b"3 old file\n", f"{done}")
    case.check(not mounts or b"No space left" in done.stderr, f"{done}")
    case.end("a full file system", "" if mounts else "only root can mount one")


def moved(case):
    """A directory that gets another name, or vanishes."""
    case.enter("moved")
    for folder in "a", "trap":
        (case.folder / folder).mkdir()
    case.put("trap/file")
    case.saves("a/file", to="b/file", SCAN="mv a b; ln -s trap a")
    case.has(OLD, "trap/file")
    case.clean("b", "trap")
    # Someone removes the directory, with the temporary file.
    case.refuses("b/file", SCAN="rm -r b")
    case.end("a directory that gets another name, or vanishes")


def direct(case):
    """Pipes and devices are written directly."""
    case.enter("direct")
    case.refuses("/dev/full")
    case.check(case.save("/dev/null"), "/dev/null")
    os.mkfifo(case.folder / "pipe", 0o600)
    with subprocess.Popen(["cat", case.folder / "pipe"], stdout=subprocess.PIPE) as reader:
        case.check(case.save("pipe"), "not saved")
        case.check(reader.communicate()[0] == case.new, "other bytes")
    case.saves("standard")
    case.clean()
    case.end("pipes and devices are written directly")


def failures(case):
    """Each call that fails is told, unless it is no error."""
    case.enter("failures")
    for error in errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINVAL, errno.EINTR:
        at, failed, fired = 0, 0, True
        while fired:
            at += 1
            case.put("file")
            saved = case.save("file", FILE=f"{at} {error}")
            fired = case.count("files") >= at
            failed += not saved
            content = (case.folder / "file").read_bytes()
            what = f"call {at}: {error}: {saved}"
            case.check(content == case.new or content == OLD and not saved, what)
            # A directory that cannot be flushed alone, and a write again, are no errors.
            case.check(not saved or not fired or error in (errno.EINVAL, errno.EINTR), what)
            case.check(saved or fired, what)
            case.clean()
        case.check(at > 6 and failed > 4, f"{error}: {at} calls, {failed} failed")
    case.end("each call that fails is told")


def stopped(case):
    """A full pipe makes each other call wait, and a full disk gives each its message."""
    case.enter("stopped")
    long_entries(case)
    for form in "text", "csv":
        for status, variables in ((3, {"FILE": f"2 {errno.ENOSPC}"}),
                                  (130, {"FILE": f"2 {errno.EINTR}", "SIGNAL": "y"})):
            done = case.command(f"dump tree {case.folder}/file -F {form}", **variables)
            case.check(done.returncode == status, f"{form}: {done}")
            # The temporary file is closed too.
            case.check(case.count("files") == 3, f"{form}: {case.count('files')} calls")
    case.clean()
    case.end("nothing is written after an error or a signal")


def prepare(case):
    """What all cases need."""
    os.umask(0o022)
    case.prepare()


if __name__ == "__main__":
    run_all(Outputs, prepare, replaced, links, exchanged, strangers, directories, too_big, moved,
            direct, failures, stopped, full)
