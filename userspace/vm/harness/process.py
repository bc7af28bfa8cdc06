# SPDX-License-Identifier: GPL-2.0
"""Programs that are run with a time limit and leave nothing behind.

Each gets a session of its own, so that all its children can be ended with it:
when its time is over, when we are interrupted, when we fail.
"""

import concurrent.futures
import contextlib
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
    just before the thread waits, nothing wakes it: so it wakes each second.
    """
    left = set(futures)
    while left:
        done, left = concurrent.futures.wait(
            left, timeout=1, return_when=concurrent.futures.FIRST_COMPLETED
        )
        yield from done


def pump(pipe, sink):
    """Hand what comes from a pipe to sink(bytes), until its other end closes."""
    while chunk := os.read(pipe.fileno(), 65536):
        sink(chunk)


def run(command, timeout, sink, error_sink=None, stderr=subprocess.STDOUT, **options):
    """Run a command; its output goes to sink(bytes), piece by piece.

    stderr goes to error_sink or, without one, where stdout goes, or as options say.
    Returns the exit status, negative for a signal, or None if the time was over. Raises
    Ended if a signal has ended the program.
    """
    child, pumps = None, []
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
        pumps.append(threading.Thread(target=pump, args=(child.stdout, sink)))
        if error_sink:
            pumps.append(threading.Thread(target=pump, args=(child.stderr, error_sink)))
        for thread in pumps:
            thread.start()
        # With a limit it wakes now and then; see completed().
        return child.wait(threading.TIMEOUT_MAX if timeout is None else timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with unbroken():
            if child:
                end(child)
                children.discard(child)
            for thread in pumps:
                if thread.ident:
                    thread.join()
