# SPDX-License-Identifier: GPL-2.0
"""The rules for the messages of commits: each is broken once."""

import unittest
from unittest import mock

from harness import history

SIGNED = "Signed-off-by: A Name <a@b.example>\n"
GOOD = f"core: free the last leaf\n\nIt stayed for ever.\n\n{SIGNED}"


class Messages(unittest.TestCase):
    """One message, at most one mistake."""

    def assert_fault(self, message, words):
        found = history.faults(message)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_good(self):
        self.assertEqual(history.faults(GOOD), [])
        fixes = 'Fixes: 0123456789ab ("core: add leaves")\nSigned'
        self.assertEqual(history.faults(GOOD.replace("Signed", fixes)), [])

    def test_subject(self):
        self.assert_fault(GOOD.replace("core: ", ""), "the subject is not")
        self.assert_fault(GOOD.replace("leaf\n", "leaf.\n", 1), "the subject is not")
        self.assert_fault(GOOD.replace("leaf", "leaf" * 20, 1), "75 characters")

    def test_body(self):
        self.assert_fault(GOOD.replace("It stayed for ever.\n\n", ""), "no body")
        self.assert_fault(GOOD.replace("leaf\n\n", "leaf\n", 1), "no empty line")

    def test_signature(self):
        self.assert_fault(GOOD.replace(SIGNED, ""), "no Signed-off-by")
        self.assert_fault(GOOD.replace("@", ""), "no Signed-off-by")

    def test_fixes(self):
        self.assert_fault(GOOD.replace("Signed", "Fixes: 0123\nSigned"), "not of the form")

    def test_revert(self):
        reverted = 'Revert "core: free the first leaf"'
        self.assertEqual(history.faults(GOOD.replace("core: free the last leaf", reverted)), [])

    def test_to_be_squashed(self):
        self.assertNotEqual(history.faults("fixup! core: free the last leaf"), [])


class Repository(unittest.TestCase):
    """Where the history cannot be told, there is a reason."""

    def test_reasons(self):
        top = str(history.paths.TOP)
        for answers, reason in (
            ([top, "false", "0123"], ""),
            ([top, "false", ""], "the rules are not committed yet"),
            ([top, "true"], "the clone is shallow"),
            ([""], "these files are no repository that git can read"),
            (["/"], "these files are no repository that git can read"),
        ):
            with mock.patch.object(history, "git", side_effect=answers):
                self.assertEqual(history.unknown(), reason)
