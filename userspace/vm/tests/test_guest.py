# SPDX-License-Identifier: GPL-2.0
"""How guests are shaped, and how a run is judged by what it left behind."""

import pathlib
import tempfile
import unittest
from unittest import mock

from harness import guest, paths


class Shape(unittest.TestCase):
    """What is wished for, and what that makes of a command line."""

    def topology(self, options, **wish):
        """A guest that can boot has these nodes."""
        wish = guest.Guest(**wish)
        self.assertIsNone(wish.complaint())
        self.assertEqual(guest.topology_options(wish), options.split())

    def boot(self, **wish):
        """The command line of a guest."""
        with (
            mock.patch.object(paths, "virtme_run", return_value="virtme-run"),
            mock.patch.object(paths, "ask", return_value=["/root-of-arm64"]),
        ):
            return guest.boot_command(guest.Guest(**wish), "image", False)

    def test_topologies(self):
        self.topology(
            "--cpus=4,sockets=2,cores=2,maxcpus=4 --numa=1024M,cpus=0-1 --numa=1024M,cpus=2-3",
            nodes=2,
        )
        self.topology(
            "--cpus=3,sockets=3,cores=1,maxcpus=3"
            " --numa=1024M,cpus=0-0 --numa=1024M,cpus=1-1 --numa=0,cpus=2-2"
            " --numa-distance=src=0,dst=1,val=20 --numa-distance=src=0,dst=2,val=30"
            " --numa-distance=src=1,dst=0,val=25 --numa-distance=src=1,dst=2,val=20"
            " --numa-distance=src=2,dst=0,val=35 --numa-distance=src=2,dst=1,val=25",
            nodes=3, topology="uneven", cpus=3,
        )  # fmt: skip
        # Each has a CPU.
        self.topology(
            "--cpus=6,sockets=6,cores=1,maxcpus=6 --numa=512M,cpus=0-1 --numa=512M,cpus=2-2"
            " --numa=512M,cpus=3-4 --numa=512M,cpus=5-5",
            nodes=4, cpus=6,
        )  # fmt: skip
        far = {"nodes": 3, "topology": "far", "memory": 768}
        self.topology(
            "--cpus=6,sockets=2,cores=3,maxcpus=6"
            " --numa=256M,cpus=0-2 --numa=256M,cpus=3-5 --numa=256M",
            **far,
        )
        options = guest.movable_options(guest.Guest(**far))
        self.assertIn("slots=1,maxmem=896M", options)
        self.assertIn("pc-dimm,memdev=movable,node=3", options)
        self.assertEqual(guest.movable_options(guest.Guest()), [])

    def test_cpus_and_nodes(self):
        for kernel, nodes, found in (
            ("stock", 0, (2, 4)), ("debug", 0, (2, 4)), ("debug", 4, (4, 4)),
            ("uml", 0, (1, 2)), ("6.1.0-56-amd64", 4, (4, 8)),
        ):  # fmt: skip
            wish = guest.Guest(kernel=kernel, nodes=nodes)
            self.assertEqual((wish.nodes, wish.cpu_count()), found)
            self.assertIsNone(wish.complaint())

    def test_complaints(self):
        for words, wish in (
            ("uneven", {"nodes": 2, "topology": "uneven"}),
            ("far", {"nodes": 1, "topology": "far"}),
            ("4 CPUs", {"kernel": "debug", "cpus": 8}),
            ("as many CPUs", {"nodes": 4, "cpus": 3}),
            ("as many CPUs", {"nodes": -1}),
            ("one NUMA node", {"kernel": "uml", "nodes": 2}),
            ("MiB", {"memory": 511}),
            ("network", {"kernel": "debug", "network": True}),
        ):
            self.assertIn(words, guest.Guest(**wish).complaint())
        with mock.patch.object(paths, "TOP", pathlib.Path("/a:b")):
            self.assertIn("/a:b", guest.Guest().complaint())

    def test_kernels_have_names(self):
        for name in ("stock", "kcsan", "6.1.0-56-amd64", "7.3.4+deb13.1-rt-amd64"):
            self.assertEqual(guest.kernel_name(name), name)
        for name in ("", "newest", "6.12", "6.12-amd64", "../6.1.0-56-amd64", "6.1.0-5/6"):
            self.assertRaises(ValueError, guest.kernel_name, name)

    def test_kernels_of_debian_bring_modules(self):
        self.assertIn("--mods=auto", self.boot(kernel="6.1.0-56-amd64"))
        self.assertIn("--mods=none", self.boot(kernel="gcov"))

    def test_arm64_has_a_root_of_its_own(self):
        arm64 = {"kernel": "6.12.117+deb12-arm64", "command": "true"}
        self.assertEqual(guest.Guest(**arm64).programs(), "build/arm64")
        words = self.boot(**arm64, qemu=("-cpu", "cortex-a57"))
        self.assertIn("--root=/root-of-arm64", words)
        self.assertIn(f"--rodir=/run/blink_tree={paths.TOP}", words)
        self.assertIn("--script-sh=/run/blink_tree/userspace/vm/guest vm", words)
        self.assertFalse([word for word in words if word.startswith("--kopt=PATH=")])
        # The last one counts.
        self.assertEqual(words[-2:], ["-cpu", "cortex-a57"])
        self.assertIn(guest.ARM64_CPU, words)

    def test_other_guests_have_the_root_of_the_host(self):
        self.assertEqual(guest.Guest().programs(), "build")
        for command in ("", "true"):
            words = self.boot(command=command, network=bool(command), qemu=("-plugin", "x.so"))
            self.assertIn(f"--rodir={paths.TOP}", words)
            self.assertFalse([word for word in words if word.startswith(("--root", "--arch"))])
            self.assertEqual("user,id=net" in words, bool(command))
            self.assertIn("--qemu-opts", words)
            self.assertEqual(words[-2:], ["-plugin", "x.so"])

    def test_native_guests(self):
        wish = guest.Guest(kernel="uml", command="true", name="n", append="kunit.enable=1")
        words = guest.native_command(wish, "linux")
        self.assertLessEqual({"mem=2048M", "NAME=n", "con1=null,fd:1"}, set(words))
        self.assertEqual(words[-1], "kunit.enable=1")
        with mock.patch.object(guest, "MEMORY", paths.BUILD / "nowhere"):
            self.assertIn(f"TMPDIR={paths.BUILD / 'vm'}", guest.native_command(wish, "linux"))
        words = guest.native_command(guest.Guest(kernel="uml", name="shell"), "linux")
        self.assertLessEqual({"con1=fd:0,fd:1", "NAME="}, set(words))


class Runs(unittest.TestCase):
    """The outcome of a run, from its files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.object(paths, "BUILD", pathlib.Path(folder.name))
        patch.start()
        self.addCleanup(patch.stop)
        (paths.BUILD / "vm").mkdir()
        self.guest = guest.Guest(name="t", command="true", patience=5)

    def judge(self, result, log="", ended=True):
        """The outcome, given these files; None: no such file."""
        for suffix, text in (("result", result), ("dmesg", log)):
            self.guest.file(suffix).unlink(missing_ok=True)
            if text is not None:
                self.guest.file(suffix).write_text(text)
        return guest.read_outcome(self.guest, ended)

    def test_boots_again_if_it_died_before_its_first_line(self):
        for log, boots in (("[ 1.0] Kernel panic\n", 1), ("", 2)):
            with mock.patch.object(guest.process, "run", return_value=0) as started:
                self.guest.file("dmesg").write_text(log)
                guest.run(self.guest, lambda _: None, None, ["virtme-run"])
            self.assertEqual(started.call_count, boots)

    def test_outcomes(self):
        panic = "[    1.0] Kernel panic - not syncing: sysrq\r\n"
        for result, log, status, failure in (
            ("status=0\nleaks=0\nend=ok\n", "", 0, ""),
            ("status=7\nend=ok\n", "", 7, ""),
            (None, None, None, "the guest died"),
            ("status=0\n", "", 0, "the guest died"),
            ("", panic, None, "the guest's kernel panicked"),
            ("status=0\nend=ok\n", panic, 0, "the guest's kernel panicked"),
            ("status=0\nfailure=it is in use\nend=ok\n", "", 0, "it is in use"),
        ):
            outcome = self.judge(result, log)
            self.assertEqual((outcome.status, outcome.failure), (status, failure))
            self.assertNotIn("\r", outcome.log)
        self.assertEqual(self.judge("leaks=3\n").values, {"leaks": "3"})

    def test_hang(self):
        outcome = self.judge("", ended=False)
        self.assertTrue(outcome.timed_out)
        self.assertIn("5 s", outcome.failure)

    def test_early_log_goes_first(self):
        self.guest.file("boot").write_text("a\nb\nc\n")
        self.assertEqual(self.judge("", "b\r\nc\r\nd\r\n").log, "a\nb\nc\nd\n")
