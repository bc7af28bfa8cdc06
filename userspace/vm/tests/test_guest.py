# SPDX-License-Identifier: GPL-2.0
"""How guests are shaped, and how a run is judged by what it left behind."""

import pathlib
import tempfile
import unittest
from unittest import mock

from harness import guest, paths


class Shape(unittest.TestCase):
    """CPUs and memory, dealt out to NUMA nodes."""

    def test_two_nodes(self):
        self.assertEqual(
            guest.topology_options(guest.Guest(nodes=2)),
            [
                "--cpus=4,sockets=2,cores=2,maxcpus=4",
                "--numa=1024M,cpus=0-1",
                "--numa=1024M,cpus=2-3",
            ],
        )

    def test_uneven_nodes(self):
        wish = guest.Guest(nodes=3, topology="uneven", cpus=3)
        self.assertIsNone(wish.complaint())
        self.assertEqual(
            guest.topology_options(wish),
            [
                "--cpus=3,sockets=3,cores=1,maxcpus=3",
                "--numa=1024M,cpus=0-0",
                "--numa=1024M,cpus=1-1",
                "--numa=0,cpus=2-2",
                "--numa-distance=src=0,dst=1,val=20",
                "--numa-distance=src=0,dst=2,val=30",
                "--numa-distance=src=1,dst=0,val=25",
                "--numa-distance=src=1,dst=2,val=20",
                "--numa-distance=src=2,dst=0,val=35",
                "--numa-distance=src=2,dst=1,val=25",
            ],
        )
        wish.nodes = 2
        self.assertIn("uneven", wish.complaint())

    def test_far_memory(self):
        wish = guest.Guest(nodes=3, topology="far", memory=768)
        self.assertIsNone(wish.complaint())
        self.assertEqual(
            guest.topology_options(wish),
            [
                "--cpus=6,sockets=2,cores=3,maxcpus=6",
                "--numa=256M,cpus=0-2",
                "--numa=256M,cpus=3-5",
                "--numa=256M",
            ],
        )
        options = guest.movable_options(wish)
        self.assertIn("slots=1,maxmem=896M", options)
        self.assertIn("pc-dimm,memdev=movable,node=3", options)
        self.assertEqual(guest.movable_options(guest.Guest()), [])
        wish.nodes = 1
        self.assertIn("far", wish.complaint())

    def test_debug_kernel_has_four_cpus_at_most(self):
        wish = guest.Guest(kernel="debug", nodes=4)
        self.assertEqual(wish.cpu_count(), 4)
        self.assertIsNone(wish.complaint())
        wish.cpus = 8
        self.assertIn("4 CPUs", wish.complaint())

    def test_kernels_have_names(self):
        for name in ("stock", "kcsan", "6.1.0-56-amd64", "7.3.4+deb13.1-rt-amd64"):
            self.assertEqual(guest.kernel_name(name), name)
        for name in ("", "newest", "6.12", "6.12-amd64", "../6.1.0-56-amd64", "6.1.0-5/6"):
            with self.assertRaises(ValueError):
                guest.kernel_name(name)

    def test_kernels_of_debian_bring_modules(self):
        wish = guest.Guest(kernel="6.1.0-56-amd64", nodes=4)
        self.assertEqual(wish.cpu_count(), 8)
        self.assertIsNone(wish.complaint())
        with mock.patch.object(paths, "virtme_run", return_value="virtme-run"):
            self.assertIn("--mods=auto", guest.boot_command(wish, "image", False))
            wish.kernel = "gcov"
            self.assertIn("--mods=none", guest.boot_command(wish, "image", False))

    def test_arm64_has_a_root_of_its_own(self):
        wish = guest.Guest(kernel="6.12.117+deb12-arm64", command="true")
        self.assertTrue(wish.arm64())
        self.assertEqual(wish.programs(), "build/arm64")
        wish.qemu = ("-cpu", "cortex-a57")
        with (
            mock.patch.object(paths, "virtme_run", return_value="virtme-run"),
            mock.patch.object(paths, "ask", return_value=["/root-of-arm64"]),
        ):
            words = guest.boot_command(wish, "image", False)
        self.assertIn("--root=/root-of-arm64", words)
        self.assertIn(f"--rodir=/run/blink_tree={paths.TOP}", words)
        self.assertIn("--script-sh=/run/blink_tree/userspace/vm/guest vm", words)
        self.assertFalse([word for word in words if word.startswith("--kopt=PATH=")])
        # The last one counts.
        self.assertEqual(words[-2:], ["-cpu", "cortex-a57"])
        self.assertIn(guest.ARM64_CPU, words)

    def test_other_guests_have_the_root_of_the_host(self):
        wish = guest.Guest(command="true")
        self.assertFalse(wish.arm64())
        self.assertEqual(wish.programs(), "build")
        with mock.patch.object(paths, "virtme_run", return_value="virtme-run"):
            words = guest.boot_command(wish, "image", False)
        self.assertIn(f"--rodir={paths.TOP}", words)
        self.assertFalse([word for word in words if word.startswith(("--root", "--arch"))])

    def test_a_node_needs_a_cpu(self):
        self.assertIn("CPUs", guest.Guest(nodes=4, cpus=3).complaint())
        self.assertIn("CPUs", guest.Guest(nodes=-1).complaint())

    def test_a_native_kernel_has_one_node(self):
        self.assertEqual(guest.Guest(kernel="uml").nodes, 1)
        self.assertEqual(guest.Guest(kernel="debug").nodes, 2)
        self.assertIn("one NUMA node", guest.Guest(kernel="uml", nodes=2).complaint())
        self.assertIsNone(guest.Guest(kernel="uml").complaint())

    def test_a_native_guest(self):
        wish = guest.Guest(kernel="uml", command="true", name="n", append="kunit.enable=1")
        words = guest.native_command(wish, "linux")
        self.assertIn("mem=2048M", words)
        self.assertIn("NAME=n", words)
        self.assertEqual(words[-1], "kunit.enable=1")
        self.assertIn("con1=null,fd:1", words)
        with mock.patch.object(guest, "MEMORY", guest.paths.BUILD / "nowhere"):
            self.assertIn(f"TMPDIR={paths.BUILD / 'vm'}", guest.native_command(wish, "linux"))

    def test_a_native_shell(self):
        words = guest.native_command(guest.Guest(kernel="uml", name="shell"), "linux")
        self.assertIn("con1=fd:0,fd:1", words)
        self.assertIn("NAME=", words)

    def test_a_network_is_asked_for(self):
        for network in False, True:
            wish = guest.Guest(command="true", network=network)
            self.assertIsNone(wish.complaint())
            with mock.patch.object(paths, "virtme_run", return_value="virtme-run"):
                words = guest.boot_command(wish, "image", False)
            self.assertEqual("user,id=net" in words, network)
        self.assertIn("network", guest.Guest(kernel="debug", network=True).complaint())

    def test_options_for_qemu_come_last(self):
        with mock.patch.object(paths, "virtme_run", return_value="virtme-run"):
            for command in ("", "true"):
                wish = guest.Guest(command=command, qemu=("-plugin", "x.so"))
                words = guest.boot_command(wish, "image", True)
                self.assertIn("--qemu-opts", words)
                self.assertEqual(words[-2:], ["-plugin", "x.so"])


class Runs(unittest.TestCase):
    """How often a guest is booted."""

    def boots(self, log):
        """How often, if each boot leaves this log."""
        with (
            tempfile.TemporaryDirectory() as folder,
            mock.patch.object(paths, "BUILD", pathlib.Path(folder)),
            mock.patch.object(guest.process, "run", return_value=0) as started,
        ):
            wish = guest.Guest(command="true", name="twice")
            wish.file("dmesg").parent.mkdir()
            wish.file("dmesg").write_text(log)
            guest.run(wish, lambda _: None, None, ["virtme-run"])
            return started.call_count

    def test_once_where_the_kernel_said_something(self):
        self.assertEqual(self.boots("[ 1.0] Kernel panic\n"), 1)

    def test_twice_where_it_died_before_its_first_line(self):
        self.assertEqual(self.boots(""), 2)


class Judgement(unittest.TestCase):
    """The outcome of a run, from its files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        patch = mock.patch.object(paths, "BUILD", pathlib.Path(folder.name))
        patch.start()
        self.addCleanup(patch.stop)
        (paths.BUILD / "vm").mkdir()
        self.guest = guest.Guest(name="t", patience=5)

    def judge(self, result, log="", ended=True):
        """The outcome, given these files; None: no such file."""
        for suffix, text in (("result", result), ("dmesg", log)):
            if text is not None:
                self.guest.file(suffix).write_text(text)
        return guest.read_outcome(self.guest, ended)

    def test_good(self):
        outcome = self.judge("status=0\nleaks=0\nend=ok\n")
        self.assertEqual((outcome.status, outcome.failure), (0, ""))
        self.assertEqual(outcome.values["leaks"], "0")

    def test_status_of_the_command(self):
        outcome = self.judge("status=7\nend=ok\n")
        self.assertEqual((outcome.status, outcome.failure), (7, ""))

    def test_never_came_up(self):
        self.assertIn("died", self.judge(None, None).failure)

    def test_died_halfway(self):
        self.assertIn("died", self.judge("status=0\n").failure)

    def test_panic(self):
        log = "[    1.0] Kernel panic - not syncing: sysrq\r\n"
        outcome = self.judge("", log)
        self.assertIn("panicked", outcome.failure)
        self.assertNotIn("\r", outcome.log)

    def test_panic_after_the_command(self):
        log = "[    1.0] Kernel panic - not syncing: sysrq\n"
        self.assertIn("panicked", self.judge("status=0\nend=ok\n", log).failure)

    def test_hang(self):
        outcome = self.judge("", ended=False)
        self.assertTrue(outcome.timed_out)
        self.assertIn("5 s", outcome.failure)

    def test_cannot_unload(self):
        outcome = self.judge("status=0\nfailure=it is in use\nend=ok\n")
        self.assertEqual(outcome.failure, "it is in use")

    def test_early_log_goes_first(self):
        self.guest.file("boot").write_text("a\nb\nc\n")
        self.assertEqual(self.judge("", "b\r\nc\r\nd\r\n").log, "a\nb\nc\nd\n")


if __name__ == "__main__":
    unittest.main()
