# SPDX-License-Identifier: GPL-2.0
"""Whether a kernel boots here, and whether guests can use KVM.

That /dev/kvm opens says little: within other virtual machines QEMU may still die
on it. So a small guest is booted once, and the answer is kept until the host
reboots.
"""

import os
import pathlib
import tempfile

from . import paths, process

# A guest that waits for KVM waits for ever; one without is slow on a busy host.
TRIAL_SECONDS = 40
EMULATED_SECONDS = 400


def trial(image, *options, seconds=TRIAL_SECONDS):
    """Boot a kernel with KVM, unless told, and little else; true if that works.

    The guest answers by a file: without udev it finds no port for a status.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [
            str(paths.virtme_run()),
            "--kimg",
            image,
            "--mods=auto",
            "--force-9p",
            "--disable-microvm",
            "--cpus=1",
            "--memory=512M",
            f"--rwdir=/run/blink_trial={folder}",
            "--script-sh=touch /run/blink_trial/booted",
            *options,
        ]
        process.run(command, None, lambda _: None, limit=seconds)
        return pathlib.Path(folder, "booted").exists()


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


def boots(image):
    """Whether a stock kernel boots, tried once for each and kept beside it."""
    answer = pathlib.Path(image).parent.parent / "boots"
    if not answer.exists():
        options = () if works(image) else ("--disable-kvm",)
        if not trial(image, *options, seconds=EMULATED_SECONDS):
            return False
        answer.touch()
    return True


def stock_image():
    """The image of the newest stock kernel that boots; the others are refused."""
    while True:
        image, _ = paths.ask("kernel", "stock")
        if boots(image):
            return image
        release = pathlib.Path(image).name.partition("-")[2]
        paths.ask("kernel", "--refuse", release, "does not boot")
