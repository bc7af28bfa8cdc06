# SPDX-License-Identifier: GPL-2.0
"""The check of the documentation's English: what it finds, and what it lets be."""

import textwrap
import unittest

from harness import english


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


class Pages(unittest.TestCase):
    """The list of pages to be mended."""

    def test_they_exist(self):
        names = {str(path.relative_to(english.paths.TOP)) for path in english.files()}
        self.assertEqual(english.TO_DO - names, set())


if __name__ == "__main__":
    unittest.main()
