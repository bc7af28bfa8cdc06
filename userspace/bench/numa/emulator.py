# SPDX-License-Identifier: GPL-2.0
"""QEMU for programs by themselves, with the plugin that counts or records (count/plugin.c)."""

import platform
import shutil
import subprocess

from driver.program import Failure

# Of all processors that have 64 bits: the C library selects its functions by it.
QEMU = "qemu-x86_64"
CPU = ("-cpu", "qemu64")


class NoPlugins(Failure):
    """QEMU is there, but was built without plugins: no package to install mends that."""


def check():
    """Refuse a machine that cannot do it."""
    if platform.machine() != "x86_64":
        raise Failure("the plugin knows the instructions of x86-64 alone")
    if not shutil.which(QEMU):
        raise Failure(f"{QEMU} is missing; run userspace/vm/deps lines")
    options = subprocess.run([QEMU, "-h"], capture_output=True, text=True, check=False)
    if "-plugin" not in options.stdout:
        raise NoPlugins(f"{shutil.which(QEMU)} has no plugins, as the one of Debian 13;"
                        " Debian 12's has them")  # fmt: skip
