# SPDX-License-Identifier: GPL-2.0
"""How counts of several builds become one account, and what is wrong with it."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "coverage"))

# pylint: disable=wrong-import-position
from covered import merge, reasons, report, source  # noqa: E402

SOURCE = """\
static int first(int a)
{
	if (a)
		return 1;
	return 2;
}

/* With a head of two lines. */
static struct node *
second(int a,
       int b)
{
	if (WARN_ON_ONCE(a))
		return 1;
	return b;
}
"""

REASON = """\
# of nobody's concern

module/x.c: second
	return 1;
It is broken
otherwise.
"""


def build(**lines):
    """What gcovr says: n3=(count, branches)."""
    return {
        "files": [
            {
                "file": "module/x.c",
                "lines": [
                    {
                        "line_number": int(name[1:]),
                        "count": count,
                        "branches": [{"count": taken} for taken in branches],
                    }
                    for name, (count, branches) in lines.items()
                ],
            }
        ]
    }


class Coverage(unittest.TestCase):
    """A source of two functions."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(source.lines.cache_clear)
        self.top = pathlib.Path(folder.name)
        (self.top / "module").mkdir()
        (self.top / "module/x.c").write_text(SOURCE)

    def merged(self, *builds):
        """Of pairs of a way and what gcovr says."""
        with tempfile.TemporaryDirectory() as name:
            path = pathlib.Path(name) / "x.json"
            read = []
            for way, document in builds:
                path.write_text(json.dumps(document))
                read.append((way, merge.read_build(path)))
        return merge.merge(read, lambda file, number: source.text(self.top / file, number))

    def test_function(self):
        path = self.top / "module/x.c"
        self.assertEqual(source.function(path, 4), "first")
        self.assertEqual(source.function(path, 13), "second")
        self.assertTrue(source.lines(path)[13].startswith("\t"))

    def test_a_line_runs_in_any_build(self):
        line = self.merged(("a", build(n4=(0, []))), ("b", build(n4=(3, []))))["module/x.c"][4]
        self.assertEqual(line.count, 3)

    def test_same_branches_add_up(self):
        merged = self.merged(("a", build(n3=(1, [1, 0]))), ("a", build(n3=(1, [0, 1]))))
        self.assertEqual(merged["module/x.c"][3].branches(), [1, 1])

    def test_other_branches_do_not(self):
        merged = self.merged(("a", build(n3=(1, [1, 0]))), ("b", build(n3=(1, [0, 1]))))
        self.assertEqual(sorted(merged["module/x.c"][3].branches()), [0, 1])

    def test_the_best_account_counts(self):
        merged = self.merged(("a", build(n3=(1, [1, 0]))), ("b", build(n3=(1, [1, 1, 1, 0]))))
        self.assertEqual(merged["module/x.c"][3].branches(), [1, 1, 1, 0])

    def test_branches_of_macros_do_not_count(self):
        guest = ("guest", build(n3=(1, [1, 0])))
        merged = self.merged((merge.PLAIN, build(n3=(1, []))), guest)
        self.assertEqual(merged["module/x.c"][3].branches(), [])
        merged = self.merged(guest)
        self.assertEqual(merged["module/x.c"][3].branches(), [1, 0])

    def test_assertions_have_no_branches(self):
        merged = self.merged(("a", build(n13=(1, [1, 0]))))
        self.assertEqual(merged["module/x.c"][13].branches(), [])

    def summary(self, known, *lines):
        """Of a build."""
        merged = self.merged(("a", build(**dict(lines))))
        return report.summary(merged, reasons.parse(known), self.top)

    def test_complaint_without_a_reason(self):
        result = self.summary("", ("n3", (1, [])), ("n14", (0, [])))
        self.assertIn("module/x.c:14: did not run, and has no reason", str(report.complaints(result)))

    def test_a_reason_is_of_its_function(self):
        result = self.summary(REASON, ("n4", (0, [])), ("n14", (0, [])))
        wrong = str(report.complaints(result))
        self.assertIn("module/x.c:4:", wrong)
        self.assertNotIn("module/x.c:14:", wrong)
        self.assertEqual(result["gaps"][1]["reason"], "It is broken otherwise.")

    def test_a_reason_for_nothing(self):
        result = self.summary(REASON.replace("return 1", "return 7"), ("n4", (1, [])))
        self.assertIn("not there", str(report.complaints(result)))

    def test_too_little(self):
        lines = [(f"n{number}", (1, [1, 0])) for number in (3, 4, 5)]
        result = self.summary("", *lines)
        self.assertEqual(report.complaints(result), ["50.0 % of the branches were taken, "
                                                     "90 % at least should"])
