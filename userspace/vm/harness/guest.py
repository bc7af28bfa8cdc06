# SPDX-License-Identifier: GPL-2.0
"""One run of a guest: boot, load the module, run a command, unload, power off.

The guest sees the host's root file system read-only; build/ is its own again
and /tmp is its memory. ../guest is what runs there. A *native* guest is a kernel that
is a process of the host, User Mode Linux; the others are machines of QEMU.

Files of a run called NAME, all in build/vm:

  NAME.cmd      what to do: shell assignments for ../guest
  NAME.result   how it went: lines of KEY=VALUE, "end=ok" after all
  NAME.dmesg    the kernel's log, from a console of its own: complete whatever
                happens to the guest
  NAME.boot     the log at boot, of which the console misses the beginning
  NAME.leaks    what kmemleak says, if it was asked
"""

import dataclasses
import functools
import pathlib
import re
import shlex
import shutil
import subprocess

from . import kvm, paths, process

# 9p mounts can be made at such paths only; see virtme-run.
SAFE_PATH = re.compile(r"[A-Za-z0-9_+ /.-]+")

# What virtme-ng runs at boot, by way of PATH, for what guests do not need: device
# nodes are the kernel's own, temporary files ours.
IDLE = ("systemd-tmpfiles", "udevadm")

# Slow hosts are not broken guests: give the kernel's own watchdogs patience.
PATIENCE = [
    "rcupdate.rcu_cpu_stall_timeout=120",
    "watchdog_thresh=60",
    "workqueue.watchdog_thresh=120",
]


# A server's CPU, with the atomic instructions of ARMv8.1 and pages of any size.
ARM64_CPU = "neoverse-n1"

# The newest kernel of Debian 12 for that architecture.
ARM64 = "arm64"
# A card whose driver ../guest loads: virtme-ng would wait for udev to do so.
NETWORK = ("-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net")

# Of our own making; Debian's are stock, arm64 and any release.
NATIVE = ("uml", "uml-debug")
BUILT = ("debug", "bpf", "kcsan", "gcov", *NATIVE)
RELEASE = re.compile(r"\d+\.\d+\.\d+[-+][\w.+-]+")


def kernel_name(text):
    """What names a kernel: stock, arm64, one of ours, or a release of Debian's."""
    if text in ("stock", ARM64, *BUILT) or RELEASE.fullmatch(text):
        return text
    raise ValueError(text)


@dataclasses.dataclass
class Guest:
    """What to boot, and what to do there. An empty command asks for a shell.

    emulate keeps KVM out, qemu has more options for QEMU: a plugin needs both.
    With network the guest reaches the host, as 10.0.2.2, and what the host reaches.
    """

    kernel: str = "stock"
    command: str = ""
    name: str = "vm"
    nodes: int = 0
    topology: str = "even"
    cpus: int = 0
    memory: int = 2048
    patience: int = 600
    load: bool = True
    leaks: bool = False
    append: str = ""
    emulate: bool = False
    network: bool = False
    qemu: tuple = ()
    # Of a native guest that brings its own modules.
    image: str = ""

    def __post_init__(self):
        self.nodes = self.nodes or (1 if self.native() else 2)

    def native(self):
        """Whether its kernel is a process of the host."""
        return self.kernel in NATIVE

    def arm64(self):
        """Whether it is a machine of that architecture, emulated."""
        return ARM64 in self.kernel

    def programs(self):
        """What the programs for it are in, below the project's folder."""
        return "build/arm64" if self.arm64() else "build"

    def cpu_count(self):
        """CPUs in all: two a node unless told, but four in a kernel of ours."""
        if self.cpus:
            return self.cpus
        return min(2 * self.nodes, 4) if self.kernel in BUILT else 2 * self.nodes

    def sockets(self):
        """NUMA nodes with CPUs, the first ones."""
        return self.nodes - 1 if self.topology == "far" else self.nodes

    def node_memory(self):
        """MiB of each NUMA node."""
        bare = 1 if self.topology == "uneven" else 0
        homes = self.nodes - bare
        return [self.memory // homes] * homes + [0] * bare

    def file(self, suffix):
        """A file of this run."""
        return paths.BUILD / "vm" / f"{self.name}.{suffix}"

    def read(self, suffix):
        """What is in a file of this run; nothing if it was not made."""
        path = self.file(suffix)
        return path.read_text(errors="replace") if path.exists() else ""

    def complaint(self):
        """What is wrong with the wish, if anything."""
        if self.topology == "far" and (self.nodes < 2 or self.arm64()):
            return "it takes 2 NUMA nodes, and x86, for one to be far"
        if not 1 <= self.sockets() <= self.cpu_count():
            return f"{self.nodes} NUMA nodes need as many CPUs at least"
        if self.kernel in BUILT and self.cpu_count() > 4:
            return f"the {self.kernel} kernel is built for 4 CPUs at most"
        if self.native() and self.nodes > 1:
            return f"the {self.kernel} kernel has one NUMA node"
        if self.topology == "uneven" and self.nodes < 3:
            return "it takes 3 NUMA nodes to be uneven"
        if self.memory < 256 * self.nodes:
            return f"{self.nodes} NUMA nodes need {256 * self.nodes} MiB at least"
        if self.network and self.kernel != "stock":
            return "only the stock kernel has the driver of a network card"
        if not SAFE_PATH.fullmatch(str(paths.TOP)):
            return f"virtme-ng cannot pass a folder of this name: {paths.TOP}"
        return None


# How the NUMA nodes of a guest differ; see Guest.topology.
TOPOLOGIES = {
    "even": "each has as much memory, all are as far from each other",
    "uneven": "the last has no memory, the way there is not as far as that back",
    "far": "the last has no CPU; a further one has memory for programs alone",
}
# MiB of that one: x86 cannot take less at a time.
MOVABLE = 128


def distance(source, target):
    """How far a node is from another where that is not even."""
    if source < target:
        return 10 + 10 * (target - source)
    return 15 + 10 * (source - target)


def topology_options(guest):
    """The options for nodes of which each is a socket of its own, or some sockets of a CPU."""
    count = guest.cpu_count()
    sockets = nodes = guest.sockets()
    cores = -(-count // nodes)
    first = [node * cores for node in range(nodes + 1)]
    if first[-2] >= count:
        sockets, cores = count, 1
        first = [-(-node * count // nodes) for node in range(nodes + 1)]
    full = cores * sockets
    options = [f"--cpus={count},sockets={sockets},cores={cores},maxcpus={full}"]
    for node, memory in enumerate(guest.node_memory()):
        cpus = f",cpus={first[node]}-{first[node + 1] - 1}" if node < nodes else ""
        size = f"{memory}M" if memory else "0"
        options.append(f"--numa={size}{cpus}")
    if guest.topology == "uneven":
        options += [
            f"--numa-distance=src={source},dst={target},val={distance(source, target)}"
            for source in range(guest.nodes)
            for target in range(guest.nodes)
            if source != target
        ]
    return options


def movable_options(guest):
    """The options for QEMU, for a last node of which programs get all memory."""
    if guest.topology != "far":
        return []
    total = sum(guest.node_memory()) + MOVABLE
    return [
        *("-m", f"slots=1,maxmem={total}M"),
        *("-numa", "node"),
        *("-object", f"memory-backend-ram,id=movable,size={MOVABLE}M"),
        *("-device", f"pc-dimm,memdev=movable,node={guest.nodes}"),
    ]


def lean_path():
    """A PATH for the boot, where programs that guests can do without do nothing."""
    idle = paths.BUILD / "vm" / "idle"
    idle.mkdir(parents=True, exist_ok=True)
    for program in IDLE:
        if not (idle / program).is_symlink():
            (idle / program).symlink_to("/bin/true")
    return f"{idle}:/bin"


def root_options(guest):
    """The options for what the guest sees of the host, and where it is there."""
    if not guest.arm64():
        return paths.TOP, [f"--rodir={paths.TOP}", f"--kopt=PATH={lean_path()}"]
    (root,) = paths.ask("arm64", "root")
    return pathlib.Path("/run/blink_tree"), [
        "--arch=aarch64",
        f"--root={root}",
        f"--busybox={root}/bin/busybox",
        f"--rodir=/run/blink_tree={paths.TOP}",
    ]


def boot_command(guest, image, use_kvm):
    """The whole command line of virtme-run."""
    total = sum(guest.node_memory())
    command = [str(paths.virtme_run()), "--kimg", image, "--user=root"]
    # Whatever the host has, the same way to the root: 9p, by way of an initramfs.
    command += ["--force-9p", "--force-initramfs"]
    command += ["--mods=none" if guest.kernel in BUILT else "--mods=auto"]
    command += [f"--memory={total}M", *topology_options(guest)]
    top, options = root_options(guest)
    command += [*options, f"--rwdir=/run/blink_build={paths.BUILD}"]
    words = PATIENCE + shlex.split(guest.append)
    if guest.topology == "far":
        words.append("memhp_default_state=online_movable")
    command += [f"--kopt={word}" for word in words]
    if not use_kvm:
        command.append("--disable-kvm")
    script = str(top / "userspace/vm/guest")
    qemu = ["-cpu", ARM64_CPU] if guest.arm64() else movable_options(guest)
    qemu = [*qemu, *(NETWORK if guest.network else ()), *guest.qemu]
    if not guest.command:
        return command + [f"--shell={script}", "--qemu-opts", *qemu]
    # The kernel's log gets a console of its own: nothing else writes there.
    log = str(guest.file("dmesg")).replace(",", ",,")
    return command + [
        "--script-sh=" + shlex.join([script, guest.name]),
        "--kopt=console=hvc0",
        "--kopt=loglevel=7",
        "--qemu-opts",
        "-chardev",
        f"file,id=klog,path={log}",
        "-device",
        "virtio-serial-pci",
        "-device",
        "virtconsole,chardev=klog",
        *qemu,
    ]


# Where User Mode Linux keeps the guest's memory, unless TMPDIR names a place.
MEMORY = pathlib.Path("/dev/shm")


def native_command(guest, image):
    """The command line of User Mode Linux: its consoles are the log, stdout and stderr."""
    words = [
        image,
        f"mem={guest.memory}M",
        f"ncpus={guest.cpu_count()}",
        # With ptrace() instead it has one CPU.
        "seccomp=on",
        f"uml_dir={paths.BUILD / 'vm' / 'uml'}",
        "root=/dev/root",
        "rootfstype=hostfs",
        "ro",
        f"init={paths.VM / 'native'}",
        "con=null",
        "con0=null,fd:3",
        "con1=fd:0,fd:1" if not guest.command else "con1=null,fd:1",
        "con2=null,fd:2",
        "quiet",
        "loglevel=7",
        # A tick is 10 ms, and a grace period takes some of them.
        "rcupdate.rcu_expedited=1",
        f"NAME={guest.name if guest.command else ''}",
        *shlex.split(guest.append),
    ]
    # Opened for appending, so that no line is lost when two processes write.
    script = 'exec "$@" 3>>"$0"'
    command = ["sh", "-c", script, str(guest.file("dmesg")), *words]
    try:
        roomy = shutil.disk_usage(MEMORY).free > guest.memory << 20
    except OSError:
        roomy = False
    return command if roomy else ["env", f"TMPDIR={paths.BUILD / 'vm'}", *command]


def images(kernel):
    """The image of a kernel, and that of one of Debian's, to try KVM with, if it needs it."""
    if kernel == "stock":
        stock = kvm.stock_image()
        return stock, stock
    image = paths.ask("kernel", kernel)[0]
    if kernel in NATIVE:
        return image, None
    return image, kvm.stock_image() if kernel in BUILT else image


@functools.cache
def built(kernel):
    """The same once its module is built, which is done for all guests at once."""
    found = images(kernel)
    paths.ask("modules", kernel)
    return found


def prepare(guest):
    """Build the module for the guest's kernel, leave it its instructions."""
    if guest.kernel == ARM64:
        (guest.kernel,) = paths.ask("release", "newest", "bookworm:arm64")
    if guest.image:
        image, trial = guest.image, None
    else:
        image, trial = built(guest.kernel)
    if guest.arm64():
        paths.ask("arm64", "programs")
    guest.file("cmd").parent.mkdir(parents=True, exist_ok=True)
    for suffix in ("result", "dmesg", "boot", "leaks"):
        guest.file(suffix).unlink(missing_ok=True)
    values = {
        "COMMAND": guest.command,
        "KERNEL": guest.kernel,
        "PROGRAMS": guest.programs(),
        "LOAD": "y" if guest.load else "",
        "LEAKS": "y" if guest.leaks else "",
        "NETWORK": pathlib.Path(image).parent.parent if guest.network else "",
    }
    guest.file("cmd").write_text(
        "".join(f"{key}={shlex.quote(str(value))}\n" for key, value in values.items())
    )
    if guest.native():
        return native_command(guest, image)
    foreign = guest.emulate or guest.arm64()
    return boot_command(guest, image, not foreign and kvm.works(trial))


def shell(guest):
    """Boot a guest with a shell on this terminal; returns an exit status."""
    return subprocess.run(prepare(guest)).returncode


@dataclasses.dataclass
class Outcome:
    """What became of a run: status is that of the command, None if unknown."""

    status: int | None
    timed_out: bool
    failure: str
    values: dict
    log: str


def read_log(guest):
    """The kernel's log: what the console has, after what came too early for it."""
    log = guest.read("dmesg").replace("\r", "")
    boot = guest.read("boot")
    first = log.partition("\n")[0]
    return boot.partition(first)[0] + log if first and first in boot else log


def read_outcome(guest, ended):
    """Judge a run by what it left in its files; ended: whether in time."""
    log = read_log(guest)
    guest.file("dmesg").write_text(log)
    pairs = (line.partition("=") for line in guest.read("result").splitlines())
    values = {key: value for key, _, value in pairs}
    status = int(values["status"]) if "status" in values else None
    if not ended:
        failure = f"the guest stood still for {guest.patience} s"
    elif "Kernel panic" in log:
        failure = "the guest's kernel panicked"
    elif values.get("end") != "ok":
        failure = "the guest died"
    else:
        failure = values.get("failure", "")
    return Outcome(status, not ended, failure, values, log)


def run(guest, sink, error_sink, command=None):
    """Boot a guest and run its command; output goes to sink(bytes).

    command is what prepare() has returned, unless it is yet to be called.

    An emulated CPU may trip over code that the kernel patches at boot, and a kernel
    may find its timer broken on a busy host: it panics before there is a console,
    and long before our module. Such a guest is booted once more.
    """
    command = command or prepare(guest)

    def sign():
        log = guest.file("dmesg")
        return log.stat().st_size if log.exists() else 0

    ended = process.run(command, guest.patience, sink, error_sink, sign=sign) is not None
    if ended and not guest.read("dmesg"):
        complain = error_sink or sink
        complain(f"vm: {guest.name} died before its first line: once more\n".encode())
        ended = process.run(command, guest.patience, sink, error_sink, sign=sign) is not None
    return read_outcome(guest, ended)
