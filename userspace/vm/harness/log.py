# SPDX-License-Identifier: GPL-2.0
"""What a stage prints: kept in a file, and its last line shown meanwhile."""

import contextlib
import sys
import threading
import time

SECONDS_BETWEEN_LINES = 30


class Log:
    """A sink for bytes; text not yet taken waits in it."""

    def __init__(self, path):
        self.path = path
        self.file = open(path, "wb")
        self.text = bytearray()
        self.last = ""

    def __call__(self, chunk):
        self.file.write(chunk)
        self.file.flush()
        self.text += chunk
        lines = chunk.decode(errors="replace").split("\n")
        self.last = next((line for line in reversed(lines) if line.strip()), self.last)

    def take(self):
        """All that came since the last call."""
        text = self.text.decode(errors="replace")
        self.text.clear()
        return text


@contextlib.contextmanager
def beside(work):
    """Let a thread do work(over) meanwhile; the event is set when it has to end."""
    over = threading.Event()
    thread = threading.Thread(target=work, args=(over,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Ticker:
    """Says how long a stage runs and what it does."""

    def __init__(self, name, log):
        self.name = name
        self.log = log
        self.began = time.monotonic()

    def seconds(self):
        """How long it has run."""
        return time.monotonic() - self.began

    def tick(self, over):
        """One line that changes on a terminal, else a line now and then."""
        terminal = sys.stdout.isatty()
        while not over.wait(1 if terminal else SECONDS_BETWEEN_LINES):
            last = f"{self.name}: {self.log.last.strip()}"
            line = f"        {self.seconds():4.0f} s  {last[:60]}"
            print(f"\r\033[K{line}" if terminal else line, end="", flush=True)
            if not terminal:
                print(flush=True)
        if terminal:
            print("\r\033[K", end="", flush=True)
