# SPDX-License-Identifier: GPL-2.0
"""Programs that are run while they make progress, and leave nothing behind.

Each gets a session of its own, so that all its children can be ended with it:
when it stands still, when we are interrupted, when we fail.

No clock decides how long a program may run: a busy machine makes each of them slow, but
none silent.
"""

import concurrent.futures
import contextlib
import math
import os
import pathlib
import signal
import subprocess
import threading
import time


class Ended(SystemExit):
    """A signal has ended the program: no stage takes this for a failure of its own."""


# Programs that run, of whatever thread; the exit status, once there may be no more; and
# places of the main thread that no signal interrupts.
children = set()
status = 0
unbroken_places = []


def raise_on_term():
    """Let SIGTERM and SIGINT unwind the main thread, so that children are ended.

    The first signal counts. Those after it do not interrupt the end.
    """

    def handler(number, _frame):
        global status  # pylint: disable=global-statement
        if status:
            return
        status = 128 + number
        if not unbroken_places:
            raise Ended(status)

    signal.signal(signal.SIGTERM, handler)
    signal.signal(signal.SIGINT, handler)


@contextlib.contextmanager
def unbroken():
    """What is done here is done whole; a signal, of whatever thread, unwinds at its end."""
    main = threading.current_thread() is threading.main_thread()
    if main:
        unbroken_places.append(None)
    try:
        yield
    finally:
        if main:
            unbroken_places.pop()
    if status:
        raise Ended(status)


def processes():
    """Of each process its parent, its session and when it began."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            found[int(path.parent.name)] = (int(fields[1]), int(fields[3]), fields[19])
    return found


def family(known):
    """Add to processes, by when they began, those of their sessions and all descendants.

    Returns those that run. What was known stays so: the children of a process that has
    ended meanwhile are in its session, or in that of another one that was known.
    """
    table = processes()
    grown = True
    while grown:
        grown = {
            pid: began
            for pid, (parent, session, began) in table.items()
            if pid not in known and (parent in known or session in known)
        }
        known.update(grown)
    return [pid for pid, began in known.items() if pid in table and table[pid][2] == began]


def end(child):
    """End a child and all that it started: it has some time for that, the others have not."""
    known = {child.pid: processes().get(child.pid, (0, 0, ""))[2]}
    number = signal.SIGTERM
    while running := family(known):
        for pid in running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=5)
        if number == signal.SIGKILL:
            time.sleep(0.01)
        number = signal.SIGKILL
    child.wait()


def end_all():
    """End all children, so that the threads that wait for them come to an end."""
    global status  # pylint: disable=global-statement
    status = status or 1
    for child in list(children):
        end(child)


def completed(futures):
    """Futures as they end.

    Python runs the handler of a signal when the main thread goes on. If the signal comes
    just before the thread waits, nothing wakes it: so it wakes each second. No exception
    leaves the wait itself, which takes locks of the futures one after the other: what
    stayed locked would stop the threads that fulfil them.
    """
    left = set(futures)
    while left:
        with unbroken():
            done, left = concurrent.futures.wait(
                left, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED
            )
        yield from done


def pump(pipe, sink):
    """Hand what comes from a pipe to sink(bytes), until its other end closes."""
    while chunk := os.read(pipe.fileno(), 65536):
        sink(chunk)


class Progress:
    """When a program has last shown that it goes on: by output, or by another sign."""

    def __init__(self, sign):
        self.last = time.monotonic()
        self.sign = sign
        self.seen = sign and sign()

    def noted(self, sink):
        """A sink that notes the time, too."""

        def noting(chunk):
            self.last = time.monotonic()
            sink(chunk)

        return noting

    def silence(self):
        """For how many seconds there was none."""
        now = self.sign and self.sign()
        if now != self.seen:
            self.seen = now
            self.last = time.monotonic()
        return time.monotonic() - self.last


def wait(child, patience, progress, limit):
    """The exit status of a child, or None if it stands still or runs for so many seconds.

    It wakes each second; see completed().
    """
    last = time.monotonic() + (math.inf if limit is None else limit)
    while (patience is None or progress.silence() <= patience) and time.monotonic() <= last:
        with unbroken(), contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(1)
    return None


def run(
    command, patience, sink, error_sink=None, stderr=subprocess.STDOUT, sign=None, limit=None,
    **options,
):  # fmt: skip
    """Run a command; its output goes to sink(bytes), piece by piece.

    stderr goes to error_sink or, without one, where stdout goes, or as options say.
    A program that prints nothing for patience seconds, if not None, stands still, unless
    what sign() returns has changed. What is expected to hang has a limit besides, of
    seconds in all, since it may print for ever. Returns the exit status, negative for a
    signal, or None if it was ended for either. Raises Ended if a signal has ended the
    program.
    """
    child, pumps = None, []
    progress = Progress(sign)
    try:
        with unbroken():
            if not status:
                child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE if error_sink else stderr,
                    start_new_session=True,
                    **options,
                )
                children.add(child)
        pumps.append(threading.Thread(target=pump, args=(child.stdout, progress.noted(sink))))
        if error_sink:
            heard = progress.noted(error_sink)
            pumps.append(threading.Thread(target=pump, args=(child.stderr, heard)))
        for thread in pumps:
            thread.start()
        return wait(child, patience, progress, limit)
    finally:
        with unbroken():
            if child:
                end(child)
                children.discard(child)
            for thread in pumps:
                if thread.ident:
                    thread.join()


def capture(command, **options):
    """Run a command as run() does, however long it is silent; its exit status and output."""
    output = bytearray()
    status = run([str(word) for word in command], None, output.extend, **options)
    return status, output.decode()
