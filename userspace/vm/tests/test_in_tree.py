# SPDX-License-Identifier: GPL-2.0
"""The sources, options and pages that a kernel source gets."""

import pathlib
import tempfile
import types
import unittest

from harness import in_tree, paths

MAKEFILE = "VERSION = {}\nPATCHLEVEL = {}\nSUBLEVEL = 3\n"


class Version(unittest.TestCase):
    """What is no kernel source, or too old, is refused."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def tree(self, version, patchlevel):
        """A source of this version."""
        (self.folder / "Makefile").write_text(MAKEFILE.format(version, patchlevel))
        return in_tree.Tree(self.folder)

    def test_no_source(self):
        with self.assertRaises(in_tree.Refused):
            in_tree.Tree(self.folder)

    def test_too_old(self):
        with self.assertRaises(in_tree.Refused):
            self.tree(6, 11)

    def test_new_enough(self):
        self.assertEqual(self.tree(6, 12).version, (6, 12, 3))

    def test_added_already(self):
        (self.folder / "lib/blink_tree").mkdir(parents=True)
        with self.assertRaises(in_tree.Refused):
            self.tree(7, 3)

    def test_changes_need_their_place(self):
        tree = self.tree(7, 3)
        with self.assertRaises(in_tree.Refused):
            tree.change("Makefile", "^EXTRAVERSION", "no\n")
        tree.change("Makefile", "^SUBLEVEL", "yes\n")
        self.assertIn("PATCHLEVEL = 3\nyes\nSUBLEVEL", tree.read("Makefile"))


def words(*version, slab=""):
    """Words for a kernel of this version."""
    return in_tree.Words(types.SimpleNamespace(version=version, read=lambda _: slab))


class Sources(unittest.TestCase):
    """compat.h goes, as far as a kernel does not need it."""

    def test_new_kernels_need_none(self):
        self.assertEqual(words(7, 3, 4).header(), "")

    def test_old_kernels_keep_what_they_lack(self):
        header = words(6, 12, 0).header()
        self.assertIn("hrtimer_setup", header)
        self.assertIn("timer_container_of", header)
        self.assertNotIn("vm_flags_mod", header)
        self.assertNotIn("LINUX_VERSION_CODE", header)

    def test_generators(self):
        text = "next(BLINK_KUNIT_GENERATOR const void *last)"
        self.assertEqual(words(6, 17, 9).apply(text), "next(const void *last)")
        self.assertEqual(
            words(6, 18, 0).apply(text), "next(struct kunit *test, const void *last)"
        )

    def test_allocations(self):
        text = "p = kzalloc(sizeof(*p), GFP_KERNEL);"
        self.assertEqual(words(6, 12, 0).apply(text), text)
        self.assertEqual(
            words(7, 3, 0, slab="#define kmalloc_obj").apply(text),
            "p = kzalloc_obj(*p, GFP_KERNEL);",
        )

    def test_functions_for_bpf_have_an_option(self):
        for name in "bpf/kfuncs.h", "bpf/kfuncs.c", "core/tree/mark.h":
            text = words(7, 3, 0).apply((paths.TOP / "module" / name).read_text())
            self.assertIn("#ifdef CONFIG_BLINK_TREE_BPF\n", text)
            self.assertNotIn("BLINK_KFUNCS", text)

    def test_paths(self):
        self.assertEqual(
            words(7, 3, 0).apply('#include "../../module/lock/cohort.c"'),
            '#include "../../lock/cohort.c"',
        )


class Pages(unittest.TestCase):
    """Links lead to pages that are there."""

    def test_links(self):
        for name in in_tree.DOCUMENTED:
            text = in_tree.page(name)
            for target in in_tree.LINK.findall(text):
                self.assertIn(target[1], in_tree.DOCUMENTED, name)
            self.assertNotIn("literalinclude", text, name)
