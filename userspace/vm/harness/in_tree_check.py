# SPDX-License-Identifier: GPL-2.0
"""Whether the commits of in_tree.py are what a kernel takes; see ../in-tree."""

import os
import re
import shutil

from . import paths, process, stages

# What the options of .checkpatch.conf are for, and besides:
IGNORED = (
    # the first commit has the entry of MAINTAINERS for all files
    "FILE_PATH_CHANGES",
    # the type of a key differs by layout, where the same source is compiled for several
    "NEW_TYPEDEFS",
)
OPTIONS = "CONFIG_BLINK_TREE", "CONFIG_BLINK_TREE_KUNIT_TEST"
# What the device and the functions for BPF programs need besides, in a kernel that has them.
WITH_BPF = (
    "CONFIG_MODULES=y", "CONFIG_NET=y", "CONFIG_BPF_SYSCALL=y", "CONFIG_DEBUG_KERNEL=y",
    "CONFIG_DEBUG_INFO_DWARF4=y", "CONFIG_DEBUG_INFO_BTF=y", "CONFIG_DEBUG_INFO_BTF_MODULES=y",
    "CONFIG_BLINK_TREE_DEV=y",
)  # fmt: skip
# The suites do so many percent of their work there: `make kunit` does all of it.
SCALE = 10


class Check:
    """Each commit as it is judged; results come in results."""

    def __init__(self, tree, base, commits, log):
        self.tree = tree
        self.base = base
        self.commits = commits
        self.log = log
        self.results = []
        self.build = paths.BUILD / "in-tree"
        self.fragment = self.build / "fragment.config"

    def note(self, name, failure):
        """One result, told at once."""
        self.results.append(stages.one(name, failure))
        return not failure

    def run(self, words, **options):
        """A command in the source; returns its output, and why it failed or nothing."""
        words = [str(word) for word in words]
        self.log(f"$ {' '.join(words)}\n".encode())
        self.log.take()
        status = process.run(words, stages.PATIENCE, self.log, cwd=self.tree.folder, **options)
        return self.log.take(), "" if status == 0 else f"exit status {status}"

    def make(self, *words):
        """make for User Mode Linux: the end of its output if it fails."""
        jobs = f"-j{os.cpu_count()}"
        text, failure = self.run(["make", "-s", "ARCH=um", f"O={self.build}", jobs, *words])
        end = "\n".join(text.splitlines()[-15:])
        if not failure and re.search(r"\b(lib/blink_tree|blink_tree\w*\.h)\b.*warning:", text):
            failure = "a warning"
        return failure and f"{failure}\n{end}"

    def style(self, before, commit, subject):
        """checkpatch of this kernel."""
        patch = self.build / "commit.patch"
        text = self.tree.git("format-patch", "--stdout", f"{before}..{commit}")
        patch.write_text(text + "\n")
        conf = (paths.TOP / ".checkpatch.conf").read_text()
        ignored = [*re.findall(r"^--ignore (\w+)", conf, re.M), *IGNORED]
        text, failure = self.run([
            "perl", "scripts/checkpatch.pl", "--strict", "--terse", "--show-types",
            f"--ignore={','.join(ignored)}", patch,
        ])  # fmt: skip
        found = [line for line in text.splitlines() if re.search(r"(ERROR|WARNING|CHECK):", line)]
        self.note(f"checkpatch accepts: {subject}", failure and "\n".join(found[:20] or [failure]))

    def configure(self, kind):
        """The configuration of the native kernel here; the tree as y, with all, or as m."""
        here = [paths.VM / f"{name}.config" for name in ("common", "uml", "faults")]
        lines = [path.read_text() for path in here]
        lines += [f"{option}={kind}\n" for option in OPTIONS]
        if kind == "y":
            lines += [f"{line}\n" for line in ("CONFIG_DEBUG_INFO_NONE=n", *WITH_BPF)]
        self.fragment.write_text("".join(lines))
        failure = self.make(f"KCONFIG_ALLCONFIG={self.fragment}", "allnoconfig")
        described = "CONFIG_DEBUG_INFO_BTF_MODULES=y" in (self.build / ".config").read_text()
        if not failure and described != (kind == "y"):
            failure = "no BTF" if kind == "y" else "BTF"
        return failure

    def commit(self, before, commit):
        """One commit: it is accepted, and it builds without a warning."""
        subject = self.tree.git("show", "-s", "--format=%s", commit)
        self.tree.git("checkout", "-q", commit)
        self.style(before, commit, subject)
        failure = self.configure("y") or self.make("linux")
        return self.note(f"it builds: {subject}", failure)

    def built_in(self):
        """The suites of a kernel that contains them, by its own kunit.py."""
        text, failure = self.run([
            "tools/testing/kunit/kunit.py", "run", "--kunitconfig=lib/blink_tree",
            f"--build_dir={self.build}", f"--jobs={os.cpu_count()}", "--timeout=3600",
            f"--kernel_args=blink_tree_kunit.scale={SCALE}",
            *(f"--kconfig_add={line}" for line in WITH_BPF),
        ])  # fmt: skip
        found = re.search(r"Testing complete\. Ran \d+ tests: (.*)", text)
        end = "\n".join(text.splitlines()[-15:])
        self.note("kunit.py runs the suites", failure and f"{failure}\n{end}")
        self.note("it says how many", "" if found else end)

    def modules(self):
        """The same as modules, in a kernel that has neither."""
        failure = self.configure("m") or self.make("linux", "modules")
        if not self.note("it builds as modules", failure):
            return
        # Other processes of the host may not be able to read where the source is.
        folder = self.build / "lib/blink_tree"
        command = f"insmod {folder}/blink_tree.ko && BLINK_MODDIR={folder} kunit/run scale={SCALE}"
        stage = stages.guest_stage(
            stages.read_tap, kernel="uml", image=str(self.build / "linux"), load=False,
            name="in-tree", command=command,
        )  # fmt: skip
        self.results += stage(self.log)

    def all(self):
        """Everything; returns the results."""
        branch = self.tree.git("rev-parse", "--abbrev-ref", "HEAD")
        shutil.rmtree(self.build, ignore_errors=True)
        self.build.mkdir(parents=True)
        try:
            before = [self.base, *self.commits]
            good = [self.commit(*pair) for pair in zip(before, self.commits)]
            if all(good):
                self.built_in()
                self.modules()
        finally:
            # A tag that is checked out is no branch.
            self.tree.git("checkout", "-q", self.commits[-1] if branch == "HEAD" else branch)
        return self.results
