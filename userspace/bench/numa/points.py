# SPDX-License-Identifier: GPL-2.0
"""The points of the papers' figures, as guests count them."""

import argparse
import dataclasses

from lab import figures, study

from . import counts, lab, model

# What tells points of a figure apart, but for the number of threads.
PLACE = ("mix", "scheme", "batch", "node_bytes")
FIGURES = ("insn_per_op", "local_per_op", "remote_per_op", "transfers_per_op")

# The model has no figure in the paper. All nodes are in all caches after the warm-up.
MODEL = "olfit-model"
MODEL_MIXES = {"olfit-search": 0, "olfit-insert": 1}
MODEL_KEYS, MODEL_OPS, MODEL_SLOTS = 2000, 500, 15


@dataclasses.dataclass(frozen=True)
class Point:
    """A point of a figure: the words of its order."""

    figure: str
    words: dict

    def order(self):
        """What to tell the laboratory."""
        return "point " + " ".join(f"{name}={value}" for name, value in self.words.items())

    def place(self):
        """Where in its figure it is."""
        return tuple(self.words[name] for name in PLACE)

    def threads(self):
        """How many execute it."""
        return int(self.words["threads"])

    def __str__(self):
        words = self.words
        text = f"{self.figure}: {words['scheme']}, {words['mix']}, {words['threads']} threads"
        if words["batch"] != "1":
            text += f", batches of {words['batch']}"
        if words["node_bytes"] != "0":
            text += f", nodes of {words['node_bytes']} bytes"
        return text


def adapt(figure, words, ops):
    """A point of a figure: the CPUs take turns, and as many operations warm up."""
    words = {name: str(value) for name, value in words.items()}
    words |= {"warm_up": str(ops), "timed": "0", "turns": "1"}
    if words["scheme"] in figures.ALONE:
        words["threads"] = "1"
    return Point(figure, words)


def of_figure(figure, cpus, keys, ops):
    """The points of a figure, each with the most threads that the figure has here.

    As the CPUs take turns, the threads never wait for each other: the counts with fewer
    threads are nearly the same.
    """
    args = argparse.Namespace(
        cpus=cpus, keys=keys, ops=ops, threads=None, order="random", warm_up=0, quick=False
    )
    found = {}
    for one in study.plan(figure, args):
        point = adapt(figure.name, one.words(1), ops)
        other = found.setdefault(point.place(), point)
        if point.threads() > other.threads():
            found[point.place()] = point
    return list(found.values())


def of_model(cpus):
    """Searches and insertions by the schemes that the model of OLFIT is about."""
    words = {
        "threads": str(cpus), "keys": str(MODEL_KEYS), "ops": str(MODEL_OPS),
        "batch": "1", "node_bytes": "0",
    }  # fmt: skip
    return [
        adapt(MODEL, {"scheme": scheme, "mix": mix, **words}, 4 * MODEL_OPS)
        for mix in MODEL_MIXES
        for scheme in model.SCHEMES
    ]


def baseline(record, records):
    """The record that this one is compared with, or None.

    It is of the figure's first scheme, without batches, with nodes of the first size.
    """
    some = [
        other for other in records
        if (other["nodes"], other["figure"]) == (record["nodes"], record["figure"])
    ]  # fmt: skip
    first = some[0]
    for other in some:
        if (
            (other["scheme"], other["mix"]) == (first["scheme"], record["mix"])
            and (other["batch"], other["node_bytes"]) == (1, first["node_bytes"])
        ):
            return other
    return None


def compare(records):
    """Add to each record the ratios of its figures to those of its baseline."""
    for record in records:
        other = baseline(record, records)
        record["ratio_to_baseline"] = {
            name: record[name] / other[name] if other and other[name] else None
            for name in FIGURES
        }


def seen(point, dump, done):
    """Whether the plugin saw the calls of so many operations."""
    calls, _ = counts.calls(dump)
    return done / int(point.words["batch"]) <= calls <= 2 * done


def record(nodes, point, outcome, dump):
    """The figures of a point."""
    answer, words = outcome.values, point.words
    done = int(answer["ops"])
    if not seen(point, dump, done):
        raise lab.Failure(f"{point}: the calls of {done} operations were not seen")
    retries = answer["retries"]
    found = {
        "figure": point.figure,
        "scheme": words["scheme"],
        "threads": int(answer["threads"]),
        "mix": words["mix"],
        "batch": int(words["batch"]),
        "node_bytes": int(words["node_bytes"]),
        "nodes": nodes,
        "keys": int(words["keys"]),
        "ops": done,
        **counts.of_calls(dump, done),
        "retries_per_op": None if retries == "-" else int(retries) / done,
    }
    if point.figure == MODEL:
        levels = model.height(int(answer["entries"]), MODEL_SLOTS)
        share = MODEL_MIXES[words["mix"]]
        found["model_transfers_per_op"] = model.misses(
            words["scheme"], nodes if found["threads"] > 1 else 1, levels, MODEL_SLOTS, share
        )
    return found


# The thesis replicates so that reads stay on their NUMA node: what remains are the
# head of the index and variables of the kernel.
REPLICATED = ("replicated-local", "replicated-all", "+local", "+all")
REMOTE_READ = 6


def astray(records):
    """Reads of replicas that are on other NUMA nodes."""
    return [
        f"{one['nodes']} NUMA nodes, {one['figure']}: {one['scheme']} refers to"
        f" {one['remote_per_op']:.1f} places of other NUMA nodes for a read"
        for one in records
        if one["scheme"].endswith(REPLICATED)
        and one["mix"] == "numa-100-0"
        and one["remote_per_op"] > REMOTE_READ
    ]
