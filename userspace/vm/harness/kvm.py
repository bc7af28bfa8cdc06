# SPDX-License-Identifier: GPL-2.0
"""Whether guests can use KVM here.

That /dev/kvm opens says little: within other virtual machines QEMU may still die
on it. So a small guest is booted once, and the answer is kept until the host
reboots.
"""

import os
import pathlib

from . import paths, process

TRIAL_SECONDS = 40
TRIAL_STATUS = 42


def trial(image):
    """Boot a kernel with KVM and little else; true if that works."""
    command = [
        str(paths.virtme_run()),
        "--kimg",
        image,
        "--mods=auto",
        "--force-9p",
        "--disable-microvm",
        "--cpus=1",
        "--memory=512M",
        f"--script-sh=exit {TRIAL_STATUS}",
    ]
    return process.run(command, TRIAL_SECONDS, lambda _: None) == TRIAL_STATUS


def works(image):
    """Whether a guest with KVM boots, tried with this kernel if not yet known."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    answer = paths.cache() / f"kvm-{boot}"
    if not answer.exists():
        for old in paths.cache().glob("kvm-*"):
            old.unlink(missing_ok=True)
        answer.write_text("yes" if trial(image) else "no")
    return answer.read_text() == "yes"
