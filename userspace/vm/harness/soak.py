# SPDX-License-Identifier: GPL-2.0
"""What a soak is made of: runs, each drawn from a seed of its own.

A *kind* is what runs; what else there is to choose, such as the guest's kernel
and NUMA nodes or what trees are like, follows from the seed.
"""

import os
import random
import re
import signal

from . import guest, paths, process, stages
from .log import beside

# What programs print of how much they did.
OPERATIONS = re.compile(r"^\s*# (?:\S+: )?operations (\d+)$", re.MULTILINE)

# How many values each field has, in the order of HOW; see tests/ioctl/run.
HOW = {"replication": 3, "locking": 2, "placement": 2, "flags": 2}
# Of KUnit those that do random things, most of them in every mode, and of the
# selftests those that race.
SUITES = ("concurrent", "readers", "oracle", "reclaim", "memory")
SELFTESTS = (
    "fault_storm", "hotplug", "kill_storm", "memcg", "scan_race", "share", "unload",
    "values_stress",
)  # fmt: skip
VARIANTS = ("plain", "asan", "tsan", "points")


def operations(text):
    """How many operations the programs say that they did."""
    return sum(int(number) for number in OPERATIONS.findall(text))


# Those that look for mistakes, and that of users.
KERNELS = ("stock", "debug", "kcsan")


def machine(rng, kernels=KERNELS):
    """A guest's kernel, CPUs and nodes, and how the kernel preempts."""
    kernel = rng.choice(kernels)
    nodes = rng.choice((1, 2, 2, 3, 4))
    config = {
        "kernel": kernel,
        "nodes": nodes,
        "cpus": rng.randint(max(nodes, 2), 6 if kernel == "stock" else 4),
        "topology": rng.choice(tuple(guest.TOPOLOGIES)) if nodes > 2 else "even",
        "append": "",
    }
    if kernel != "debug":
        config["append"] = "preempt=" + rng.choice(("none", "voluntary", "full"))
    return config


def how(rng):
    """What trees are like."""
    return {field: rng.randrange(count) for field, count in HOW.items()}


def kunit(rng, seed):
    """A suite of KUnit, in all its modes."""
    config = machine(rng, ("debug", "kcsan"))
    suite = rng.choice(SUITES)
    wish = dict(config, append=f"{config['append']} kunit.filter_glob=blink_tree_{suite}*")
    stage = stages.guest_stage(
        stages.read_tap, name="soak", command=f"kunit/run seed={seed}", patience=1200, **wish
    )
    return stage, dict(config, suite=suite)


def stress(rng, seed, programs=()):
    """The stress test on trees of one kind, and other selftests after it."""
    config = dict(machine(rng), **how(rng))
    seconds = rng.randint(10, 30)
    fields = ",".join(str(config[field]) for field in HOW)
    command = (
        f"export SEED={seed} HOW={fields} SECONDS={seconds}\n"
        "build/tests/ioctl/stress -v plain 2>&1\nstatus=$?\n"
    )
    if programs:
        command += f"userspace/tests/ioctl/run {' '.join(programs)} || status=$?\n"
    wish = {key: value for key, value in config.items() if key not in HOW}
    stage = stages.guest_stage(
        stages.read_tap, [stages.selftests],
        name="soak", command=command + "exit $status", patience=1200, **wish,
    )  # fmt: skip
    return stage, dict(config, seconds=seconds, programs=["stress", *programs])


def selftests(rng, seed):
    """The stress test with other selftests."""
    return stress(rng, seed, sorted(rng.sample(SELFTESTS, 2)))


class Pauses:
    """Stops the guest for seconds, again and again."""

    def __init__(self, rng, log):
        self.rng = rng
        self.log = log
        self.number = 0

    def pause(self, over):
        """While tests run, that is: nothing is learned of one that boots."""
        while not over.wait(self.rng.uniform(1, 4)):
            if b"TAP version" not in self.log.text:
                continue
            for child in list(process.children):
                self.stop(child, over, self.rng.uniform(1, 6))

    def stop(self, child, over, seconds):
        """Stop QEMU, and what has started it."""
        try:
            os.killpg(child.pid, signal.SIGSTOP)
            self.number += 1
            over.wait(seconds)
            os.killpg(child.pid, signal.SIGCONT)
        except ProcessLookupError:
            pass


def paused(rng, seed):
    """The stress test in a guest that stands still for seconds at times."""
    inner, config = stress(rng, seed)

    def stage(log):
        pauses = Pauses(rng, log)
        with beside(pauses.pause):
            results = inner(log)
        log(f"{pauses.number} pauses\n".encode())
        missing = "" if pauses.number else "it was not"
        return results + [stages.one("the guest was paused", missing)]

    return stage, config


def linear(rng, seed):
    """Histories of threads on the userspace build."""
    config = {
        "variant": rng.choice(("plain-tiny", "points-tiny", "plain-prod")),
        "clients": rng.randint(3, 6),
        "seconds": rng.randint(20, 40),
    }
    words = [
        "env", f"CLIENTS={config['clients']}",
        *stages.make("tests/histories", "-s", "check"), f"VARIANTS={config['variant']}",
        f"SECONDS={config['seconds']}", f"SEED={seed}",
    ]  # fmt: skip
    return stages.tap_stage(words), config


def linear_device(rng, seed):
    """Histories of processes on the device of a guest."""
    config = dict(machine(rng), clients=rng.randint(4, 6), seconds=rng.randint(20, 40))
    wish = guest.Guest(kernel=config["kernel"], append=config["append"], name="linear")
    words = [
        "env", f"KERNEL={config['kernel']}", f"NODES={config['nodes']}",
        f"CPUS={config['cpus']}", f"TOPOLOGY={config['topology']}",
        f"APPEND={config['append']}", f"CLIENTS={config['clients']}",
        f"DURATION={config['seconds']}", f"SEED={seed}",
        paths.TOP / "userspace/tests/histories/device",
    ]  # fmt: skip

    def stage(log):
        failure = stages.build_all([lambda: stages.make("tests/histories", "-s", "device")], log)
        if failure:
            return [stages.one("the recorder builds", failure)]
        results = stages.read_tap(*stages.command(words, 1200, log))
        return results + stages.kernel_results(wish, guest.read_outcome(wish, True))

    return stage, config


def core(rng, seed):
    """The tests of the core in userspace, with more rounds."""
    config = {
        "variant": f"{rng.choice(VARIANTS)}-{rng.choice(('prod', 'tiny'))}",
        "scale": rng.randint(100, 300),
    }
    if config["variant"].startswith("points"):
        config["variant"] = "points-tiny"
    words = [
        "env", f"SEED={seed}", f"SCALE={config['scale']}",
        *stages.make("tests/core", "-s", "check"), f"VARIANTS={config['variant']}",
    ]  # fmt: skip
    return stages.tap_stage(words), config


def many(rng, seed):
    """As many operations as can be: what is random in the core's tests, for long."""
    config = {
        "variant": rng.choice(("plain-prod", "plain-tiny")),
        "tests": rng.choice(("concurrent", "oracle", "rebuild")),
        "scale": rng.randint(2000, 6000),
    }
    words = [
        "env", f"SEED={seed}", f"SCALE={config['scale']}", f"ONLY={config['tests']}",
        *stages.make("tests/core", "-s", "check"), f"VARIANTS={config['variant']}",
    ]  # fmt: skip
    return stages.tap_stage(words), config


def models(_rng, _seed):
    """The checks of the memory model at full size: nothing in it is random."""
    return stages.tap_stage(
        stages.make("tests/memory-model", "-s", "check", "SIZE=full"), 7200
    ), {}


def packages(_rng, _seed):
    """The Debian packages, in fresh roots: nothing in it is random."""
    return stages.tap_stage([paths.TOP / "userspace" / "packaging" / "test"]), {}


# What CI does not do on fresh machines: an hour each where nothing else runs.
FRESH = [("bookworm", "check"), ("trixie", "run"), ("trixie", "install"), ("trixie", "check")]


def fresh(_rng, _seed):
    """All commands on machines that nobody prepared: nothing in it is random."""

    def stage(log):
        tried = [stages.fresh(suite, what) for suite, what in FRESH]
        return [result for one in tried for result in one(log)]

    return stage, {}


def matrix(_rng, _seed):
    """Each kernel of Debian: nothing in it is random."""

    def stage(log):
        _, failure = stages.command([paths.VM / "matrix"], 4 * 3600, log)
        return [stages.one("every kernel", failure)]

    return stage, {}


KINDS = {
    "kunit": kunit,
    "selftests": selftests,
    "core": core,
    "many": many,
    "paused": paused,
    "linear": linear,
    "linear-device": linear_device,
}
# Once in a soak that has the time.
ONCE = {"models": models, "packages": packages, "fresh": fresh, "matrix": matrix}


def draw(kind, seed):
    """The stage of a run, and what was chosen for it."""
    maker = KINDS.get(kind) or ONCE[kind]
    function, config = maker(random.Random(seed), seed)
    return stages.Stage(kind, stages.ALL, function), config
