# SPDX-License-Identifier: GPL-2.0
"""What the scripts that draw results of benchmarks have in common."""

import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
# Text stays text, and the same figures give the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench"})
# pylint: disable=wrong-import-position
from matplotlib import pyplot

TOP = pathlib.Path(__file__).resolve().parents[2]


def parse(doc, file, out):
    """The options: the results, and a directory for pictures."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE", type=pathlib.Path,
                        default=TOP / file, help=f"({file})")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path,
                        help=f"where pictures go ({out})")
    return parser.parse_args()


def unique(values):
    """Each value once, in the order in which they appear."""
    return list(dict.fromkeys(values))


def save(figure, path):
    """Write a picture and say so."""
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(path)
