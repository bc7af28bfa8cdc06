# SPDX-License-Identifier: GPL-2.0
"""What a kernel's log complains of.

A *report* is what a checker of the kernel, or the kernel in trouble, prints: a
headline, and details in the lines after it. Only headlines are looked for, so
that the stack traces of injected faults, which are wanted, are not taken for
reports.
"""

import re

STAMP = re.compile(r"^(?:<\d+>)?\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? ?")

HEADLINES = [
    # KASAN, KFENCE, SLUB, lockdep's limits, soft lockups, atomic sleeps, oopses
    r"BUG\b.*:",
    # WARN(), lockdep, suspicious RCU use
    r"WARNING: ",
    r"UBSAN: ",
    r"ODEBUG: ",
    r"INFO: (?:task .* blocked|trying to register|rcu\w* .*detected)",
    r"rcu: INFO: ",
    r"rcu: \*\*\*",
    r"watchdog: BUG",
    r"watchdog: Watchdog detected hard LOCKUP",
    r"Kernel panic",
    r"Oops\b",
    r"general protection fault",
    r"kernel BUG at ",
    r"(?:list_add|list_del) corruption",
    r"refcount_t: ",
    r"Voluntary context switch within RCU",
    r"kmemleak: (?:\d+ new suspected|Kernel memory leak detector disabled|Cannot)",
    r"\S+: page allocation failure",
    r"INFO: lockdep is turned off",
    r"turning off the locking correctness validator",
    r"Slab cache with size .* leaked|kmem_cache_destroy ",
    r"\*\* \d+ printk messages dropped",
]
HEADLINE = re.compile("|".join(f"(?:{text})" for text in HEADLINES))


def plain(line):
    """A line without its time stamp."""
    return STAMP.sub("", line)


def reports(log):
    """The indexes of the lines that are headlines of reports."""
    return [
        number
        for number, line in enumerate(log.splitlines())
        if HEADLINE.match(plain(line))
    ]


def show(log, number, lines=25):
    """A report with its first lines, for people."""
    return "\n".join(log.splitlines()[number : number + lines])
