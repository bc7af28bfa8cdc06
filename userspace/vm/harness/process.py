# SPDX-License-Identifier: GPL-2.0
"""Programs that are run with a time limit and leave nothing behind.

Each gets a session of its own, so that all its children can be ended with it:
when its time is over, when we are interrupted, when we fail.
"""

import os
import signal
import subprocess
import threading


def raise_on_term():
    """Let SIGTERM unwind as Ctrl-C does, so that children are ended."""

    def handler(number, _frame):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, handler)


def end(child):
    """End a child and all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(timeout=5)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    child.wait()


# Those that run, of whatever thread; and whether there may be more.
children = set()
over = threading.Event()


def end_all():
    """End all children, so that the threads that wait for them come to an end."""
    over.set()
    for child in list(children):
        end(child)


def pump(pipe, sink):
    """Hand what comes from a pipe to sink(bytes), until its other end closes."""
    while chunk := os.read(pipe.fileno(), 65536):
        sink(chunk)


def run(command, timeout, sink, error_sink=None, **options):
    """Run a command; its output goes to sink(bytes), piece by piece.

    stderr goes to error_sink or, without one, where stdout goes. Returns the
    exit status, negative for a signal, or None if the time was over.
    """
    if over.is_set():
        raise SystemExit(130)
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if error_sink else subprocess.STDOUT,
        start_new_session=True,
        **options,
    )
    children.add(child)
    pumps = [threading.Thread(target=pump, args=(child.stdout, sink))]
    if error_sink:
        pumps.append(threading.Thread(target=pump, args=(child.stderr, error_sink)))
    for thread in pumps:
        thread.start()
    try:
        return child.wait(timeout=timeout)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end(child)
        children.discard(child)
        for thread in pumps:
            thread.join()
