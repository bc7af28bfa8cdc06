# SPDX-License-Identifier: GPL-2.0
"""What a stage prints: kept in a file, and its last line shown meanwhile."""

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


class Ticker:
    """Says, as long as it is open, how long a stage runs and what it does."""

    def __init__(self, name, log):
        self.name = name
        self.log = log
        self.began = time.monotonic()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.tick, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        if sys.stdout.isatty():
            print("\r\033[K", end="", flush=True)

    def seconds(self):
        """How long it has run."""
        return time.monotonic() - self.began

    def tick(self):
        """One line that changes on a terminal, else a line now and then."""
        terminal = sys.stdout.isatty()
        while not self.over.wait(1 if terminal else SECONDS_BETWEEN_LINES):
            last = f"{self.name}: {self.log.last.strip()}"
            line = f"        {self.seconds():4.0f} s  {last[:60]}"
            print(f"\r\033[K{line}" if terminal else line, end="", flush=True)
            if not terminal:
                print(flush=True)
