# SPDX-License-Identifier: GPL-2.0
"""The modes of trees: one table, from which all runners take them."""

import re
import unittest

from harness import mutants, paths

FOLDERS = ("kunit", "userspace/tests")
SCRIPTS = ("core/run", "histories/run", "histories/device")


def sources():
    """All C sources and headers of the tests, with their text."""
    for folder in FOLDERS:
        for path in sorted((paths.TOP / folder).rglob("*.[ch]")):
            yield str(path.relative_to(paths.TOP)), path.read_text()


class Modes(unittest.TestCase):
    """What runners and suites say of modes."""

    def test_one_table(self):
        tables = [name for name, text in sources() if '"u128-full"' in text]
        self.assertEqual(tables, ["kunit/modes.h"])

    def test_suites_have_modes_of_the_table(self):
        for name, text in sources():
            for mode in re.findall(r'FIXTURE_SUITE\("\w+-([\w-]+)"', text):
                self.assertIn(mode, mutants.modes(), name)

    def test_kunit_runs_each_mode_with_keys_of_64_bits(self):
        text = "".join(text for _, text in sources())
        modes = set(re.findall(r'FIXTURE_SUITE\("\w+-([\w-]+)"', text))
        self.assertEqual({"inner", "full", "compress"} - modes, set())

    def test_scripts_name_modes_of_the_table(self):
        for script in SCRIPTS:
            text = (paths.TOP / "userspace/tests" / script).read_text()
            words = re.findall(r'(?:MODES:-|narrow=|others=)"?([^"}]*)', text.replace("\\\n", ""))
            modes = {word for line in words for word in line.split() if word[0] != "$"}
            self.assertTrue(modes, script)
            self.assertLessEqual(modes, set(mutants.modes()), script)
