# SPDX-License-Identifier: GPL-2.0
"""Pictures of results."""

import matplotlib

matplotlib.use("Agg")
# Text stays text, and the same figures give the same file.
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench"})
# pylint: disable=wrong-import-position
from matplotlib import pyplot  # noqa: E402


def save(figure, path):
    """Write a picture and say so."""
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    print(path)
