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
    "hotplug", "kill_storm", "memcg", "share", "unload", "values_stress",
)  # fmt: skip
# Of which size the nodes of the core are in userspace.
NODES = ("prod", "tiny")


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


def made(folder, seed, config):
    """Tests without a guest; what is chosen are variables of make, and of what it runs."""
    words = [f"{name}={value}" for name, value in {"SEED": seed, **config}.items()]
    return stages.tap_stage(stages.make(folder, "-s", "check", *words)), config


def linear(rng, seed):
    """Histories of threads on the userspace build."""
    config = {
        "VARIANTS": rng.choice(("plain-tiny", "points-tiny", "plain-prod")),
        "CLIENTS": rng.randint(3, 6),
        "SECONDS": rng.randint(20, 40),
    }
    return made("tests/histories", seed, config)


def linear_device(rng, seed):
    """Histories of processes on the device of a guest."""
    config = dict(machine(rng), clients=rng.randint(4, 6), duration=rng.randint(20, 40))
    wish = guest.Guest(kernel=config["kernel"], append=config["append"], name="linear")
    variables = [f"{name.upper()}={value}" for name, value in config.items()]
    words = ["env", *variables, f"SEED={seed}", paths.TOP / "userspace/tests/histories/device"]

    def stage(log):
        failure = stages.build_all([lambda: stages.make("tests/histories", "-s", "device")], log)
        if failure:
            return [stages.one("the recorder builds", failure)]
        results = stages.read_tap(*stages.command(words, log))
        return results + stages.kernel_results(wish, guest.read_outcome(wish, True))

    return stage, config


def core(rng, seed):
    """The tests of the core in userspace, with more rounds."""
    variants = [f"{kind}-{nodes}" for kind in ("plain", "asan", "tsan") for nodes in NODES]
    config = {
        "VARIANTS": rng.choice([*variants, "points-tiny"]),
        "SCALE": rng.randint(100, 300),
    }
    return made("tests/core", seed, config)


def many(rng, seed):
    """As many operations as can be: what is random in the core's tests, for long."""
    config = {
        "VARIANTS": "plain-" + rng.choice(NODES),
        "ONLY": rng.choice(("concurrent", "oracle", "rebuild")),
        "SCALE": rng.randint(2000, 6000),
    }
    return made("tests/core", seed, config)


KINDS = {
    "kunit": kunit,
    "selftests": selftests,
    "core": core,
    "many": many,
    "paused": paused,
    "linear": linear,
    "linear-device": linear_device,
}


def draw(kind, seed):
    """The stage of a run, and what was chosen for it."""
    function, config = KINDS[kind](random.Random(seed), seed)
    return stages.Stage(kind, stages.ALL, function), config
