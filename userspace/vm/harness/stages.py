# SPDX-License-Identifier: GPL-2.0
"""The stages of `make check`: each is a function of a Log that returns results."""

import dataclasses
import json
import os
import re
import threading
import typing

from . import guest, klog, paths, process, tap


def one(name, failure):
    """The result of something that either failed, for a reason, or did not."""
    return tap.Result(name, tap.FAIL if failure else tap.PASS, failure)


# A program that prints nothing for so many seconds stands still: some print little, and a
# busy machine makes them many times slower.
PATIENCE = 1800


def command(words, log):
    """Run a command; returns its output, and why it failed or nothing."""
    words = [str(word) for word in words]
    log(f"$ {' '.join(words)}\n".encode())
    log.take()
    status = process.run(words, PATIENCE, log, cwd=paths.TOP)
    if status is None:
        return log.take(), f"stood still for {PATIENCE} s"
    return log.take(), f"exit status {status}" if status else ""


def make(directory, *words):
    """The command for a Makefile of the userspace."""
    folder = paths.TOP / "userspace" / directory
    jobs = f"-j{os.cpu_count()}"
    return ["make", jobs, "--no-print-directory", "-C", folder, f"O={paths.BUILD}", *words]


def read_tap(text, failure):
    """The results in a program's output; its own failure counts if none did."""
    results = tap.parse(text)
    for result in results:
        if result.state == tap.FAIL and not result.name:
            # Results are missing: what it said last says why.
            end = "\n".join(text.splitlines()[-10:])
            result.detail = f"{result.detail}: {failure}\n{end}"
    if failure and all(result.state != tap.FAIL for result in results):
        results.append(one("", failure))
    return results


def tap_stage(words):
    """A stage that runs a command which prints TAP."""
    return lambda log: read_tap(*command(words, log))


BUILDS_WELL = "the modules build without a warning"


def module_stage(kernel):
    """A stage that builds the modules; guests may run with what is built already."""

    def stage(log):
        text, failure = command([paths.VM / "modules", kernel], log)
        end = "\n".join(text.splitlines()[-10:])
        return [one(BUILDS_WELL, failure and f"{failure}\n{end}")]

    return stage


def docs(log):
    """Sphinx finds no mistake in the pages, and their examples compile."""
    text, failure = command(["make", "--no-print-directory", "check-docs"], log)
    end = "\n".join(text.splitlines()[-10:])
    return [one("the documentation builds", failure and f"{failure}\n{end}")]


# What it says of itself at boot.
KCSAN_WORKS = "kcsan: strict mode configured"


def kernel_results(wish, outcome):
    """What there is to say of a guest's kernel after a run, as tests."""
    shown = [klog.show(outcome.log, place) for place in klog.reports(outcome.log)]
    results = [
        one("the module unloads and the guest ends", outcome.failure),
        one("the kernel's log has no report", "\n".join(shown[:3])),
    ]
    if wish.kernel == "debug":
        watching = outcome.values.get("lockdep") == "1"
        results.append(one("lockdep is still on", "" if watching else "it is off"))
    asked = re.search(r"\bpreempt=(\w+)", wish.append)
    if asked:
        heard = f"Dynamic Preempt: {asked[1]}" in outcome.log
        results.append(one("the kernel preempts as asked", "" if heard else "it does not"))
    if wish.kernel == "kcsan":
        watching = outcome.values.get("kcsan") == "1" and KCSAN_WORKS in outcome.log
        results.append(one("KCSAN watches", "" if watching else "it does not"))
    if wish.leaks:
        clean = outcome.values.get("leaks") == "0"
        told = wish.read("leaks") or "kmemleak gave no answer"
        results.append(one("kmemleak finds nothing", "" if clean else told))
    return results


# What guests need is built for one of them at a time.
building = threading.Lock()


def build_all(first, log):
    """Run commands for the host; returns why one failed, or nothing."""
    for build in first:
        _, failure = command(build(), log)
        if failure:
            return failure
    return ""


def while_building(stage):
    """The same, while no guest's needs are built: they are built in the same folder."""

    def function(log):
        with building:
            return stage(log)

    return function


def guest_stage(judge, first=(), **options):
    """A stage that runs a guest: judge(output, failure) finds the tests in it.

    What first gives are commands for the host: what they build is needed there.
    """

    def stage(log):
        wish = guest.Guest(**options)
        with building:
            failure = build_all(first, log)
            if failure:
                return [one("what the guest needs builds", failure)]
            boot = guest.prepare(wish)
        outcome = guest.run(wish, log, log, boot)
        failure = "" if outcome.status == 0 else f"exit status {outcome.status}"
        return judge(log.take(), failure) + kernel_results(wish, outcome)

    return stage


# The suites of contexts, threads, ends and refused memory.
CONTEXTS = "kunit.filter_glob=blink_tree_[cilm]*"

# Where CPUs meet: the selftests, and of KUnit most of the suites with threads.
RACES_SUITES = "kunit.filter_glob=blink_tree_[cipr]*"
RACES = """
kunit/run
status=$?
userspace/tests/ioctl/run stress share numa values_stress
exit $((status | $?))
"""

def main_job(_output, failure):
    """The main job judges itself, by its exit status."""
    return [one("the main job succeeds", failure)]


# What runs tests in Python: their folder, and where the package is.
UNITTESTS = paths.TOP / "userspace/tests/common/unittap.py"
PYTHON = "userspace/tests/common/unittap.py userspace/python/tests userspace/python"

# Without names it runs all of its tests.
DEVICE = "OPERATIONS=500 userspace/cli/tests/guest"

# All but what is for the stock kernel, below: it takes long here.
CHECKED = "userspace/tests/ioctl/run $(userspace/tests/ioctl/run --list | grep -vx hostile)"
# What meets the checkers of the debug kernel elsewhere than in the core, which has the
# sanitizers of userspace: errors, ends, contexts. Not lifetime: an emulated guest with
# KASAN takes a quarter of an hour to fill the memory that waits for readers. Not hotplug, which
# the stage "numa four" has, and which takes two minutes here. KUnit comes last, as its suites
# keep the module that "unload" unloads.
CHECKED_BRIEFLY = """
userspace/tests/ioctl/run share faults signals watch unload
status=$?
kunit/run scale=2
exit $((status | $?))
"""

# The tests of BPF programs that need nothing but the module.
BPF_PROGRAMS = """
status=0
for test in reads u128 bytes refused writes contexts storm port_rules filter; do
	"$O/tests/bpf/$test" || status=$?
done
(exit $status)
"""

# The length of the structure of their ioctl can be tested here, too, and what needs a kernel
# with io_uring and userfaultfd.
BPF = f"""{BPF_PROGRAMS}
status=$?
userspace/tests/ioctl/run abi contract watch_wait || status=$?
userspace/tests/bpf/examples.sh "$O/examples/bpf" "$O/bin/blinktree" || status=$?
exit $status
"""

# The corpus as it is, and what follows from it for a little while.
FUZZ = """
crash=build/tests/fuzz/crash-check.txt
rm -f $crash
build/tests/fuzz/blink_fuzz --replay --crash $crash userspace/tests/fuzz/corpus/ioctl/*.prog &&
build/tests/fuzz/blink_fuzz --seconds 60 --crash $crash userspace/tests/fuzz/corpus/ioctl/*.prog &&
exit
status=$?
cat $crash
exit $status
"""

# What users do, and all selftests; the module stays loaded between the two.
JOB_AND_TESTS = """
echo "main job:"
userspace/tests/demo/main-job -k
echo "selftests:"
userspace/tests/ioctl/run"""
# What is concurrent.
EXCLUSIVES = f"{JOB_AND_TESTS} numa share stress values_stress"


def job_and_tests(output, failure):
    """The main job, and the selftests after it."""
    job, _, selftests_output = output.partition("selftests:\n")
    job_failure = "" if "\nmain job: ok" in job else job or "it did not run"
    return [one("the main job succeeds", job_failure), *read_tap(selftests_output, failure)]


# Far fewer than the corpus reaches: only without kcov there are so few.
FUZZ_EDGES = 1000


def fuzz(output, failure):
    """Both runs must come to their end, and the kernel must tell what it did."""
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    ends = [event for event in events if event["event"] == "end"]
    blind = "" if all(end["edges"] >= FUZZ_EDGES for end in ends) else "kcov tells too little"
    return [
        one("nothing is found", failure and f"{failure}\n{output}"),
        one("it replays and fuzzes", "" if len(ends) == 2 else "a run did not end"),
        one("it sees what the kernel does", blind),
    ]


def fuzzer():
    """The command that builds it; the module is built for kcov from here on."""
    os.environ["KCOV"] = "y"
    guest.built.cache_clear()
    return make("tests/fuzz", "guest")


def nats(log):
    """It waits nearly all the time, so it runs beside guests, one of which needs the program."""
    with building:
        failure = build_all([lambda: make("nats")], log)
    if failure:
        return [one("the program builds", failure)]
    return tap_stage(make("nats", "-s", "check"))(log)


# A figure whose reads of replicas must be local; few operations, in a file of its own.
COUNTED = "--nodes 2 --figures numa-4.3 olfit-model --keys 500 --ops 50".split()


def counted(log):
    """The laboratory's figures can be counted, in an emulated guest."""
    with building:
        failure = build_all([lambda: make("bench/numa/count")], log)
    if not failure:
        program = [paths.TOP / "userspace/bench/run", "lab-numa"]
        json_file = paths.BUILD / "check" / "lab-numa.json"
        _, failure = command([*program, *COUNTED, "--json", json_file], log)
    return [one("figures are counted in a guest", failure)]


# What runs a stage: each change; `make check`; CI, too, which may need root, to make roots,
# or crates; `make check-all` alone. Each runs what those before it run.
FAST, CHECK, CI, ALL = range(4)


@dataclasses.dataclass
class Stage:
    """What runs it is its level. A guest may run beside another."""

    name: str
    level: int
    function: typing.Callable
    guest: bool = False

    def run(self, log):
        """All results, named after the stage."""
        return tap.renamed(self.function(log), self.name)


def kselftest(directory):
    """The command that builds tests; the kernel's source has their headers."""
    source = paths.ask("kernel", "source")[0]
    return make(directory, f"KSELFTEST_DIR={source}/tools/testing/selftests")


def selftests():
    """The command that builds the tests of the ioctls."""
    return kselftest("tests/ioctl")


def bpf_tests():
    """The command that builds the tests of BPF programs."""
    return kselftest("tests/bpf")


# With its backports it has the newest kernel that a Debian release offers.
NEWEST = "trixie"


def on_newest(stage_for):
    """A stage for the newest kernel, from a function of its release."""

    def stage(log):
        text, failure = command([paths.VM / "release", "newest", NEWEST], log)
        if failure:
            return [one(f"the newest kernel of {NEWEST} is known", failure)]
        return stage_for(text.split()[-1])(log)

    return stage


def newest_programs(kernel):
    """BPF programs run there as elsewhere."""
    return guest_stage(
        read_tap, [bpf_tests], kernel=kernel, name="bpf-newest", command=BPF_PROGRAMS
    )


def guest_of(name, level, judge, first=(), **options):
    """A stage that runs a guest named after it."""
    options["name"] = name.replace(" ", "-")
    return Stage(name, level, guest_stage(judge, first, **options), True)


def in_tree(kernel):
    """A stage that adds the tree to a kernel source, and runs the suites there."""
    return tap_stage([paths.VM / "in-tree", "--check", "--fetch", kernel])


def fresh(suite, what, *settings):
    """A function of a stage: does this work on a machine that nobody prepared?"""

    def stage(log):
        words = ["env", f"SUITE={suite}", *settings, paths.VM / "fresh", what]
        text, failure = command(words, log)
        end = "\n".join(text.splitlines()[-10:])
        return [one(f"{what} works on a fresh {suite}", failure and f"{failure}\n{end}")]

    return stage


def fresh_stage(name, level, what, *settings):
    """What is done on a fresh machine."""
    return Stage(name, level, fresh("bookworm", what, *settings), True)


def crates_stage(stage):
    """The same, skipped where cargo cannot fetch the crates that it needs."""

    def function(log):
        text, failure = command([paths.TOP / "userspace/rust/tests/fetch"], log)
        return read_tap(text, failure) if text or failure else stage.function(log)

    return dataclasses.replace(stage, function=function)


def core_stage(name, level, variants, *words):
    """The tests of the core in userspace, in some of their variants."""
    command_words = make("tests/core", "check", f"VARIANTS={variants}", *words)
    return Stage(name, level, tap_stage(command_words))


def steps_stage(name, level, variants):
    """A writer at each step of a reader, in nodes of some sizes."""
    return Stage(name, level, tap_stage(make("tests/steps", "-s", "check", f"VARIANTS={variants}")))


# These build what guests need, too.
BUILDS = ("lib", "cli")


def in_order(wanted):
    """The fast ones first, then the others without a guest, then the guests."""
    return sorted(wanted, key=lambda stage: (stage.guest, stage.level > FAST))


def hosted_stages():
    """Those without a guest, in the order in which a mistake is best found."""
    return [
        Stage("lib", FAST, tap_stage(make("lib", "check"))),
        Stage("cli", FAST, tap_stage(make("cli", "check"))),
        # Nearly all mutants of the core are killed by one of these variants.
        core_stage("core", FAST, "plain-tiny points-tiny plain-prod"),
        Stage("harness", FAST, tap_stage([UNITTESTS, paths.VM / "tests", paths.VM])),
        # All of its mutants are killed in tiny nodes.
        steps_stage("steps", FAST, "steps-tiny"),
        Stage("module for stock", FAST, module_stage("stock")),
        Stage("static", FAST, tap_stage([paths.VM / "static"])),
        Stage("fuzz", CHECK, tap_stage(make("tests/fuzz", "check"))),
        Stage("models", CHECK, tap_stage(make("tests/memory-model", "-s", "check"))),
        Stage("docs", CHECK, docs),
        core_stage("core sanitized", CI, "tsan-tiny"),
        core_stage(
            "core in all modes", ALL,
            "tsan-prod tsan-tiny points-tiny asan-prod asan-tiny plain-prod", "ALL_MODES=y",
        ),
        steps_stage("steps in larger nodes", ALL, "steps-mid steps-prod"),
        Stage("linear", CI, tap_stage(make("tests/histories", "check"))),
        Stage("numa", CI, while_building(tap_stage(make("bench/numa/count", "check")))),
        Stage("lab", CI, tap_stage(make("tests/lab", "check"))),
        Stage("figures", CI, tap_stage(make("bench/lab", "check"))),
        Stage("replay", CI, tap_stage(make("bench/lab", "-s", "check-replay"))),
        Stage("lines", CI, tap_stage(make("bench/lines", "-s", "check"))),
        Stage("keys", CI, tap_stage(make("bench/keys", "-s", "check"))),
        # The indexes that others wrote and ours are compared with; it takes seven minutes.
        Stage("compare", ALL, tap_stage(make("bench/indexes", "check-kernel"))),
        Stage("wheel", CI, tap_stage([paths.TOP / "userspace/python/tests/wheel"])),
        Stage("python static", CI, tap_stage([paths.TOP / "userspace/python/tests/static"])),
        crates_stage(
            Stage("rust host", CI, tap_stage([paths.TOP / "userspace/rust/tests/host"]))
        ),
        Stage("module for debug", CI, module_stage("debug")),
        # A kernel with the tree in it, from its source: half an hour each.
        Stage("in 6.12", ALL, in_tree("6.12")),
        Stage("in the newest", ALL, in_tree("newest")),
        Stage("arm64 core", ALL, tap_stage([paths.VM / "arm64", "core"])),
    ]  # fmt: skip


def native_stages():
    """Those in native guests, the longest first."""
    return [
        # The core stage runs the same suites at length; all the work is that of make kunit.
        guest_of("kunit", CHECK, read_tap, command="kunit/run scale=30", kernel="uml"),
        guest_of(
            "selftests", CHECK, read_tap, [selftests], command="userspace/tests/ioctl/run",
            kernel="uml",
        ),
        guest_of(
            "device", CHECK, read_tap, [lambda: make("cli")], command=DEVICE,
            kernel="uml",
        ),
        guest_of("python", CHECK, read_tap, command=PYTHON, kernel="uml"),
        guest_of(
            "nats guest", CI, read_tap, [lambda: make("cli"), lambda: make("nats")],
            command='userspace/nats/tests/guest "$O/bin/blinktree" "$O/bin/blinktree-nats"',
            kernel="uml",
        ),
        crates_stage(
            guest_of(
                "rust", CI, read_tap, [lambda: make("rust")],
                command='userspace/rust/tests/run "$O/rust/programs"', kernel="uml",
            )
        ),
    ]  # fmt: skip


def checked_stages():
    """Those in emulated guests whose kernels have checkers."""
    debug = {"kernel": "debug", "leaks": True, "patience": 1200}
    uneven = {"cpus": 4, "topology": "uneven"}
    return [
        guest_of(
            "checked", CI, read_tap, [selftests], command=CHECKED_BRIEFLY, append=CONTEXTS,
            **debug, **uneven, nodes=3,
        ),
        guest_of(
            "all selftests checked", ALL, read_tap, [selftests], command=CHECKED,
            **debug, **uneven, nodes=4,
        ),
        guest_of("all kunit checked", ALL, read_tap, command="kunit/run scale=40", **debug),
        guest_of(
            "schemes checked", ALL, read_tap, [lambda: make("cli")],
            command="OPERATIONS=400 userspace/cli/tests/guest schemes", **debug,
        ),
        guest_of("all kunit native", ALL, read_tap, command="kunit/run", kernel="uml-debug"),
        # Programs that write from interrupts, under lockdep and KASAN.
        guest_of(
            "bpf debug", ALL, read_tap, [bpf_tests],
            command=BPF_PROGRAMS, **{**debug, "kernel": "bpf"},
        ),
        guest_of("fuzz guest", ALL, fuzz, [fuzzer], command=FUZZ, kernel="uml-debug"),
        guest_of(
            "kcsan", ALL, read_tap, [selftests],
            command=RACES, kernel="kcsan", append=RACES_SUITES, cpus=4,
        ),
    ]  # fmt: skip


def stock_stages():
    """Those in emulated guests with kernels of Debian, and on fresh machines."""
    several = {"command": "userspace/tests/ioctl/run numa stress hotplug"}
    # In a kernel that is not preempted, all that takes long must give way itself.
    four = {
        "command": "userspace/tests/ioctl/run numa hostile stress hotplug",
        "append": "preempt=none",
    }
    return [
        guest_of(
            "main job", ALL, main_job, [lambda: make("cli")],
            command="userspace/tests/demo/main-job",
            # Every allocation it can, the stock kernel checks for overruns.
            append="kfence.sample_interval=1",
        ),
        guest_of(
            "bpf", CI, read_tap, [selftests, bpf_tests, lambda: make("cli")], command=BPF
        ),
        Stage("nats", CI, nats, guest=True),
        guest_of("numa one", ALL, read_tap, [selftests], **several, nodes=1),
        guest_of("numa four", CI, read_tap, [selftests], **four, nodes=4, cpus=4),
        guest_of(
            "numa far", CI, read_tap, [selftests], command="userspace/tests/ioctl/run numa",
            nodes=3, topology="far",
        ),
        Stage("lab numa", ALL, counted, guest=True),
        fresh_stage("fresh run", CI, "run"),
        Stage("newest", CI, on_newest(module_stage), True),
        Stage("bpf newest", ALL, on_newest(newest_programs), True),
        # The packages of the guest take longer than all the rest.
        fresh_stage("fresh install", CI, "install", "GUEST=no"),
        fresh_stage("fresh install used", ALL, "install"),
        guest_of("arm64", ALL, job_and_tests, command=JOB_AND_TESTS, kernel=guest.ARM64),
        # bpftrace compiles its programs by LLVM, which takes minutes in an emulated guest.
        guest_of(
            "tracing", ALL, read_tap, [lambda: make("cli")],
            command='userspace/examples/bpftrace/test.sh "$O/bin/blinktree"',
        ),
        # A CPU without atomic instructions: loops of exclusive loads and stores.
        guest_of(
            "arm64 exclusives", ALL, job_and_tests,
            command=EXCLUSIVES, kernel=guest.ARM64, qemu=("-cpu", "cortex-a57"),
        ),
    ]  # fmt: skip


def all_stages():
    """In the order in which they run, but for those that are asked for."""
    return [*hosted_stages(), *checked_stages(), *stock_stages(), *native_stages()]
