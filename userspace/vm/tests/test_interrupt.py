# SPDX-License-Identifier: GPL-2.0
"""A signal ends `make check`: no process stays, and no other stage begins."""

import glob
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "interrupted"
# An event comes, or the test fails after so many seconds.
PATIENCE = 60


class Interrupts(unittest.TestCase):
    """Stages in the main thread and in others, and what these build first."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        os.mkfifo(self.folder / "fifo")

    def read(self):
        """What comes next from the processes of the stage: nothing if there are none."""
        ready, _, _ = select.select([self.fifo], [], [], PATIENCE)
        return os.read(self.fifo, 100) if ready else b"they stay"

    def start(self, *words):
        """Start a program in a session of its own, and wait until the stage runs."""
        self.fifo = os.open(self.folder / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, self.fifo)
        self.child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.addCleanup(self.clear, self.child)
        self.assertEqual(self.read(), b"up\n")

    def start_check(self, how):
        """Start what stands for check."""
        self.start(sys.executable, PROGRAM, how, self.folder)

    def clear(self, child):
        """End what a fault has left: all that have the FIFO open."""
        fifo = str(self.folder / "fifo")
        # Processes that end meanwhile raise an error in a glob() of pathlib's.
        for link in glob.glob("/proc/[0-9]*/fd/*"):
            try:
                pid = int(link.split("/")[2])
                if os.readlink(link) == fifo and pid != os.getpid():
                    os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        child.kill()
        child.wait()

    def ends(self, status):
        """It ends with a status, and nothing stays or begins."""
        self.assertEqual(self.child.wait(PATIENCE), status)
        self.assertEqual(self.read(), b"")
        self.assertFalse((self.folder / "begun").exists())

    def test_a_signal_for_check_alone(self):
        for number in signal.SIGTERM, signal.SIGINT:
            for how in "fast", "guest", "asked":
                with self.subTest(f"{number.name} {how}"):
                    self.start_check(how)
                    os.kill(self.child.pid, number)
                    self.ends(128 + number)

    def test_a_second_signal_is_no_end_of_the_first(self):
        self.start_check("guest")
        for _ in range(20):
            os.kill(self.child.pid, signal.SIGTERM)
            os.kill(self.child.pid, signal.SIGINT)
        self.assertIn(self.child.wait(PATIENCE), (130, 143))
        self.assertEqual(self.read(), b"")

    def test_a_signal_for_make(self):
        (self.folder / "Makefile").write_text("%:\n\t@$(PYTHON) $(PROGRAM) $@ $(FOLDER)\n")
        words = ["make", "-C", self.folder, f"PYTHON={sys.executable}", f"PROGRAM={PROGRAM}"]
        # Ctrl-C is for all processes of the terminal.
        for kill, number in (os.kill, signal.SIGTERM), (os.killpg, signal.SIGINT):
            with self.subTest(number.name):
                self.start(*words, f"FOLDER={self.folder}", "guest")
                kill(self.child.pid, number)
                self.ends(-number)
