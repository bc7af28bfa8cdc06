# SPDX-License-Identifier: GPL-2.0
"""The reader of kernel logs: each kind of report is found, ordinary talk not."""

import unittest

from harness import klog

REPORTS = """\
[   12.345678] BUG: KASAN: slab-use-after-free in blink_walk+0x1/0x2 [blink_tree]
[   12.345678] BUG: KFENCE: out-of-bounds read in blink_walk+0x1/0x2
[   12.345678] BUG: sleeping function called from invalid context at mm/util.c:1
[   12.345678] BUG: scheduling while atomic: insmod/77/0x00000002
[   12.345678] BUG: unable to handle page fault for address: ffffffffffffffe8
[   12.345678] BUG: MAX_LOCKDEP_ENTRIES too low!
[   12.345678] BUG blink_leaf (Tainted: G    B      O      ): Objects remaining
[   12.345678] watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [insmod:77]
[   12.345678] watchdog: Watchdog detected hard LOCKUP on cpu 0
[   12.345678] WARNING: CPU: 0 PID: 77 at lib/x.c:5 x+0x1/0x2
[   12.345678] WARNING: possible circular locking dependency detected
[   12.345678] WARNING: suspicious RCU usage
[   12.345678] UBSAN: shift-out-of-bounds in module/core/node/entries.c:5:3
[   12.345678] ODEBUG: activate active (active state 1) object: 0000
[   12.345678] INFO: task cat:99 blocked for more than 120 seconds.
[   12.345678] INFO: trying to register non-static key.
[   12.345678] rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
[   12.345678] rcu: INFO: rcu_preempt self-detected stall on CPU
[   12.345678] Oops: Oops: 0000 [#1] PREEMPT SMP KASAN NOPTI
[   12.345678] Oops: general protection fault, probably for non-canonical address
[   12.345678] kernel BUG at mm/slub.c:1!
[   12.345678] Kernel panic - not syncing: Fatal exception
[   12.345678] list_del corruption. prev->next should be 0, but was 1.
[   12.345678] refcount_t: underflow; use-after-free.
[   12.345678] kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
[   12.345678] kmemleak: Kernel memory leak detector disabled
[   12.345678] insmod: page allocation failure: order:0, mode:0xdc0(GFP_KERNEL)
[   12.345678] turning off the locking correctness validator.
[   12.345678] kmem_cache_destroy blink_leaf: Slab cache still has objects
[    1.000000][   T77] BUG: KASAN: stack-out-of-bounds in f+0x1/0x2
** 37 printk messages dropped **
"""

TALK = """\
[    0.000000] Linux version 6.12.117 (gcc-12 (Debian 12.2.0-14) 12.2.0) #1 SMP
[    1.437357] PCI: if necessary, use "pci=nocrs" and report a bug
[    2.000000] FAULT_INJECTION: forcing a failure.
[    2.000000] Call Trace:
[    2.000000]  <TASK>
[    2.000000] blink_tree: loading out-of-tree module taints kernel.
[    2.000000] kmemleak: Kernel memory leak detector initialized (mem pool: 40000)
[    2.000000] rcu: Preemptible hierarchical RCU implementation.
[    2.000000] watchdog: watchdog0: watchdog did not stop!
[    2.000000]     # lookup: pass:1 fail:0 skip:0 total:1
[    2.000000] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc.
[    2.000000] debug: unmapping init [mem 0xffffffff82000000-0xffffffff820fffff]
"""

RACE = """\
[   12.345678] ==================================================================
[   12.345678] BUG: KCSAN: data-race in %s / %s
[   12.345678]
[   12.345678] write to 0xffff888003a4c040 of 8 bytes by task 77 on cpu 1:
[   12.345678]  %s+0x5a/0x90%s
[   12.345678]  %s+0x91/0xc0%s
[   12.345678]  kthread+0x5a/0x90
[   12.345678]
[   12.345678] read to 0xffff888003a4c040 of 8 bytes by interrupt on cpu 0:
[   12.345678]  %s+0x5a/0x90%s
[   12.345678]  asm_exc_page_fault+0x5a/0x90
[   12.345678]  crew_run+0x5a/0x90 [blink_tree_kunit]
[   12.345678]
[   12.345678] Reported by Kernel Concurrency Sanitizer on:
[   12.345678] ==================================================================
"""


def race(writer, caller, reader):
    """A report of these functions; those of a module are named like node@tree."""
    frames = []
    for function in (writer, caller, reader):
        name, _, module = function.partition("@")
        frames += [name, f" [blink_{module}]" if module else ""]
    return RACE % (writer, reader, *frames)


class Headlines(unittest.TestCase):
    """One line each."""

    def test_reports_are_found(self):
        for line in REPORTS.splitlines():
            with self.subTest(line):
                self.assertEqual(klog.reports(line), [0])

    def test_talk_is_not(self):
        for line in TALK.splitlines():
            with self.subTest(line):
                self.assertEqual(klog.reports(line), [])

    def test_place_of_a_report(self):
        log = TALK + REPORTS
        first = len(TALK.splitlines())
        self.assertEqual(klog.reports(log)[0], first)
        self.assertEqual(
            klog.show(log, first, 2), "\n".join(REPORTS.splitlines()[:2])
        )

    def test_races_of_ours(self):
        for functions in (
            ("node_link@tree", "kthread", "do_open"),
            ("list_add", "tree_join@tree", "do_open"),
            ("do_open", "path_open", "crew_run@tree_kunit"),
        ):
            self.assertEqual(klog.reports(race(*functions)), [1])

    def test_races_of_others(self):
        theirs = race("put_chars", "do_open", "do_close")
        self.assertEqual(klog.reports(theirs), [])
        # Nor does what comes after one make it ours.
        ours = race("node_link@tree", "kthread", "do_open")
        lines = len(theirs.splitlines())
        self.assertEqual(klog.reports(theirs + ours), [lines + 1])
