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

    def reason(self, **answers):
        """What unknown() says if git answers so, by the last word of the command."""
        answers = {"show-toplevel": str(history.paths.TOP), "shallow": "false", **answers}

        def git(*words):
            last = words[-1].removeprefix("--").removeprefix("is-").removesuffix("-repository")
            return answers.get(last, answers.get(last.split(".")[0], "0123\n"))

        with mock.patch.object(history, "git", git):
            return history.unknown()

    def test_a_repository(self):
        self.assertEqual(self.reason(), "")

    def test_no_git(self):
        self.assertIn("git is missing", self.reason(**{"show-toplevel": None}))

    def test_an_export_inside_of_another_repository(self):
        self.assertIn("export", self.reason(**{"show-toplevel": "/"}))

    def test_shallow(self):
        self.assertIn("shallow", self.reason(shallow="true\n"))

    def test_before_the_rules(self):
        self.assertIn("not committed", self.reason(CONTRIBUTING="\n"))


if __name__ == "__main__":
    unittest.main()
