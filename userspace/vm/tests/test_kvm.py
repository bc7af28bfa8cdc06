# SPDX-License-Identifier: GPL-2.0
"""Which stock kernel guests get where some do not boot."""

import pathlib
import tempfile
import unittest
from unittest import mock

from harness import kvm


class Stock(unittest.TestCase):
    """The newest kernel that boots is taken, whatever others there are."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name)
        self.releases = ["6.12.2-amd64", "6.12.1-amd64"]
        self.refused = []
        for release in self.releases:
            (self.cache / release / "boot").mkdir(parents=True)

    def ask(self, _script, word, *args):
        """What ./kernel would answer."""
        if word == "--refuse":
            self.refused.append(args)
            return []
        first = self.releases[len(self.refused)]
        return [str(self.cache / first / "boot" / f"vmlinuz-{first}"), "headers"]

    def stock(self, good):
        """The image that is chosen if only images that contain GOOD boot."""
        with (
            mock.patch.object(kvm.paths, "ask", self.ask),
            mock.patch.object(kvm, "works", return_value=False),
            mock.patch.object(kvm, "trial", side_effect=lambda i, *_, **__: good in i) as trial,
        ):
            images = [kvm.stock_image() for _ in range(2)]
        self.assertEqual(images[0], images[1])
        return images[0], trial.call_count

    def test_newest_boots_and_is_tried_once(self):
        image, trials = self.stock("6.12.2")
        self.assertIn("vmlinuz-6.12.2-amd64", image)
        self.assertEqual(trials, 1)
        self.assertEqual(self.refused, [])

    def test_newest_does_not_boot(self):
        image, trials = self.stock("6.12.1")
        self.assertIn("vmlinuz-6.12.1-amd64", image)
        self.assertEqual(trials, 2)
        self.assertEqual(self.refused, [("6.12.2-amd64", "does not boot")])
