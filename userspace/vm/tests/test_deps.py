# SPDX-License-Identifier: GPL-2.0
"""What userspace/vm/deps installs beside packages of Debian."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

from harness import paths

# Stand in for the commands that deps runs: every package is there already, and
# an environment has a pip that installs nothing.
COMMANDS = {
    "apt-get": "exit 1",
    "apt-cache": "exit 0",
    "dpkg-query": "echo installed",
    "python3": 'mkdir -p "$3/bin" && printf "#!/bin/sh\\n" >"$3/bin/pip" && chmod +x "$3/bin/pip"',
}


class Programs(unittest.TestCase):
    """The environments of Python that the groups ask for."""

    def setUp(self):
        room = tempfile.TemporaryDirectory()
        self.addCleanup(room.cleanup)
        self.cache = pathlib.Path(room.name, "cache")
        self.commands = pathlib.Path(room.name, "bin")
        self.commands.mkdir()
        for name, text in COMMANDS.items():
            command = self.commands / name
            command.write_text(f"#!/bin/sh\n{text}\n")
            command.chmod(0o755)

    def programs(self, *groups):
        """The environments, by their programs, that deps puts into an empty cache."""
        environ = dict(os.environ, BLINK_CACHE=str(self.cache))
        environ["PATH"] = f"{self.commands}:{environ['PATH']}"
        subprocess.run(
            [paths.VM / "deps", *groups], env=environ, check=True, capture_output=True
        )
        there = self.cache.iterdir() if self.cache.exists() else ()
        return {re.sub(r"-[\d.]+(?=\+|$)", "", path.name) for path in there if path.is_dir()}

    def test_all_installs_every_program(self):
        self.assertEqual(self.programs("all"), {"virtme-ng", "gcovr", "mypy+ruff"})

    def test_a_group_installs_its_own(self):
        self.assertEqual(self.programs("fast", "vm"), {"virtme-ng"})

    def test_they_are_found_where_deps_puts_them(self):
        requirements = paths.TOP / "userspace" / "python" / "requirements.txt"
        self.assertEqual(self.programs("python"), {"mypy+ruff"})
        (room,) = (path for path in self.cache.iterdir() if path.is_dir())
        with mock.patch.dict(os.environ, BLINK_CACHE=str(self.cache)):
            self.assertRaises(SystemExit, paths.python_program, requirements, "ruff", "python")
            (room / "bin" / "ruff").touch()
            found = paths.python_program(requirements, "ruff", "python")
        self.assertEqual(found, room / "bin" / "ruff")

    def test_others_install_none(self):
        self.assertEqual(self.programs("fast", "docs"), set())
