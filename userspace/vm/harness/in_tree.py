# SPDX-License-Identifier: GPL-2.0
"""The module as a series of commits for a kernel source; see ../in-tree."""

import operator
import re
import subprocess

from . import paths

LIB = "lib/blink_tree"
PAGES = "Documentation/core-api/blink_tree"
LITMUS = "Documentation/litmus-tests/blink_tree"

# What the pages of that folder are here. The others are about the programs and the tests
# of the project.
DOCUMENTED = {
    "api": "api", "uapi": "uapi", "watch": "watch", "bpf": "bpf", "tree": "design/tree",
    "correctness": "design/correctness", "memory-model": "design/memory-model",
    "locking": "design/locking", "bounds": "design/bounds", "lifetime": "design/lifetime",
    "replication": "design/replication", "batches": "design/batches", "kinds": "design/kinds",
    "internals": "design/internals",
}  # fmt: skip

# Folders of this project, and where they are in the kernel.
MOVED = [
    ("Documentation/design/litmus", LITMUS),
    ("Documentation/design", PAGES),
    ("userspace/tests/memory-model", "the project's userspace/tests/memory-model"),
    ("module/", f"{LIB}/"),
]

LINK = re.compile(r":doc:`(?:([^`<]*)<)?([^`<>]+)>?`")

COMPARE = {"<": operator.lt, ">=": operator.ge}
OLDEST = (6, 12, 0)


class Refused(Exception):
    """Why nothing was added."""


class Tree:
    """A kernel source in a repository; a stranger's has commits of no person."""

    def __init__(self, folder, stranger=False):
        self.folder = folder.resolve()
        self.stranger = stranger
        self.written = []
        self.version = self.read_version()
        if self.version < OLDEST:
            raise Refused(f"{folder} is older than Linux 6.12")
        if (self.folder / LIB).exists():
            raise Refused(f"{folder} has {LIB} already")

    def read_version(self):
        """The version that its Makefile tells."""
        makefile = self.folder / "Makefile"
        text = makefile.read_text() if makefile.exists() else ""
        found = [
            re.search(rf"^{name} = (\d+)$", text, re.M)
            for name in ("VERSION", "PATCHLEVEL", "SUBLEVEL")
        ]
        if not all(found):
            raise Refused(f"{self.folder} is no kernel source")
        return tuple(int(match[1]) for match in found)

    def git(self, *words, **options):
        """What a command of git prints."""
        done = subprocess.run(
            ["git", "-C", self.folder, *words], stdout=subprocess.PIPE, text=True, check=False,
            **options,
        )  # fmt: skip
        if done.returncode:
            raise Refused(f"git {' '.join(words[:2])} failed")
        return done.stdout.strip()

    def base(self):
        """The commit that the series begins after."""
        new = not (self.folder / ".git").exists()
        if new:
            self.git("init", "-q")
        elif self.git("status", "--porcelain"):
            raise Refused(f"{self.folder} has changes that are in no commit")
        if self.stranger:
            self.git("config", "user.name", "blink_tree")
            self.git("config", "user.email", "blink_tree@localhost")
        # Without a name and a mail the commits would fail later, half-way.
        self.git("var", "GIT_COMMITTER_IDENT")
        if new:
            self.git("add", "--all", "--force")
            version = ".".join(str(number) for number in self.version)
            self.git("commit", "-q", "-m", f"Linux {version}")
        return self.git("rev-parse", "HEAD")

    def read(self, path):
        """A file of the kernel's."""
        return (self.folder / path).read_text()

    def write(self, path, text):
        """A file, with its folders."""
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        self.written.append(path)

    def change(self, path, before, text):
        """Put text before the first line that a pattern matches; None: at the end."""
        old = self.read(path)
        found = before and re.search(before, old, re.M)
        if before and not found:
            raise Refused(f"{path} has no line like {before!r}")
        at = found.start() if found else len(old)
        self.write(path, old[:at] + text + old[at:])

    def commit(self, subject, body):
        """All that was written since the last one, also where git is to ignore it."""
        self.git("add", "--force", "--", *self.written)
        self.written = []
        self.git("commit", "-q", "-s", "-m", subject, "-m", body)
        return self.git("rev-parse", "HEAD")


def differences(version):
    """What compat.h gives a kernel of this version, without its conditions."""
    text = (paths.TOP / "module/compat.h").read_text()
    body = text[text.index("/* Linux 6.2:") : text.rindex("#endif")]
    kept = []
    for block in re.split(r"\n(?=/\* Linux )", body):
        comment, condition, rest = re.fullmatch(
            r"(/\*.*?\*/\n)#if ((?:\\\n|[^\n])*)\n(.*)#endif\s*", block, re.S
        ).groups()
        words = re.match(r"LINUX_VERSION_CODE (\S+) KERNEL_VERSION\((\d+), (\d+), (\d+)\)", condition)
        holds = COMPARE[words[1]](version, tuple(int(number) for number in words.groups()[1:]))
        then, _, otherwise = rest.partition("#else\n")
        kept.append((comment, (then if holds else otherwise).strip("\n")))
    return [(comment, code) for comment, code in kept if code]


class Words:
    """What replaces names of compat.h that stand for nothing but words."""

    def __init__(self, tree):
        self.blocks = []
        self.generator = ""
        self.objects = "kmalloc_obj" in tree.read("include/linux/slab.h")
        for comment, code in differences(tree.version):
            generator = re.fullmatch(r"#define BLINK_KUNIT_GENERATOR(.*)", code)
            if generator:
                self.generator = generator[1].strip()
            elif code != "#define BLINK_KFUNCS":
                self.blocks.append(f"{comment}{code}\n")

    def header(self):
        """What is left of compat.h: for the suites alone. Nothing, for new kernels."""
        if not self.blocks:
            return ""
        return "\n".join([
            "/* SPDX-License-Identifier: GPL-2.0 */",
            "/* Functions of later kernels. */",
            "#ifndef BLINK_KUNIT_COMPAT_H",
            "#define BLINK_KUNIT_COMPAT_H",
            "",
            *self.blocks,
            "#endif /* BLINK_KUNIT_COMPAT_H */",
            "",
        ])  # fmt: skip

    def apply(self, text):
        """A source as this kernel has it."""
        text = text.replace("BLINK_KFUNCS", "CONFIG_BLINK_TREE_BPF")
        text = re.sub(r"BLINK_KUNIT_GENERATOR ", self.generator and f"{self.generator} ", text)
        if self.objects:
            text = re.sub(r"\b(k[mz]alloc)\(sizeof\((\*[\w>-]+)\), ", r"\1_obj(\2, ", text)
        return re.sub(r'#include "((?:\.\./)+)module/', r'#include "\1', text)


def page(name):
    """A page, whose links lead to pages that are there."""
    text = (paths.TOP / f"Documentation/{DOCUMENTED[name]}.rst").read_text()
    known = {old.rpartition("/")[2]: new for new, old in DOCUMENTED.items()}

    def link(match):
        words, target = match.groups()
        new = known.get(target.rpartition("/")[2])
        words = (words or "").strip()
        if new:
            return f":doc:`{words} <{new}>`" if words else f":doc:`{new}`"
        return words or f"the project's page {target.rpartition('/')[2]}"

    text = LINK.sub(link, text)
    text = text.replace("../pictures/", "")
    text = re.sub(r"^\.\. literalinclude:: .*\n(?:   .*\n)*", "", text, flags=re.M)
    for old, new in MOVED:
        text = text.replace(old, new)
    return text


class Series:
    """The commits, one method each."""

    def __init__(self, tree):
        self.tree = tree
        self.words = Words(tree)
        self.kconfig = re.split(r"\n(?=config )", (paths.TOP / "module/Kconfig").read_text())

    def option(self, name):
        """An option of Kconfig, or its first lines."""
        (text,) = [part for part in self.kconfig if part.startswith(name)]
        return text.strip("\n") + "\n"

    def copy(self, here, there):
        """A file of the project, or all sources below a folder; returns its objects."""
        source = paths.TOP / here
        files = [source] if source.is_file() else sorted(source.rglob("*.[ch]"))
        files = [file for file in files if not file.name.endswith(".mod.c")]
        for file in files:
            name = there if file == source else f"{there}/{file.relative_to(source)}"
            self.tree.write(name, self.words.apply(file.read_text()))
        return [str(file.relative_to(source))[:-2] for file in files if file.suffix == ".c"]

    def room(self, folder, variable):
        """A folder of module/; returns the lines of a Makefile for its objects."""
        names = self.copy(f"module/{folder}", f"{LIB}/{folder}")
        return "".join(f"{variable} += {folder}/{name}.o\n" for name in names)

    def of_option(self, option, folder):
        """An option of Kconfig, and the folder that is built with it."""
        objects = self.room(folder, f"blink_tree-$(CONFIG_{option})")
        self.tree.change(f"{LIB}/Makefile", None, "\n" + objects)
        self.tree.change(f"{LIB}/Kconfig", None, "\n" + self.option(f"config {option}\n"))

    def core(self):
        """The tree itself."""
        for folder in "include/linux", "include/uapi/linux":
            for header in sorted((paths.TOP / folder).glob("*.h")):
                self.copy(f"{folder}/{header.name}", f"{folder}/{header.name}")
        for name in "main.c", "version.h", "chardev/chardev.h", "bpf/kfuncs.h":
            self.copy(f"module/{name}", f"{LIB}/{name}")
        objects = "".join(self.room(folder, "blink_tree-y") for folder in ("core", "lock", "obs"))
        self.tree.write(
            f"{LIB}/Makefile",
            "# SPDX-License-Identifier: GPL-2.0\n\n"
            "obj-$(CONFIG_BLINK_TREE) += blink_tree.o\n\n"
            "# For core/core.h, and for the header that defines the tracepoints.\n"
            f"ccflags-y := -I$(src)\n\nblink_tree-y := main.o\n{objects}",
        )
        self.tree.write(
            f"{LIB}/Kconfig", self.option("# SPDX") + "\n" + self.option("config BLINK_TREE\n")
        )
        self.tree.change("lib/Kconfig", r'^source "lib/fonts/Kconfig"', f'source "{LIB}/Kconfig"\n\n')
        self.tree.change("lib/Makefile", None, "\nobj-$(CONFIG_BLINK_TREE) += blink_tree/\n")
        ident = self.tree.git("var", "GIT_COMMITTER_IDENT").rpartition(">")[0] + ">"
        self.tree.change(
            "MAINTAINERS", r"^BLOCK LAYER$",
            f"BLINK_TREE (CONCURRENT ORDERED MAP)\nM:\t{ident}\nS:\tMaintained\n"
            f"F:\t{PAGES}/\nF:\t{LITMUS}/\n"
            "F:\tinclude/linux/blink_tree*.h\nF:\tinclude/uapi/linux/blink_tree*.h\n"
            f"F:\t{LIB}/\n\n",
        )  # fmt: skip
        return self.tree.commit(
            "lib: add a concurrent ordered map",
            "A B-link tree (Lehman and Yao) in memory, from numbers or strings to\n"
            "numbers or strings. Readers take no lock and write no shared memory: they\n"
            "rely on RCU, and on a version in each node. Writers lock one node at a\n"
            "time, where those of a maple tree share one lock.",
        )

    def device(self):
        """The character device."""
        self.of_option("BLINK_TREE_DEV", "chardev")
        self.tree.change(
            "Documentation/userspace-api/ioctl/ioctl-number.rst", r"^0xC0  00-0F",
            "0xBD  00-1F  uapi/linux/blink_tree.h                                  B-link trees\n",
        )  # fmt: skip
        return self.tree.commit(
            "lib/blink_tree: add a character device",
            "Programs create trees through /dev/blink_tree, give them names, owners\n"
            "and modes, and share them. A call can hold many operations. The memory is\n"
            "charged to the memory cgroup of the caller, and to the user who created\n"
            "the tree.",
        )

    def bpf(self):
        """The functions for BPF programs."""
        self.of_option("BLINK_TREE_BPF", "bpf")
        return self.tree.commit(
            "lib/blink_tree: let BPF programs use trees",
            "Programs look up, find the nearest keys and iterate in any context;\n"
            "programs of some types modify trees, too. A tree is named by a handle,\n"
            "which a process that may use the tree asks the device for.",
        )

    def suites(self):
        """KUnit."""
        folder = f"{LIB}/kunit"
        names = self.copy("kunit", folder)
        compat = self.words.header()
        include = ""
        if compat:
            self.tree.write(f"{folder}/compat.h", compat)
            include = "ccflags-y := -include $(src)/compat.h\n\n"
        self.tree.write(
            f"{folder}/Makefile",
            "# SPDX-License-Identifier: GPL-2.0\n\n"
            "obj-$(CONFIG_BLINK_TREE_KUNIT_TEST) += blink_tree_kunit.o\n\n"
            + include + "".join(f"blink_tree_kunit-y += {name}.o\n" for name in names),
        )  # fmt: skip
        self.tree.write(
            f"{LIB}/.kunitconfig",
            "CONFIG_KUNIT=y\nCONFIG_BLINK_TREE=y\nCONFIG_BLINK_TREE_KUNIT_TEST=y\n",
        )
        self.tree.change(
            f"{LIB}/Makefile", r"^obj-\$\(CONFIG_BLINK_TREE\)",
            "obj-$(CONFIG_BLINK_TREE_KUNIT_TEST) += kunit/\n",
        )  # fmt: skip
        self.tree.change(
            f"{LIB}/Kconfig", None, "\n" + self.option("config BLINK_TREE_KUNIT_TEST")
        )
        return self.tree.commit(
            "lib/blink_tree: add KUnit tests",
            "They compare all operations with a model, let threads and interrupts\n"
            "meet, and make allocations fail. The parameter blink_tree_kunit.scale says\n"
            "how much of the work is done, in percent.\n\n"
            f"  tools/testing/kunit/kunit.py run --kunitconfig {LIB}",
        )

    def pages(self):
        """The documentation."""
        for name in DOCUMENTED:
            self.tree.write(f"{PAGES}/{name}.rst", page(name))
        pictures = paths.TOP / "Documentation/pictures"
        subprocess.run([pictures / "draw"], check=True)
        for picture in sorted(pictures.glob("*.svg")):
            self.tree.write(f"{PAGES}/{picture.name}", picture.read_text())
        for test in sorted((paths.TOP / "Documentation/design/litmus").glob("*.litmus")):
            self.tree.write(f"{LITMUS}/{test.name}", test.read_text())
        variants = paths.TOP / "userspace/tests/memory-model/litmus"
        subprocess.run([variants, "write"], cwd=self.tree.folder / LITMUS, check=True)
        self.tree.written.append(LITMUS)
        self.tree.write(
            f"{PAGES}/index.rst",
            ".. SPDX-License-Identifier: GPL-2.0\n\n"
            "=======================\nConcurrent ordered maps\n=======================\n\n"
            ".. toctree::\n   :maxdepth: 1\n\n" + "".join(f"   {name}\n" for name in DOCUMENTED),
        )
        self.tree.change(
            "Documentation/core-api/index.rst", r"^   maple_tree$", "   blink_tree/index\n"
        )
        return self.tree.commit(
            "Documentation: describe blink_tree",
            "The interfaces for kernel code, programs and BPF, how the tree works, and\n"
            "why it is right; litmus tests for each pattern of its memory accesses.",
        )


def add(tree):
    """All commits; returns their names."""
    series = Series(tree)
    return [series.core(), series.device(), series.bpf(), series.suites(), series.pages()]
