# SPDX-License-Identifier: GPL-2.0
"""The check of plain English: the sentences that it finds, and those that it accepts."""

import textwrap
import unittest
from unittest import mock

from harness import english, paths


def lines(text, markdown=False):
    """The numbers of the lines with something to mend."""
    found = english.hits(textwrap.dedent(text), markdown)
    return [number for number, _, _ in found]


class Sentences(unittest.TestCase):
    """Each pattern, and the good sentence next to it."""

    def assert_bad(self, text):
        self.assertEqual(set(lines(text)), {1}, text)

    def assert_good(self, text):
        self.assertEqual(lines(text), [], text)

    def test_a_relative_clause_is_no_subject(self):
        self.assert_bad("Who erases must wait.")
        self.assert_bad("It works. What is left is freed.")
        self.assert_bad("Memory is bounded; whatever exceeds that fails.")
        self.assert_good("A writer that erases must wait.")
        self.assert_good("What is a leaf?")

    def test_who_needs_a_noun(self):
        self.assert_bad("Memory is charged to whoever fills it.")
        self.assert_bad("It is for who reads.")
        self.assert_bad("Rights are checked: who asks for more gets EACCES.")
        self.assert_good("A user who reads it sees it.")

    def test_that_is_no_subject(self):
        self.assert_bad("It sleeps. That is a mistake.")
        self.assert_good("It sleeps. That mistake is found. The lock that is held stays.")

    def test_a_negation_is_no_subject(self):
        self.assert_bad("A lock that nobody holds.")
        self.assert_good("A lock that is free.")

    def test_phrases(self):
        self.assert_bad("It tells what there is of it.")
        self.assert_bad("One test is skipped for want of memory.")

    def test_a_sentence_of_several_lines(self):
        self.assertEqual(lines("A page\nis freed by whoever holds it.\n"), [2])
        self.assertEqual(lines("One.\n\n* Two.\n  What is three.\n"), [4])


class Code(unittest.TestCase):
    """Code is no prose."""

    def test_literals(self):
        self.assertEqual(lines("The user ``nobody`` owns it."), [])

    def test_blocks(self):
        text = """\
            .. code-block:: sh

               echo What is this

            An example::

               What is this

            What is this.

            .. note::

               What is this.
            """
        self.assertEqual(lines(text), [9, 13])

    def test_markdown(self):
        text = """\
            A line:

                What is this

            ```c
            What is this
            ```

            What is this.
            """
        self.assertEqual(lines(text, markdown=True), [9])


class Sources(unittest.TestCase):
    """Comments and strings of C sources are prose."""

    def lines(self, text, prints=False):
        found = english.code_hits(textwrap.dedent(text), prints)
        return [number for number, _, _ in found]

    def test_comments(self):
        text = """\
            // SPDX-License-Identifier: GPL-2.0
            /* What this file has. */
            int a; /* A lock that nobody holds. */
            /*
             * A page
             * is freed by whoever holds it.
             *
             * It is free. What is left
             * stays.
             */
            """
        self.assertEqual(self.lines(text), [2, 3, 6, 8])

    def test_kernel_doc(self):
        text = """\
            /**
             * struct page - what a page is
             * @lock: who has it
             * @count: number of users
             *
             * Return: what was found.
             */
            /**
             * page_free() - who frees it
             */
            """
        self.assertEqual(self.lines(text), [2, 3, 6, 9])

    def test_lists(self):
        text = """\
            /*
             * - A page.
             * - What is left.
             */
            """
        self.assertEqual(self.lines(text), [3])

    def test_code_is_no_prose(self):
        text = 'int who = what; char c = \'"\'; f("a", "/* What is left. */");'
        self.assertEqual(self.lines(text), [])

    def test_strings(self):
        text = """\
            f("What is left is freed.");
            f("A page\\n"
              "is freed " NAME
              "by whoever holds it.\\n"
              "\\nIt is free.");
            f("WHAT", "what", "who");
            """
        self.assertEqual(self.lines(text, prints=True), [1, 3])
        self.assertEqual(self.lines(text), [])


class Files(unittest.TestCase):
    """The files that the check reads."""

    def test_pages_and_sources_are_read(self):
        names = [english.name_of(path) for path in english.files()]
        for name in ("README.md", "Documentation/uapi.rst", "include/uapi/linux/blink_tree.h"):
            self.assertIn(name, names)

    def test_a_fault_names_its_line(self):
        with (
            mock.patch.object(english, "files", lambda: [paths.TOP / "README.md"]),
            mock.patch.object(english, "hits", lambda *_: [(3, "reason", "words")]),
        ):
            self.assertEqual(english.faults(), ["README.md:3: reason: words"])
