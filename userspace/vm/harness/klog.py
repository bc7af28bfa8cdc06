# SPDX-License-Identifier: GPL-2.0
"""What a kernel's log complains of.

A *report* is what a checker of the kernel, or the kernel in trouble, prints: a
headline, and details in the lines after it. Only headlines are looked for, so
that the stack traces of injected faults, which are wanted, are not taken for
reports.

The kernel has data races of its own, which its checker tells as well: those
count of which either side is a function of ours, or was called by one.
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


RACE = re.compile(r"BUG: KCSAN: ")
RACE_SIDE = re.compile(r".* by (?:task \d+|interrupt) on cpu \d+:$")
RACE_FRAME = re.compile(r" \S+\+0x")
RACE_END = re.compile(r"={20,}$")
OURS = re.compile(r" \[blink_tree\w*\]")


def plain(line):
    """A line without its time stamp."""
    return STAMP.sub("", line)


def is_others(lines, number):
    """Whether a headline is of a data race that we have no part in."""
    if not RACE.match(plain(lines[number])):
        return False
    frames = 0
    for line in map(plain, lines[number:]):
        if RACE_END.match(line):
            break
        if RACE_SIDE.match(line):
            frames = 2
        elif frames and RACE_FRAME.match(line):
            frames -= 1
            if OURS.search(line):
                return False
    return True


def reports(log):
    """The indexes of the lines that are headlines of reports."""
    lines = log.splitlines()
    return [
        number
        for number, line in enumerate(lines)
        if HEADLINE.match(plain(line)) and not is_others(lines, number)
    ]


def show(log, number, lines=25):
    """A report with its first lines, for people."""
    return "\n".join(log.splitlines()[number : number + lines])
