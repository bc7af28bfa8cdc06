# SPDX-License-Identifier: GPL-2.0
"""Every test is run by somebody: what lists tests names them all."""

import re
import subprocess
import unittest

from harness import paths, stages

TESTS = paths.TOP / "userspace" / "tests"
CLI_GUEST = paths.TOP / "userspace" / "cli" / "tests" / "guest"


class Listed(unittest.TestCase):
    """The lists of the runners and those of the stages."""

    def test_selftests(self):
        command = [TESTS / "ioctl" / "run", "--list"]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        # uapi.c is compiled twice; the contract is beside the fuzzer.
        sources = {path.stem for path in (TESTS / "ioctl").glob("*.c")}
        sources = sources - {"uapi"} | {"uapi32", "uapi64", "contract"}
        self.assertEqual(sorted(output.split()), sorted(sources))

    def test_bpf(self):
        listed = re.search(r"for test in (.*); do", stages.BPF_PROGRAMS)[1].split()
        sources = [path.stem for path in (TESTS / "bpf").glob("*.c")]
        programs = [name for name in sources if not name.endswith(".bpf")]
        self.assertEqual(sorted(listed), sorted(programs))

    def test_command(self):
        text = CLI_GUEST.read_text()
        default = re.search(r"^\[ \$# -gt 0 \] \|\| set -- (.*)$", text, re.MULTILINE)[1]
        # A script that no program is named for is no test, but a part of some.
        scripts = CLI_GUEST.parent.glob("*.sh")
        tests = {path.stem for path in scripts if path.read_text().startswith("#!")} | {"docs"}
        # The stage cli runs two of them.
        self.assertEqual(sorted(default.split()), sorted(tests - {"usage", "completion"}))
        # Without arguments: all of them.
        self.assertTrue(stages.DEVICE.endswith("userspace/cli/tests/guest"))
